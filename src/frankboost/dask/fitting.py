"""A fit on a cluster: the loop of one machine, in a room whose rows lie on the workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from threading import Event
from typing import Any

import numpy as np
from distributed import Client

from frankboost.dask.ingestion import DistributedRows
from frankboost.dask.parts import DaskParts
from frankboost.dask.problems import DistributedProblems
from frankboost.estimators.base import SoftMarginBooster
from frankboost.fitting.run import Game, Run, Settings
from frankboost.fitting.threads import one_blas_thread
from frankboost.fitting.training import kept_weights, listening
from frankboost.learners.best_tree import BestTree
from frankboost.model import Ensemble, Model, positives
from frankboost.progress import live_progress
from frankboost.rooms.questions import Number, Question
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeTables
from frankboost.threads import threads_for


class DaskRoom(Room):
    """What has an entry per row leaves as a Dask array, about the rows that were given."""

    parts: DaskParts

    def _of_each(self, question: Question, number: Number) -> Any:
        return self.parts.of_given(question, number, self.nu, self.total)


@contextmanager
def _opened(
    client: Client, problems: DistributedProblems, positive: int, settings: Settings, device: str
) -> Iterator[Game]:
    """The game of a class against the rest; its parts are let go at the end."""
    played = problems.of_class(positive)
    parts = DaskParts(client, played, device)
    try:
        columns, threads = problems.learner.columns_per_round or 1, threads_for(problems.learner.n_jobs)
        search = TreeTables(
            problems.hypothesis_class, problems.features, parts, columns=columns, threads=threads
        )
        facts = {"nu": settings.nu, "tol": settings.tol, "weight_error": played.weight_error}
        room = DaskRoom(parts, search, **facts, threads=threads)
        yield Game(room, search)
    finally:
        parts.close()


def fit_on(
    client: Client, clf: SoftMarginBooster, learner: BestTree, data: DistributedRows
) -> tuple[Model, Any]:
    """The model, and an estimator that has noted the columns of X."""
    problems = DistributedProblems(client, data, learner)
    encoding, classes = data.agreed.encoding, data.agreed.classes
    halt = Event()
    ensembles = []
    with one_blas_thread():
        for code, label in zip(positives(np.arange(len(classes))), positives(classes), strict=True):
            facts = {"classes": classes, "label": label, "encode": encoding}
            with _opened(client, problems, int(code), clf.settings(), clf.device) as game:
                ensembles.append(_fit(clf, game, halt, facts))
            if ensembles[-1].certificate.status == "interrupted":
                halt.set()  # one Ctrl-C ends the fits of all classes
    kept = [replace(each, capped=None) for each in ensembles]
    span = data.agreed.span
    model = Model.of(
        classes,
        encoding.categories,
        kept,
        encoding.dates,
        rows=span.rows,
        weighted=not span.least == span.largest == 1.0,
    )
    capped: Any = reduce(or_, (each.capped for each in ensembles))
    whole = tuple(
        replace(each, capped=mine.capped) for each, mine in zip(model.ensembles, ensembles, strict=True)
    )
    return replace(model, ensembles=whole, capped=capped), encoding.columns


def _fit(clf: SoftMarginBooster, game: Game, halt: Event, facts: dict[str, Any]) -> Ensemble:
    observers = list(clf.callbacks or [])
    progress = [live_progress(clf.tol)] if clf.verbose else []
    listener = listening([*observers, *progress], halt, facts)
    ensemble = Run(clf.settings(), listener, halt.is_set, partial(kept_weights, observers)).play(game)
    for each in progress:
        each.close()
    return ensemble
