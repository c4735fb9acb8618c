"""Parts of docstrings."""

from inspect import cleandoc

from numpydoc.docscrape import NumpyDocString


def prose(doc):
    """The lines of a docstring but for its tables of parameters and attributes; no name before the first."""
    parsed = NumpyDocString(cleandoc(doc))
    summary = list(parsed["Summary"])
    name, colon, rest = summary[0].partition(": ")
    if colon and " " not in name:
        summary[0] = rest[:1].upper() + rest[1:]
    lines = [*summary, "", *parsed["Extended Summary"]]
    if parsed["References"]:
        lines += ["", ".. rubric:: References", ""]
        lines += [f"| {line}" for line in parsed["References"] if line.strip()]
    return [line.replace("docs/theory.md", ":doc:`/theory`") for line in lines]
