"""Tables of groups of outcomes, and the cells that they are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from studies.report.content import Cell, ReportTable, title_and_caption
from studies.report.numbers import Amount, geometric_mean
from studies.report.results import Outcomes, label

T = TypeVar("T")
Column = Callable[[Outcomes], Cell]

SECONDS = 3  # decimals
RATIO = 2
ERROR = 4

NOTHING = Cell("-")  # the cell of an unknown value
ERROR_OF = "_se"  # the end of the name of a column of standard errors


def pivot(
    name: str,
    groups: Iterable[T],
    columns: Mapping[str, Callable[[T], Cell]],
    summary: Iterable[tuple[Cell, ...]] = (),
) -> ReportTable | None:
    """Make a table with one row per group; `columns` has a function from a group to a cell for each heading.

    There is no table if there are no groups.
    """
    rows = tuple(tuple(cell(group) for cell in columns.values()) for group in groups)
    return ReportTable(name, *title_and_caption(name), tuple(columns), rows, tuple(summary)) if rows else None


def frame_table(
    name: str, corner: str, frame: Any, columns: str | Mapping[str, tuple[str, str]]
) -> ReportTable:
    """Make a table of a data frame.

    `columns` is a format for all columns, or a heading and a format for each column of the table. If a column
    has the name of another column and `ERROR_OF`, it has the standard errors of that column.
    """

    def cell(row: Any, column: str, form: str) -> Cell:
        value, error = row[column], row.get(column + ERROR_OF, math.nan)
        if isinstance(value, str):
            return Cell(value)
        behind = "" if math.isnan(error) else f" ±\N{NO-BREAK SPACE}{error:{form.lstrip('+')}}"
        return NOTHING if math.isnan(value) else Cell(f"{value:{form}}{behind}")

    known = {each: (each, columns) for each in frame} if isinstance(columns, str) else columns
    rows = tuple(
        (Cell(str(index)), *(cell(row, column, form) for column, (_, form) in known.items()))
        for index, row in frame.iterrows()
    )
    headings = (heading for heading, _ in known.values())
    return ReportTable(name, *title_and_caption(name), (corner, *headings), rows)


def where(cell: Column, **settings: Any) -> Column:
    """A column of the outcomes of a group that have these settings; without such outcomes its cell is
    empty."""

    def column(group: Outcomes) -> Cell:
        chosen = group.where(**settings)
        return cell(chosen) if chosen else NOTHING

    return column


def word(text: str | None) -> Cell:
    """A cell with a word, by which it is sorted."""
    return NOTHING if text is None else Cell(text, text)


def number(
    value: Amount | float | None,
    decimals: int = 0,
    runs: tuple[str, ...] = (),
    note: str = "",
    sign: Literal["", "+"] = "",
) -> Cell:
    """A cell with a number, or with a limit of a number."""
    if value is None:
        return Cell("-", None, runs, note)
    if not isinstance(value, Amount):
        return Cell(f"{value:{sign}.{decimals}f}", float(value), runs, note)
    return Cell(value.text(decimals), value.value, runs, note)


NAME: dict[str, Column] = {"set": lambda same: word(same[0].trial.set_name)}
SET: dict[str, Column] = {
    **NAME,
    "m": lambda same: number(same.shape and same.shape[0]),
    "n": lambda same: number(same.shape and same.shape[1]),
}
ALGORITHM: dict[str, Column] = {"algorithm": lambda same: word(label(same[0].trial.algorithm))}


def average_ratio(ratios: Sequence[Amount | None]) -> Cell:
    """A cell with the geometric mean of the known ratios.

    If some ratios are lower limits and others upper limits, it is the mean of the ratios without a limit.
    """
    known = [ratio for ratio in ratios if ratio is not None]
    average = geometric_mean(known)
    how = ""
    if average is None:
        known = [ratio for ratio in known if ratio.sense == ""]
        average = geometric_mean(known)
        how = ", those without a limit"
    note = f"over {len(known)} of {len(ratios)} sets{how}" if 0 < len(known) < len(ratios) else ""
    return number(average, RATIO, note=note)


def join_notes(notes: Iterable[str]) -> str:
    """Join notes that are not empty."""
    return "; ".join(filter(None, notes))


def coverage_note(known: int, planned: int, noun: str) -> str:
    """A note if some of the planned outcomes are missing, as in "over 3 of 5 sets"; empty otherwise."""
    return f"over {known} of {planned} {noun}" if known < planned else ""
