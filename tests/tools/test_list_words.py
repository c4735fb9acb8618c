"""The list of all texts that users read."""

import ast
import runpy
from functools import partial
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "list_words.py"

MODULE = '''
"""What the module is for. More."""

def _hidden(x):
    """A hidden thing."""
    try:
        check(x)
    except TypeError:
        raise ValueError(f"x must be >= 0; got {x!r}")
    return "key", "two words " "in parts"
'''


@pytest.fixture
def tool():
    return runpy.run_path(str(TOOL))


def test_first_sentences_of_docstrings(tool):
    listed = partial(tool["docstrings"], ast.parse(MODULE))
    assert sorted(listed(public=False)) == [(1, "What the module is for."), (4, "_hidden: A hidden thing.")]
    assert list(listed(public=True)) == [(1, "What the module is for.")]


def test_messages_are_texts_of_two_words_or_more(tool):
    texts = [text for _, text in tool["messages"](ast.parse(MODULE))]
    assert sorted(texts) == ["two words in parts", "x must be >= 0; got {x!r}"]


def test_every_command_has_its_help(tool):
    texts = dict(tool["helps"]())
    assert len(texts) == 7
    assert all("usage: frankboost" in text for text in texts.values())
