"""What an algorithm is set to solve, and the problems that come with the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from frankboost import datasets
from frankboost.datasets import Dataset
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.worst_case import WorstCase
from frankboost.plugins import blaming, made_by_plugin, plugin_names

Bins = int | Literal["all"]
Stopping = Literal["gap", "paper"]
"""bound - soft margin <= tol, or the paper's own test, bound - smoothed soft margin <= tol/2."""

TOL = 0.01
TREE = "tree"
WORST_CASE = "worst-case"
WORST_CASE_ROWS = 64

DRAWN = {"twonorm": datasets.twonorm, "ringnorm": datasets.ringnorm, "waveform": datasets.waveform}
# Sets that need no file, by their rows. Ringnorm is the hardest, hence the fewest.
SMALL_SETS = (("wisconsin", 569), ("twonorm", 200), ("ringnorm", 150), ("waveform", 300))


@dataclass(frozen=True, eq=False)
class Problem:
    """Find the ensemble of largest soft margin for a data set, over the class of a weak learner.

    `nu` is the fraction of the rows that may fall short, `tol` the gap at which to stop, `learner_name` what
    the learner is called if another package adds it.
    """

    dataset: Dataset
    nu: float
    learner: WeakLearner
    tol: float = TOL
    learner_name: str = TREE

    def hypothesis_class(self) -> str:
        """The class that the optimum refers to."""
        X, y = self.dataset.X, self.dataset.y.astype(np.float64)
        with blaming(("learners", self.learner_name)):
            return str(self.learner.prepare(X, y, np.ones(len(y))).hypothesis_class)


def tree_learner(max_depth: int, max_bins: Bins) -> BestTree:
    """The best tree; "all" is every threshold between two distinct values."""
    return BestTree(max_depth, None if max_bins == "all" else max_bins)


def learner_names() -> list[str]:
    """Trees, and the weak learners that other packages add by entry points of `frankboost.learners`."""
    return list(dict.fromkeys([TREE, *plugin_names("learners")]))


def plugin_learner(name: str) -> WeakLearner:
    """The weak learner of another package; a `PluginError` if it does not work."""
    learner: WeakLearner = made_by_plugin("learners", name, lambda make: make(), "prepare")
    return learner


def made_set(name: str, rows: int, seed: int = 0) -> Dataset:
    """A data set that needs no file: drawn at random, the first rows of wisconsin, or the worst case."""
    if name == WORST_CASE:
        return datasets.worst_case(rows)
    if name in DRAWN:
        return DRAWN[name](rows, seed)
    data = datasets.breast_cancer()
    return replace(data, X=data.X[:rows], y=data.y[:rows])


def embedded_problems(
    nu: float | None = None, tol: float = TOL, max_depth: int = 2, max_bins: Bins | None = None
) -> Iterator[Problem]:
    """Four data sets and LPBoost's worst case, small enough for a minute; None chooses for each.

    The worst case is about the hard margin over a class of its own: `tol` alone has a say there.
    """
    for name, rows in SMALL_SETS:
        # At nu = 0.3 the best ensemble for wisconsin is a single tree, so it gets a smaller nu, and coarser
        # thresholds to pay for it.
        usual_nu, usual_bins = (0.1, 15) if name == "wisconsin" else (0.3, 31)
        learner = tree_learner(max_depth, max_bins or usual_bins)
        yield Problem(made_set(name, rows), nu or usual_nu, learner, tol)
    yield Problem(made_set(WORST_CASE, WORST_CASE_ROWS), 1.0 / WORST_CASE_ROWS, WorstCase(), tol)
