"""The table of a comparison: one row per algorithm, which is rewritten while it runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from frankboost.certificate import rounded
from frankboost.experiments.comparison import ComparisonRow
from frankboost.progress import Live
from frankboost.trace import Record

COLUMNS = {
    "algorithm": "<9", "rounds": ">6", "hypotheses": ">10", "support": ">7", "soft margin": ">11",
    "bound": ">8", "gap": ">8", "status": "<11", "oracle s": ">8", "rule s": ">7", "total s": ">7",
    "train error %": ">13",
}  # fmt: skip


class RunningRow:
    """A callback that keeps the row of a running algorithm up to date."""

    def __init__(self, algorithm: str, live: Live) -> None:
        self._algorithm, self._live = algorithm, live
        self._oracle = self._rule = 0.0
        live.hurry()

    def __call__(self, record: Record) -> None:
        """Take a round into account."""
        self._oracle += record.oracle_seconds
        self._rule += record.rule_seconds
        seconds = self._oracle, self._rule, record.seconds
        self._live.show(lambda: row([self._algorithm, *_cells(record.round, record, "running", seconds), ""]))


def finished_row(result: ComparisonRow) -> str:
    """The row of an algorithm that has ended."""
    seconds = result.oracle_seconds, result.rule_seconds, result.seconds
    error = f"{100 * result.training_error:.1f}"
    return row([result.algorithm, *_cells(result.rounds, result, result.status, seconds), error])


def row(cells: Sequence[str]) -> str:
    """Cells under their titles."""
    return " ".join(f"{cell:{form}}" for cell, form in zip(cells, COLUMNS.values(), strict=True)).rstrip()


def _cells(rounds: int, at: Record | ComparisonRow, status: str, seconds: Sequence[float]) -> list[str]:
    low, high = rounded(at.soft_margin, math.floor), rounded(at.bound, math.ceil)
    counts, gap = (rounds, at.hypotheses, at.support), rounded(at.bound - at.soft_margin, math.ceil)
    return [*map(str, counts), low, high, gap, status, *(f"{value:.2f}" for value in seconds)]
