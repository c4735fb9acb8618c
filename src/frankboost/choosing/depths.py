"""The depths that a default tries: trees of depth 1 alone where deeper ones would take too long to find."""

from __future__ import annotations

from collections.abc import Sequence

from frankboost.choosing.constants import LONGEST_SEARCH
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree

PER_PAIR, PER_ROW = 1e-6, 0.8e-9  # seconds, of two columns of numbers; measured on one core at 2.5 GHz
PER_PAIR_OF_TWO, PER_ROW_OF_TWO = 1e-7, 0.05e-9  # of two columns of two values each


def affordable(depths: Sequence[int], learner: WeakLearner, rows: int) -> Sequence[int]:
    """The depths, or depth 1 alone where the search of all pairs of columns takes too long."""
    return depths if max(depths) == 1 or seconds_of_pairs(learner, rows) <= LONGEST_SEARCH else [1]


def seconds_of_pairs(learner: WeakLearner, rows: int) -> float:
    """About how long one search of all pairs of columns takes on one thread; `learner` is `fixed`."""
    if not isinstance(learner, BestTree) or learner.thresholds is None:
        return 0.0
    counts = [len(each) for each in learner.thresholds]
    two = sum(count == 1 for f, count in enumerate(counts) if f not in learner.categorical)
    constant = sum(count == 0 for f, count in enumerate(counts) if f not in learner.categorical)
    split = len(counts) - constant
    of_two, others = two**2 / 2.0, (split**2 - two**2) / 2.0
    return others * (PER_PAIR + PER_ROW * rows) + of_two * (PER_PAIR_OF_TWO + PER_ROW_OF_TWO * rows)
