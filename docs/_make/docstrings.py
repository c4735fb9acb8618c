"""Docstrings as text for a page."""

import re
from inspect import cleandoc

from numpydoc.docscrape import NumpyDocString

NAME = re.compile(r"^[\w*, ()=-]{1,40}: ")
BACKTICKS = re.compile(r"(`[^`]*`)")
THEORY = re.compile(r"docs/(theory/[\w-]+)\.md")


def prose(doc):
    """The lines of a docstring but for its tables of parameters and attributes; no name before the first."""
    parsed = NumpyDocString(cleandoc(doc))
    [*summary] = parsed["Summary"]
    without = NAME.sub("", summary[0])
    if without != summary[0]:
        summary[0] = without[0].upper() + without[1:]
    lines = [*_marked(summary), "", *_marked(parsed["Extended Summary"])]
    if parsed["References"]:
        lines += ["", ".. rubric:: References", ""]
        lines += [f"| {line}" for line in _marked(parsed["References"]) if line.strip()]
    return [_linked(line) for line in lines]


def link_theory(app, what, name, value, options, lines):
    """Link the pages of the theory that a docstring names, in the signature of Sphinx's event."""
    lines[:] = [_linked(line) for line in lines]


def _marked(lines):
    """Indented blocks are formulas; signs elsewhere mean themselves."""
    formula = False
    for line in lines:
        if line.startswith("    ") and not formula:
            yield from (".. code-block:: text", "")
        formula = line.startswith("    ") or (formula and not line)
        yield line if formula else _escaped(line)


def _linked(line):
    return THEORY.sub(r":doc:`/\1`", line)


def _escaped(line):
    parts = BACKTICKS.split(line)
    return "".join(part if part.startswith("`") else re.sub(r"([|*])", r"\\\1", part) for part in parts)
