"""A room whose rows are on a device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from frankboost.arrays import here, memory_for
from frankboost.cuda.part import CudaPart, JointCudaPart
from frankboost.cuda.rows import DeviceRows
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.rows import Rows
from frankboost.learners.tree_class import DEEPEST
from frankboost.rooms.base import Search
from frankboost.rooms.host_part import Examples
from frankboost.rooms.joint_search import JointSearch
from frankboost.rooms.margins import JointMargins
from frankboost.rooms.questions import Answers, AnyAsked, PartsHere
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeTables
from frankboost.threads import threads_for
from frankboost.typing import Floats


class OnDevice(PartsHere):
    """The only part of the room, which is on the device."""

    def answers(self, *asked: AnyAsked) -> Answers:
        """The answers of the part; if memory runs out, the error says how much the device has."""
        with memory_for(self.rows):
            return super().answers(*asked)


def checked_learner(learner: WeakLearner) -> BestTree:
    """Check that a device supports the weak learner, and return it."""
    if not isinstance(learner, BestTree):
        raise ValueError(f'estimator must be None or a BestTree with device="cuda"; got {learner!r}')
    if learner.max_depth > DEEPEST:
        raise ValueError(f'max_depth must be 1 or 2 with device="cuda"; got {learner.max_depth!r}')
    if learner.max_bins is None:
        raise ValueError('max_bins must be at most 255 with device="cuda"; got None')
    return learner


def device_rows(learner: WeakLearner, X: Floats | Rows) -> Any:
    """Copy rows to the device; a sparse matrix stays where it is, as only its bins are copied later."""
    checked_learner(learner)
    return X if isinstance(X, Rows) else DeviceRows(X)


def cuda_room(learner: WeakLearner, examples: Examples, *, nu: float, tol: float) -> Room:
    """The room of rows on the current device, with the search of a `BestTree`."""
    learner = checked_learner(learner)
    threads, margins = threads_for(learner.n_jobs), examples.margins
    kind = JointCudaPart if isinstance(margins, JointMargins) else CudaPart
    with memory_for(len(examples.sample_weight)):
        trees, features = learner.binned(examples.X, examples.sample_weight)
        parts = OnDevice([kind(replace(examples, X=features), threads=threads)])
    first = replace(features, codes=here(features.codes[:, :1]).copy())
    columns = learner.columns_per_round or 1
    search: Search = TreeTables(trees, first, parts, columns=columns, threads=threads)
    if isinstance(margins, JointMargins):
        search = JointSearch(search, parts, margins.classes)
    return Room(parts, search, nu=nu, tol=tol, threads=threads, weight_error=examples.weight_error)
