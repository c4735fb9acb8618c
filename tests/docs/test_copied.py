"""What the copy button takes from a `>>>` block can be pasted into an interpreter."""

import re
from codeop import compile_command
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)>>> .*\n(?:\1.+\n)*", re.MULTILINE)  # up to an empty line
PROMPT = re.compile(r"^ *(?:>>> |\.\.\. ?)(.*)$", re.MULTILINE)
FILES = [
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    if BLOCK.search(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_block_can_be_pasted_into_an_interpreter(path):
    """A `for`, `with` or `try` ends with an empty line; without one, the interpreter waits for more of it."""
    for block in BLOCK.finditer(path.read_text(encoding="utf-8")):
        assert unfinished(PROMPT.findall(block[0])) == []


def test_there_are_blocks():
    assert {"README.md", "understand.md", "classifiers.py"} & {path.name for path in FILES}
    assert len(FILES) > 20


def unfinished(lines):
    """The lines that an interpreter still holds after it has read them all."""
    held = []
    for line in lines:
        held.append(line)
        if compile_command("\n".join(held)) is not None:
            held = []
    return held
