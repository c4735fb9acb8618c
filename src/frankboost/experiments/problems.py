"""What an algorithm is set to solve, and the problems that come with the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from frankboost.datasets import (
    Dataset,
    breast_cancer,
    ringnorm,
    twonorm,
    waveform,
    worst_case,
)
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.worst_case import WorstCase

Bins = int | Literal["all"]

TOL = 0.01
SEED = 0
WORST_CASE_ROWS = 64


@dataclass(frozen=True, eq=False)
class Problem:
    """Find the ensemble of largest soft margin for a data set, over the class of a weak learner.

    `nu` is the fraction of the rows that may fall short, `tol` the gap at which to stop.
    """

    dataset: Dataset
    nu: float
    learner: WeakLearner
    tol: float = TOL

    def hypothesis_class(self) -> str:
        """The class that the optimum refers to."""
        X, y = self.dataset.X, self.dataset.y.astype(np.float64)
        return str(self.learner.prepare(X, y, np.ones(len(y))).hypothesis_class)


def tree_learner(max_depth: int, max_bins: Bins) -> BestTree:
    """The best tree; "all" is every threshold between two distinct values."""
    return BestTree(max_depth, None if max_bins == "all" else max_bins)


def embedded_problems(
    nu: float | None = None, tol: float = TOL, max_depth: int = 2, max_bins: Bins | None = None
) -> Iterator[Problem]:
    """Four data sets and LPBoost's worst case, small enough for a minute; None chooses for each.

    The worst case is about the hard margin over a class of its own: `tol` alone has a say there.
    """
    # At nu = 0.3 the best ensemble for wisconsin is a single tree, so it gets a smaller nu, and coarser
    # thresholds to pay for it. Ringnorm is the hardest, hence the fewest rows.
    chosen = [
        (breast_cancer(), 0.1, 15),
        (twonorm(200, SEED), 0.3, 31),
        (ringnorm(150, SEED), 0.3, 31),
        (waveform(300, SEED), 0.3, 31),
    ]
    for dataset, usual_nu, usual_bins in chosen:
        learner = tree_learner(max_depth, usual_bins if max_bins is None else max_bins)
        yield Problem(dataset, usual_nu if nu is None else nu, learner, tol)
    yield Problem(worst_case(WORST_CASE_ROWS), 1.0 / WORST_CASE_ROWS, WorstCase(), tol)
