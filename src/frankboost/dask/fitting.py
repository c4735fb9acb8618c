"""A fit on a cluster: the loop of one machine, in a room whose rows lie on the workers."""

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

    def _of_each(self, question: Question, number: Number) -> Any:
        return self.parts.of_given(question, number, self.nu, self.total)


class ClusterTraining(Training):
    """A room on the workers, for one fit."""

    def __init__(self, room: Room) -> None:
        self._room = self._opened = room

    def _ready(self, settings: Settings) -> Room:
        return self._opened


class ClusterRows:
    """What `fit` was given, as a `Place`."""

    def __init__(
        self, client: Client, clf: SoftMarginBooster, learner: BestTree, data: DistributedRows
    ) -> None:
        self._client, self._device = client, clf.device
        self.classes, self.encoding = data.agreed.classes, data.agreed.encoding
        self.is_joint = clf.multi_class == JOINT and len(self.classes) > 2
        # Rows are let go where bin codes will do, so those to choose nu on are brought here first.
        seed = int(getattr(clf, "random_state", 0) or 0)
        self._sample = data.sample(client, seed, joint=self.is_joint) if clf.nu == AUTO else None
        self._problems = DistributedProblems(client, data, learner, joint=self.is_joint)
        self.learner = self._problems.learner
        self._codes = positives(np.arange(len(self.classes))).tolist()
        self.starts = [None] if self.is_joint else [None for _ in self._codes]

    def sample(self, seed: int, threads: int) -> Sample:
        """The rows that nu is chosen on, brought here."""
        assert self._sample is not None
        return self._sample

    @contextmanager
    def training(
        self, k: int, settings: Settings, learner: WeakLearner, start: Start | None
    ) -> Iterator[ClusterTraining]:
        """The game of a class against the rest, or of all; its parts are let go at the end."""
        played = self._problems.together() if self.is_joint else self._problems.of_class(self._codes[k])
        parts = DaskParts(self._client, played, self._device)
        try:
            assert isinstance(learner, BestTree)
            trees = replace(self._problems.hypothesis_class, max_depth=learner.max_depth)  # it may be chosen
            columns, threads = self.learner.columns_per_round or 1, threads_for(self.learner.n_jobs)
            search: Search = TreeTables(
                trees, self._problems.features, parts, columns=columns, threads=threads
            )
            if self.is_joint:
                search = JointSearch(search, parts, played.classes)
            facts = {"nu": settings.nu, "tol": settings.tol, "weight_error": played.weight_error}
            room = DaskRoom(parts, search, **facts, threads=threads)
            if start is not None:
                room.recall(start)
            yield ClusterTraining(room)
        finally:
            parts.close()

    def model(self, ensembles: Sequence[Ensemble], span: Span) -> Model:
        """The model of an ensemble for each class; what has an entry per row stays on the workers."""
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
