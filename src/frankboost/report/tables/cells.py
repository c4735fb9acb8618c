"""Cells of the kinds that tables are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from frankboost.experiments.splits import FIFTHS
from frankboost.report.content import Cell
from frankboost.report.numbers import Amount, geometric_mean

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


def word(text: str) -> Cell:
    """A name, sorted as it is."""
    return Cell(text, text)


def integer(value: int, runs: tuple[str, ...] = ()) -> Cell:
    """A count."""
    return Cell(str(value), float(value), runs)


def number(value: Amount | float | None, decimals: int, runs: tuple[str, ...] = (), note: str = "") -> Cell:
    """A number with so many decimals, which may be a limit."""
    if value is None:
        return Cell("-", None, runs, note)
    known = value if isinstance(value, Amount) else Amount(value)
    return Cell(known.text(decimals), known.value, runs, note)


def shape_cells(shape: tuple[int, int] | None) -> tuple[Cell, Cell]:
    """Rows and features."""
    return (NOTHING, NOTHING) if shape is None else (integer(shape[0]), integer(shape[1]))


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


def several(nus: Sequence[float | None]) -> str:
    """Values of nu in turn, or, if they are many, how often each."""
    words = ["-" if nu is None else f"{nu:g}" for nu in nus]
    if len(words) <= FIFTHS:
        return ", ".join(words)
    return ", ".join(f"{times} x {word}" for word, times in sorted(Counter(words).items()))


def joined(notes: Iterable[str]) -> str:
    """Notes as one, without the empty ones."""
    return "; ".join(filter(None, notes))


def some_of(known: int, planned: int, noun: str) -> str:
    """A note that not all are there: "over 3 of 5 sets"."""
    return f"over {known} of {planned} {noun}" if known < planned else ""
