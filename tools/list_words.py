"""List every text that a user may read, to read them all in one go: python tools/list_words.py [PREFIX].

Three lists: the first sentence of every docstring (`--public`: of public names only), every other text of
two words or more in the code (errors, warnings, pages, plots), and the `--help` of every command.
"""

import argparse
import ast
import contextlib
import io
import re
from functools import partial
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
WORDS = re.compile(r"[A-Za-z`]\S* \S*[A-Za-z`{]")  # two words, of which code has few


def docstrings(tree, public):
    """(line, first sentence) of the docstrings of a module, its classes and functions."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        name = getattr(node, "name", None) or ""  # an except clause may have none
        if public and name.startswith("_"):
            continue
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            first = re.split(r"\n\n|(?<=\.)\s", text)[0]
            yield getattr(node, "lineno", 1), f"{name}: " * bool(name) + " ".join(first.split())


def messages(tree):
    """(line, text) of every other literal that has words, with the code of an f-string in braces."""
    skipped = {id(part) for node in ast.walk(tree) for part in _inner(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in skipped:
            text = node.value if isinstance(node, ast.Constant) else ast.unparse(node)[2:-1]
            if isinstance(text, str) and WORDS.search(text):
                yield node.lineno, " ".join(text.split())


def _inner(node):
    """The literals that belong to a longer one, and docstrings."""
    if isinstance(node, ast.JoinedStr):
        yield from list(ast.walk(node))[1:]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value


def helps():
    """(command, text) for `frankboost` and each of its commands."""
    from frankboost.cli.main import FRANKBOOST, main  # noqa: PLC0415 - the other lists need no installed package

    for words in ([], *([name] for name in FRANKBOOST.commands)):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            main([*words, "--help"])
        yield " ".join(["frankboost", *words, "--help"]), out.getvalue()


def main():
    """Print the lists, each with its length."""
    parser = argparse.ArgumentParser(description="List every text that a user may read.")
    parser.add_argument(
        "prefix", nargs="?", default="", help="such as frankboost/dask (default: all of src/)"
    )
    parser.add_argument("--public", action="store_true", help="leave out names that begin with _")
    args = parser.parse_args()
    names = [str(path.relative_to(SOURCE)) for path in sorted(SOURCE.rglob("*.py"))]
    names = [name for name in names if name.startswith(args.prefix)]
    trees = {name: ast.parse((SOURCE / name).read_text(encoding="utf-8")) for name in names}
    for title, read in {"docstrings": partial(docstrings, public=args.public), "messages": messages}.items():
        lines = [
            f"{name}:{line}: {text}" for name, tree in trees.items() for line, text in sorted(read(tree))
        ]
        print(f"# {len(lines)} {title}", *lines, sep="\n")
    if not args.prefix:
        texts = list(helps())
        print(f"# {len(texts)} help texts", *(f"$ {command}\n{text}" for command, text in texts), sep="\n")


if __name__ == "__main__":
    main()
