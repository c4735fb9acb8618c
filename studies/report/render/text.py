"""Tables and figures as comma-separated values; tables in Markdown and for a terminal."""

from __future__ import annotations

import csv as csv_format
import io
from collections.abc import Iterable, Sequence

from studies.report.content import Figure, ReportTable


def csv(table: ReportTable) -> str:
    """A table as comma-separated values; the last column has the notes, if there are any."""
    texts = [[*(cell.text for cell in row), "; ".join(table.notes(row))] for row in table.lines]
    noted = any(notes for *_, notes in texts)
    return _written(line if noted else line[:-1] for line in [[*table.columns, "notes"], *texts])


def figure_csv(figure: Figure) -> str:
    """A figure as comma-separated values, with one row per point: set, series, run, x, y."""
    points = (
        (name, line.label, line.run, repr(x), repr(y))
        for name, lines in figure.panels.items()
        for line in lines
        for x, y in zip(line.x, line.y, strict=True)
    )
    return _written([("set", "series", "run", figure.x_label, figure.y_label), *points])


def _written(rows: Iterable[Sequence[str]]) -> str:
    file = io.StringIO()
    csv_format.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def page(notes: Iterable[str], *parts: ReportTable | str | None) -> str:
    """A page in Markdown: notes, and below them tables and other texts."""
    texts = (part if isinstance(part, str) else markdown(part) for part in parts)
    return "\n\n".join(filter(None, ["\n".join(f"* {note}" for note in notes), *texts])) + "\n"


def markdown(table: ReportTable | None) -> str:
    """A table in Markdown, below its title and its caption; empty if there is no table."""
    if table is None:
        return ""
    cells = [[cell.text for cell in row] for row in table.lines]
    lines = [table.columns, ["---"] * len(table.columns), *cells]
    return f"{table.title}. {table.caption}\n\n" + "\n".join(map(_row, lines))


def _row(texts: Iterable[str]) -> str:
    return "| " + " | ".join(text.replace("|", r"\|") for text in texts) + " |"


def plain(table: ReportTable) -> str:
    """A table for a terminal, and below it the notes."""
    lines = [table.columns, *([cell.text for cell in row] for row in table.lines)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    signs = [">" if right else "<" for right in table.numeric]
    shown = [" ".join(map("{:{}{}}".format, line, signs, widths)).rstrip() for line in lines]
    notes = [f"{row[0].text}, {note}" for row in table.lines for note in table.notes(row)]
    return "\n".join([*shown, *notes])
