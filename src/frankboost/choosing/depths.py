"""The depths among which a fit chooses."""

from __future__ import annotations

from collections.abc import Sequence

from frankboost.choosing.constants import MAX_PAIR_SEARCH_SECONDS
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree

Depth = int | None
"""The depth of a tree; None if the weak learner has no depth, or a depth of its own."""

# Seconds of a search for a pair of columns, and for each row of it, measured on one core at 2.5 GHz.
PER_PAIR, PER_ROW = 1e-6, 0.8e-9
PER_BINARY_PAIR, PER_BINARY_ROW = 1e-7, 0.05e-9  # if each of the two columns has two values


def depths_to_try(
    given: Sequence[Depth] | None, default: Sequence[int], learner: WeakLearner, rows: int
) -> Sequence[Depth]:
    """The depths that were given, or else the default depths.

    Depth 1 alone replaces the default depths if a search of all pairs of columns takes too long.
    """
    if given is not None:
        return given
    is_short = max(default) == 1 or pair_search_seconds(learner, rows) <= MAX_PAIR_SEARCH_SECONDS
    return default if is_short else [1]


def pair_search_seconds(learner: WeakLearner, rows: int) -> float:
    """Estimate how long one search of all pairs of columns takes on one thread.

    The estimate is 0 unless `learner` is a `BestTree` with thresholds.
    """
    if not isinstance(learner, BestTree) or learner.thresholds is None:
        return 0.0
    counts = [len(each) for each in learner.thresholds]
    binary = sum(count == 1 for f, count in enumerate(counts) if f not in learner.categorical)
    constant = sum(count == 0 for f, count in enumerate(counts) if f not in learner.categorical)
    split = len(counts) - constant
    binary_pairs, other_pairs = binary**2 / 2.0, (split**2 - binary**2) / 2.0
    return other_pairs * (PER_PAIR + PER_ROW * rows) + binary_pairs * (
        PER_BINARY_PAIR + PER_BINARY_ROW * rows
    )
