"""Tables from groups of outcomes, and cells of the kinds that they are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeVar, Unpack

from frankboost.report.content import Cell, ReportTable
from frankboost.report.numbers import Amount, geometric_mean
from frankboost.report.results import Outcomes, Settings, label

T = TypeVar("T")

SECONDS = 3  # decimals
RATIO = 2
ERROR = 4

PER_ROUND = (
    "LevelBoost takes up to 20 trees a round, and where all thresholds are in the class it first searches "
    "255 a feature (a draft, on 1000 rows or more with many distinct values); the others take one tree a "
    "round, as in the paper."
)
CHOICE = (
    "For every algorithm nu is chosen by LevelBoost's folds, unless the table of cross-validation has its "
    "own."
)
ABBREVIATIONS = (
    "LevelBoost is this library's default. LPB is LPBoost, ERLPB is ERLPBoost; MLPB (SS) and MLPB "
    "(PFW) are MLPBoost with short-step and pairwise Frank-Wolfe and LPBoost's rule as the secondary one, "
    "and (SS only), which is C-ERLPBoost, and (PFW only) do without it. "
) + PER_ROUND

NOTHING = Cell("-")  # where nothing can be said


def pivot(
    name: str,
    title: str,
    caption: str,
    groups: Iterable[T],
    columns: Mapping[str, Callable[[T], Cell]],
    *,
    summary: Iterable[tuple[Cell, ...]] = (),
) -> ReportTable | None:
    """One row per group, one column per function of a group; no table if there are no groups."""
    rows = tuple(tuple(cell(group) for cell in columns.values()) for group in groups)
    return ReportTable(name, title, caption, tuple(columns), rows, tuple(summary)) if rows else None


def where(cell: Callable[[Outcomes], Cell], **settings: Unpack[Settings]) -> Callable[[Outcomes], Cell]:
    """A column: the cell of those outcomes of a group that have these settings, or nothing without any."""

    def column(group: Outcomes) -> Cell:
        chosen = group.where(**settings)
        return cell(chosen) if chosen else NOTHING

    return column


def word(text: str | None) -> Cell:
    """A name, sorted as it is."""
    return NOTHING if text is None else Cell(text, text)


def number(
    value: Amount | float | None,
    decimals: int = 0,
    runs: tuple[str, ...] = (),
    note: str = "",
    sign: Literal["", "+"] = "",
) -> Cell:
    """A number with so many decimals, which may be a limit."""
    if value is None:
        return Cell("-", None, runs, note)
    if not isinstance(value, Amount):
        return Cell(f"{value:{sign}.{decimals}f}", float(value), runs, note)
    return Cell(value.text(decimals), value.value, runs, note)


def algorithm(outcomes: Outcomes) -> Cell:
    """A column: the name of an algorithm."""
    return word(label(outcomes[0].trial.algorithm))


# Columns: the name of a data set, its rows and its features.
SET: dict[str, Callable[[Outcomes], Cell]] = {
    "set": lambda same: word(same[0].trial.set_name),
    "m": lambda same: number(same.shape and same.shape[0]),
    "n": lambda same: number(same.shape and same.shape[1]),
}


def average_ratio(ratios: Sequence[Amount | None]) -> Cell:
    """The geometric mean of what is known; of the exact ones, if there are limits on both sides."""
    known = [ratio for ratio in ratios if ratio is not None]
    average = geometric_mean(known)
    how = ""
    if average is None:
        known = [ratio for ratio in known if ratio.sense == ""]
        average = geometric_mean(known)
        how = ", those without a limit"
    note = f"over {len(known)} of {len(ratios)} sets{how}" if 0 < len(known) < len(ratios) else ""
    return number(average, RATIO, note=note)


def joined(notes: Iterable[str]) -> str:
    """Notes as one, without the empty ones."""
    return "; ".join(filter(None, notes))


def some_of(known: int, planned: int, noun: str) -> str:
    """A note that not all are there: "over 3 of 5 sets"."""
    return f"over {known} of {planned} {noun}" if known < planned else ""
