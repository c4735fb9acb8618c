"""What the pages of the site say is what the library does."""

import ast
import doctest
import re
import shlex
import textwrap
from pathlib import Path

import pytest
from sklearn.datasets import load_breast_cancer

import frankboost
from frankboost.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "docs" / "index.md", *(ROOT / "docs").glob("[gt]u*/*.md")])  # guide, tutorials
COMMANDS = re.compile(r"^    \$ frankboost (.*)\n((?:    (?!\$).*\n|\n(?=    ))+)", re.MULTILINE)
SESSIONS = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.REPORT_NDIFF


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_sessions_of_a_page_print_what_it_shows(page):
    known = dict(zip("Xy", load_breast_cancer(return_X_y=True), strict=True)) if page.stem == "index" else {}
    text = "".join(SESSIONS.findall(page.read_text(encoding="utf-8")))
    test = doctest.DocTestParser().get_doctest(text, known, page.name, str(page), 0)
    assert doctest.DocTestRunner(optionflags=OPTIONS).run(test).failed == 0


def test_the_commands_print_what_they_say(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "guide" / "command-line.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(program, {})
    commands = COMMANDS.findall(page)
    assert len(commands) == 3
    for command, output in commands:
        words, _, most = command.partition(" | head -")
        assert main(shlex.split(words)) == 0
        printed = capsys.readouterr().out.splitlines()[: int(most) if most else None]
        assert printed == textwrap.dedent(output).strip("\n").splitlines()


def test_the_start_page_explains_the_certificate_that_it_shows():
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    low, high = re.search(r"soft margin ([\d.]+) <= optimum <= ([\d.]+) ", text).groups()
    assert f"has a soft margin of {low}. No " in text
    assert f"has a soft margin above {high}." in text


def test_there_are_sessions():
    assert sum(bool(SESSIONS.search(page.read_text(encoding="utf-8"))) for page in PAGES) >= 7


def test_every_page_is_in_a_table_of_contents():
    for folder in ("guide", "tutorials"):
        contents = (ROOT / "docs" / folder / "index.md").read_text(encoding="utf-8").split()
        pages = {page.stem for page in PAGES if page.parent.name == folder} - {"index"}
        assert pages <= set(contents)


def test_the_order_of_the_gallery_names_its_examples():
    source = (ROOT / "docs" / "_make" / "gallery.py").read_text(encoding="utf-8")
    [first] = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    examples = {path.stem.removeprefix("plot_") for path in (ROOT / "examples").glob("plot_*.py")}
    assert set(ast.literal_eval(first.value)) == examples


def test_every_public_class_and_function_has_a_docstring_to_show():
    names = [name for name in frankboost.public.__all__ if not getattr(frankboost, name).__doc__]
    assert names == []
