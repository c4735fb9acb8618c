"""A room on a device, and its weak learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from joblib import effective_n_jobs

from frankboost.arrays import here, memory_for
from frankboost.cuda.part import CudaPart
from frankboost.cuda.rows import DeviceRows
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.rows import Rows
from frankboost.learners.tree_class import TreeClass
from frankboost.rooms.local import Examples
from frankboost.rooms.parts import PartsHere
from frankboost.rooms.parts_room import PartsRoom
from frankboost.rooms.parts_search import PartsTrees
from frankboost.typing import Floats


class OnDevice(PartsHere):
    """The one part on the device."""

    def ask(self, question: str, *args: Any, **each: Sequence[Any]) -> list[Any]:
        """Its answer; where memory runs out, an error that says how much there is."""
        with memory_for(self.rows):
            return super().ask(question, *args, **each)


def checked_learner(learner: WeakLearner) -> BestTree:
    """The weak learner, if it can be had on a device."""
    if not isinstance(learner, BestTree):
        raise ValueError(f'estimator must be None or a BestTree with device="cuda"; got {learner!r}')
    if learner.max_depth > 2:
        raise ValueError(f'max_depth must be 1 or 2 with device="cuda"; got {learner.max_depth!r}')
    if learner.max_bins is None:
        raise ValueError('max_bins must be at most 255 with device="cuda"; got None')
    return learner


def device_rows(learner: WeakLearner, X: Floats | Rows) -> Any:
    """Rows copied to the device once; those of a sparse matrix stay, and only their bins go there."""
    checked_learner(learner)
    return X if isinstance(X, Rows) else DeviceRows(X)


def cuda_room(
    learner: WeakLearner, examples: Examples, y: Floats, *, nu: float, tol: float
) -> tuple[PartsRoom, PartsTrees]:
    """The rows on the current device, and the search over them."""
    learner = checked_learner(learner)
    weight, error = examples.sample_weight, examples.weight_error
    threads = effective_n_jobs(learner.n_jobs)
    with memory_for(len(y)):
        features = BinnedFeatures.from_rows(
            examples.X, weight, learner.max_bins, learner.categorical, learner.thresholds
        )
        part = CudaPart(features, y, weight, members=examples.members, weight_error=error, threads=threads)
    parts = OnDevice([part], len(y), in_one_place=True)
    trees = TreeClass(learner.max_depth, features.thresholds, features.categories, features.all_thresholds)
    first = replace(features, codes=here(features.codes[:, :1]).copy())
    search = PartsTrees(trees, first, parts, columns=learner.columns_per_round or 1, threads=threads)
    return PartsRoom(parts, search, nu=nu, tol=tol, threads=threads, weight_error=error), search
