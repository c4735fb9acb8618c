"""A fit on a cluster: the same loop as on one machine, in a room whose rows are on the workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
from distributed import Client

from frankboost.choosing.sample import Sample
from frankboost.dask.ingestion import DistributedRows
from frankboost.dask.parts import DaskParts
from frankboost.dask.problems import DistributedProblems
from frankboost.estimators.algorithm_parameters import AUTO
from frankboost.estimators.base import SoftMarginBooster
from frankboost.fitting.run import Settings
from frankboost.fitting.training import Training
from frankboost.fitting.weak_learners import JOINT
from frankboost.learners.base import Start, WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.thresholds import Span
from frankboost.model import Ensemble, Model, positives
from frankboost.rooms.base import Search
from frankboost.rooms.joint_search import JointSearch
from frankboost.rooms.questions import Number, Question
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeTables
from frankboost.shapes import importances_of
from frankboost.threads import threads_for


class DaskRoom(Room):
    """A room whose vectors with one entry per row leave as Dask arrays over the given rows."""

    parts: DaskParts

    def _per_row(self, question: Question, number: Number) -> Any:
        return self.parts.over_given_rows(question, number, self.nu, self.total)


class ClusterTraining(Training):
    """A training for one fit, in a room on the workers."""

    def __init__(self, room: Room) -> None:
        self._room = self._dask_room = room

    def _prepared_room(self, settings: Settings) -> Room:
        return self._dask_room


class ClusterRows:
    """The `RowSource` of rows on the workers of a cluster."""

    def __init__(
        self, client: Client, clf: SoftMarginBooster, learner: BestTree, data: DistributedRows
    ) -> None:
        self._client, self._device = client, clf.device
        self.classes, self.encoding = data.agreed.classes, data.agreed.encoding
        self.is_joint = clf.multi_class == JOINT and len(self.classes) > 2
        # The sample comes first, since `DistributedProblems` may release the rows and keep bin codes alone.
        seed = int(getattr(clf, "random_state", 0) or 0)
        self._sample = data.sample(client, seed, joint=self.is_joint) if clf.nu == AUTO else None
        self._problems = DistributedProblems(client, data, learner, joint=self.is_joint)
        self.learner = self._problems.learner
        self._codes = positives(np.arange(len(self.classes))).tolist()
        self.starts = [None] if self.is_joint else [None for _ in self._codes]

    def sample(self, seed: int, threads: int) -> Sample:
        assert self._sample is not None
        return self._sample

    @contextmanager
    def training(
        self, k: int, settings: Settings, learner: WeakLearner, start: Start | None
    ) -> Iterator[ClusterTraining]:
        """The rows in the k-th game; leaving the context releases the parts."""
        problems = self._problems
        game = problems.joint_game() if self.is_joint else problems.class_game(self._codes[k])
        parts = DaskParts(self._client, game, self._device)
        try:
            assert isinstance(learner, BestTree)
            trees = replace(problems.hypothesis_class, max_depth=learner.max_depth)
            columns, threads = self.learner.columns_per_round or 1, threads_for(self.learner.n_jobs)
            search: Search = TreeTables(trees, problems.features, parts, columns=columns, threads=threads)
            if self.is_joint:
                search = JointSearch(search, parts, game.classes)
            facts = {"nu": settings.nu, "tol": settings.tol, "weight_error": game.weight_error}
            room = DaskRoom(parts, search, **facts, threads=threads)
            if start is not None:
                room.recall(start)
            yield ClusterTraining(room)
        finally:
            parts.close()

    def make_model(self, ensembles: Sequence[Ensemble], span: Span) -> Model:
        """Make the model of one ensemble per game; vectors over the rows stay on the workers."""
        kept = [replace(each, capped=None) for each in ensembles]
        model = Model.of(
            self.classes,
            self.encoding.categories,
            kept,
            self.encoding.dates,
            importances=importances_of(kept),
            rows=span.rows,
            weighted=not span.least == span.largest == 1.0,
        )
        capped: Any = reduce(or_, (each.capped for each in ensembles))
        whole = tuple(
            replace(each, capped=mine.capped) for each, mine in zip(model.ensembles, ensembles, strict=True)
        )
        return replace(model, ensembles=whole, capped=capped)
