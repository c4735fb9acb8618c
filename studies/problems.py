"""What an algorithm is set to solve: weak learners by name, and data sets that need no file."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from frankboost import datasets
from frankboost.datasets import Dataset
from frankboost.learners.base import WeakLearner
from frankboost.plugins import made_by_plugin, plugin_names

Stopping = Literal["gap", "paper"]
"""bound - soft margin <= tol, or the paper's own test, bound - smoothed soft margin <= tol/2."""

TOL = 0.01
TREE = "tree"
WORST_CASE = "worst-case"

DRAWN = {"twonorm": datasets.twonorm, "ringnorm": datasets.ringnorm, "waveform": datasets.waveform}
# Sets that need no file, by their rows. Ringnorm is the hardest, hence the fewest.
SMALL_SETS = (("wisconsin", 569), ("twonorm", 200), ("ringnorm", 150), ("waveform", 300))


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
