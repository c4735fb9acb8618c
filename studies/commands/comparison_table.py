"""The table of a comparison, one row per algorithm, which is rewritten while it runs; and what it says."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from frankboost.certificate import rounded
from frankboost.cli.certificates import WHY
from frankboost.progress import Live
from frankboost.trace import Record
from studies.running.comparison import ComparisonRow

COLUMNS = {
    "algorithm": "<13", "rounds": ">6", "hypotheses": ">10", "support": ">7", "soft margin": ">11",
    "bound": ">8", "gap": ">8", "status": "<11", "oracle s": ">8", "rule s": ">7", "total s": ">7",
    "train error %": ">13",
}  # fmt: skip
LEGEND = (
    "In every row soft margin <= optimum <= bound, where the optimum is the largest soft margin of any "
    "ensemble over the hypothesis class; so this one is at most gap = bound - soft margin short of the best. "
    "A round is one call of the weak learner; hypotheses counts the different ones it found, support those "
    "that the ensemble uses; oracle s and rule s are the seconds in the weak learner and in moving the "
    "weights, total s those of the whole fit; train error is on the same rows."
)
HEURISTIC = "since trees of this depth are searched greedily, which makes the bound a guess"


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


def summary(results: Sequence[ComparisonRow], width: int = 110) -> str:
    """What the columns mean, how many fits are certified, and which are not and why."""
    failed = [result for result in results if not result.certified]
    number = f"{len(results) - len(failed)} of {len(results)}" if failed else f"All {len(results)}"
    text = f"{LEGEND} {number} fits are certified: gap <= tol."
    for reason in dict.fromkeys(map(_reason, failed)):
        text += f" Not certified, {reason}: {_listed(failed, reason)}."
    if any(result.exact for result in failed):
        text += " What the row of a fit that ended early says is true all the same; its gap is just wider."
    return textwrap.fill(text, width, break_on_hyphens=False)


def _reason(result: ComparisonRow) -> str:
    return WHY.get(result.status, result.status) if result.exact else HEURISTIC


def _listed(results: Sequence[ComparisonRow], reason: str) -> str:
    sets: dict[str, list[str]] = {}
    for result in results:
        if _reason(result) == reason:
            sets.setdefault(result.algorithm, []).append(result.dataset)
    return "; ".join(f"{algorithm} on {', '.join(where)}" for algorithm, where in sets.items())
