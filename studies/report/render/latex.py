r"""Tables in LaTeX, for documents that have \usepackage{booktabs}."""

from __future__ import annotations

import re
from collections.abc import Iterable

from studies.report.content import ReportTable

SPECIAL = str.maketrans({
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    '"': "''",
    **{character: "\\" + character for character in "&%$#_{}"},
})  # fmt: skip


def latex(table: ReportTable) -> str:
    r"""A whole tabular, to be read by \input inside a table; title, caption and notes are comments in it."""
    notes = (f"{row[0].text}, {note}" for row in table.lines for note in table.notes(row))
    lines = [
        *_comments(table.title, table.caption),
        rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in table.numeric)}}}",
        r"\toprule",
        _row(table.columns),
        r"\midrule",
        *(_row(cell.text for cell in row) for row in table.rows),
        *([r"\midrule"] if table.summary else []),
        *(_row(cell.text for cell in row) for row in table.summary),
        r"\bottomrule",
        r"\end{tabular}",
        *_comments(*notes),
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Text that LaTeX sets as it is, in one line; numbers with a sign and powers in mathematics.

    Examples
    --------
    >>> print(escaped("R&D_1"), escaped(">10^4"), escaped("-0.5"))
    R\&D\_1 $>10^{4}$ $-0.5$
    """
    text = " ".join(text.split())
    if re.fullmatch(r"[+-]\d[\d.]*|[<>]?10\^\d+", text):
        return "$" + re.sub(r"\^(\d+)", r"^{\1}", text) + "$"
    return text.translate(SPECIAL)


def _row(texts: Iterable[str]) -> str:
    return " & ".join(map(escaped, texts)) + r" \\"


def _comments(*texts: str) -> list[str]:
    return [f"% {line}" for text in texts for line in text.splitlines()]
