"""Functions, modules and folders of the library stay small, as the house rules of CONTRIBUTING.md say."""

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "frankboost"
TEXTS = {file: file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py")}


def functions():
    """Each function, with the number of its lines without the docstring."""
    for file, text in TEXTS.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                told = node.body[0] if ast.get_docstring(node) is not None else None
                lines = node.end_lineno - node.lineno + 1
                yield f"{file}:{node.name}", lines - (told.end_lineno - told.lineno + 1 if told else 0)


def test_functions_are_short():
    lines = dict(functions())
    assert len(lines) > 1000
    assert {name: count for name, count in lines.items() if count > 40} == {}


def test_few_modules_are_long():
    long = [file.name for file, text in TEXTS.items() if text.count("\n") > 250]
    assert len(long) <= 4, long


def test_folders_have_few_modules():
    counts = Counter(file.parent for file in TEXTS)
    assert {folder.name: count for folder, count in counts.items() if count > 20} == {}
