"""What a report holds, as plain data: tables of cells, figures of series, and their titles and captions."""

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
    """One place of a table, as shown, and the keys of the runs that it was made of.

    The column is sorted by `value`; None comes last. The note may be "3 of 5 struck the limit".
    """

    text: str
    value: float | str | None = None
    runs: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class ReportTable:
    """Rows of cells under headings, and below them rows of totals or averages that are not sorted with them.

    `name` is the stem of its files.
    """

    name: str
    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    summary: tuple[tuple[Cell, ...], ...] = ()

    @property
    def numeric(self) -> list[bool]:
        """Which columns hold numbers, and no words."""
        columns = list(zip(*self.lines, strict=True)) or [()] * len(self.columns)
        values = ([cell.value for cell in column if cell.value is not None] for column in columns)
        return [bool(known) and not any(isinstance(value, str) for value in known) for known in values]

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """All rows, the summary last."""
        return self.rows + self.summary

    def notes(self, row: tuple[Cell, ...]) -> list[str]:
        """The notes of a row, each behind its heading."""
        return [f"{name}: {cell.note}" for name, cell in zip(self.columns, row, strict=True) if cell.note]


@dataclass(frozen=True)
class Series:
    """One line of a figure, drawn in steps: a value holds until the next one.

    There are points, all of them finite, and positive where the figure has a logarithmic axis.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    run: str


@dataclass(frozen=True)
class Figure:
    """A panel of series for each data set."""

    name: str
    title: str
    caption: str
    x_label: str
    y_label: str
    x_log: bool = False
    y_log: bool = False
    diagonal: bool = False  # a dotted y = x to compare with
    panels: Mapping[str, tuple[Series, ...]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """Those of the lines of all panels."""
        return list(dict.fromkeys(line.label for lines in self.panels.values() for line in lines))


@dataclass(frozen=True)
class Summary:
    """The first screen: what was found, on what terms, and a figure of one panel."""

    sentence: str
    terms: str
    lead: Figure | None


@dataclass(frozen=True)
class Report:
    """Everything on the page; `runs` are the lines of results by key, without their curves.

    `remarks` say what was run and how, `legend` is what all tables have in common.
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
    """Those of a table or a figure."""
    return _CAPTIONS[name]["title"], _CAPTIONS[name]["caption"].format(**SHARED)
