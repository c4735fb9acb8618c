"""Tables and figures as comma-separated values."""

from __future__ import annotations

import csv as csv_format
import io
from collections.abc import Iterable, Sequence

from studies.report.content import Figure, ReportTable


def csv(table: ReportTable) -> str:
    """The texts of the cells under their headings; a last column has the notes, if there are any."""
    texts = [[*(cell.text for cell in row), "; ".join(table.notes(row))] for row in table.lines]
    noted = any(notes for *_, notes in texts)
    return _written(line if noted else line[:-1] for line in [[*table.columns, "notes"], *texts])


def figure_csv(figure: Figure) -> str:
    """One row per point: set, series, run, x, y."""
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
