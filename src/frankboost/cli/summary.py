"""What the tables of a comparison say, in a paragraph."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from frankboost.experiments.comparison import ComparisonRow

LEGEND = (
    "In every row soft margin <= optimum <= bound, where the optimum is the largest soft margin of any "
    "ensemble over the hypothesis class; so this one is at most gap = bound - soft margin short of the best. "
    "A round is one call of the weak learner; hypotheses counts the different ones it found, support those "
    "that the ensemble uses; oracle s and rule s are the seconds in the weak learner and in moving the "
    "weights, total s those of the whole fit; train error is on the same rows."
)
HEURISTIC = "since trees of this depth are searched greedily, which makes the bound a guess"
WHY = {
    "time_limit": "stopped by the time limit",
    "max_iter": "out of rounds",
    "interrupted": "interrupted",
}


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
