r"""Tables in LaTeX, for documents that have \usepackage{booktabs}."""

from __future__ import annotations

import re

from frankboost.report.content import Cell, ReportTable

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    '"': "''",
    **{character: "\\" + character for character in "&%$#_{}"},
}


def latex(table: ReportTable) -> str:
    r"""A whole tabular, to be read by \input inside a table; title, caption and notes are comments in it."""
    columns = list(zip(*table.lines, strict=True)) or [()] * len(table.columns)
    lines = [
        *_comment(table.title),
        *_comment(table.caption),
        rf"\begin{{tabular}}{{{''.join('r' if _numeric(column) else 'l' for column in columns)}}}",
        r"\toprule",
        _row(table.columns),
        r"\midrule",
        *(_row([cell.text for cell in row]) for row in table.rows),
        *([r"\midrule"] if table.summary else []),
        *(_row([cell.text for cell in row]) for row in table.summary),
        r"\bottomrule",
        r"\end{tabular}",
        *(line for row in table.lines for line in _notes(table.columns, row)),
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Text that LaTeX sets as it is, in one line; numbers with a sign and powers in mathematics.

    Examples
    --------
    >>> print(escaped("R&D_1 >10^4"), escaped("-0.5"))
    R\&D\_1 $>10^{4}$ $-0.5$
    """
    text = " ".join(text.split())
    if re.fullmatch(r"[+-]\d[\d.]*", text):
        return f"${text}$"
    pieces = re.split(r"([<>]?\b10\^\d+)", text)
    return "".join(_power(piece) if k % 2 else _plain(piece) for k, piece in enumerate(pieces))


def _power(text: str) -> str:
    base, _, exponent = text.partition("^")
    return f"${base}^{{{exponent}}}$"


def _plain(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)


def _row(texts: tuple[str, ...] | list[str]) -> str:
    # A line that begins with [ or * would be taken for an argument of the \\ before it.
    return (
        " & ".join(f"{{{escaped(text)}}}" if text.startswith(("[", "*")) else escaped(text) for text in texts)
        + r" \\"
    )


def _numeric(column: tuple[Cell, ...]) -> bool:
    return any(isinstance(cell.value, float | int) for cell in column) and not any(
        isinstance(cell.value, str) for cell in column
    )


def _notes(columns: tuple[str, ...], row: tuple[Cell, ...]) -> list[str]:
    return [
        line
        for name, cell in zip(columns, row, strict=True)
        if cell.note
        for line in _comment(f"{row[0].text}, {name}: {cell.note}")
    ]


def _comment(text: str) -> list[str]:
    return [f"% {line}" for line in text.splitlines()]
