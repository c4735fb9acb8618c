"""The content of a report as plain data: tables of cells, figures of series, titles and captions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

_CAPTIONS = tomllib.loads((files("studies.report") / "captions.toml").read_text(encoding="utf-8"))
SHARED: dict[str, str] = _CAPTIONS.pop("shared")
LEGEND: str = SHARED["legend"].format(**SHARED)


@dataclass(frozen=True)
class Cell:
    """A cell of a table, with the keys of the runs that it was made of.

    Columns are sorted by `value`; None comes last. A note is a remark such as "3 of 5 struck the limit".
    """

    text: str
    value: float | str | None = None
    runs: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class ReportTable:
    """A table: rows of cells, and below them a summary of totals or averages, which is not sorted.

    `name` is the stem of the names of its files.
    """

    name: str
    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    summary: tuple[tuple[Cell, ...], ...] = ()

    @property
    def numeric(self) -> list[bool]:
        """Whether each column holds numbers only."""
        columns = list(zip(*self.lines, strict=True)) or [()] * len(self.columns)
        values = ([cell.value for cell in column if cell.value is not None] for column in columns)
        return [bool(known) and not any(isinstance(value, str) for value in known) for known in values]

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """All rows; the summary is last."""
        return self.rows + self.summary

    def notes(self, row: tuple[Cell, ...]) -> list[str]:
        """The notes of a row, each with the heading of its column."""
        return [f"{name}: {cell.note}" for name, cell in zip(self.columns, row, strict=True) if cell.note]


@dataclass(frozen=True)
class Series:
    """A line of a figure, which is drawn in steps: a value holds until the next one.

    All points are finite, and positive on a logarithmic axis. There is at least one point.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    run: str


@dataclass(frozen=True)
class Figure:
    """A figure with a panel of series for each data set."""

    name: str
    title: str
    caption: str
    x_label: str
    y_label: str
    x_log: bool = False
    y_log: bool = False
    diagonal: bool = False  # whether the line y = x is drawn, to compare with
    panels: Mapping[str, tuple[Series, ...]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """The labels of the lines of all panels."""
        return list(dict.fromkeys(line.label for lines in self.panels.values() for line in lines))


@dataclass(frozen=True)
class Summary:
    """The top of the page: the result in a sentence, its terms, and a figure of one panel."""

    sentence: str
    terms: str
    lead: Figure | None


@dataclass(frozen=True)
class Report:
    """The content of the page.

    `remarks` describe the runs, `legend` explains all tables, and `runs` has the results by key, without
    curves.
    """

    title: str
    byline: str
    summary: Summary | None
    remarks: tuple[str, ...]
    legend: str
    tables: tuple[ReportTable, ...]
    figures: tuple[Figure, ...]
    runs: Mapping[str, Mapping[str, Any]]


def title_and_caption(name: str) -> tuple[str, str]:
    """The title and the caption of a table or a figure."""
    return _CAPTIONS[name]["title"], _CAPTIONS[name]["caption"].format(**SHARED)
