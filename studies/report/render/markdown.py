"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from studies.report.content import ReportTable


def markdown(table: ReportTable | None) -> str:
    """The title and the caption, and below them the texts of the cells; nothing of no table."""
    if table is None:
        return ""
    cells = [[cell.text for cell in row] for row in table.lines]
    lines = [table.columns, ["---"] * len(table.columns), *cells]
    return f"{table.title}. {table.caption}\n\n" + "\n".join(map(_row, lines))


def _row(texts: Iterable[str]) -> str:
    return "| " + " | ".join(text.replace("|", r"\|") for text in texts) + " |"
