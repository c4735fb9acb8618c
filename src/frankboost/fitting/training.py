"""A training set that is prepared once for several fits, and the observers of their rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event
from typing import Any

import numpy as np

from frankboost.callbacks import Observer, Round
from frankboost.fitting.problems import TrainingSet
from frankboost.fitting.run import KeptWeights, Listener, Run, Settings
from frankboost.learners.base import Hypothesis, Start, WeakLearner
from frankboost.model import Ensemble, Vote
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local import local_room
from frankboost.rooms.room import Room
from frankboost.trace import Record
from frankboost.typing import Floats, Status


class Training:
    """A training set that is prepared once, for fits at one nu after another.

    The first fit starts from `start`, each later one from the hypotheses and weights of the fit before.
    """

    def __init__(self, data: TrainingSet, learner: WeakLearner, start: Start | None = None) -> None:
        self._data = data
        self._learner = learner
        self._start = start
        self._room: Room | None = None

    def fit(
        self,
        settings: Settings,
        listener: Listener = lambda *_: None,
        halted: Callable[[], bool] = lambda: False,
        kept_weights: KeptWeights = lambda: None,
    ) -> Ensemble:
        """Run an algorithm until its gap is closed or a limit, an observer or an interrupt ends it.

        The fit looks at the clock and at `halted` after each round and within searches and linear programs. A
        round that is cut short does not count, unless it is the first one: then the ensemble is what the
        round found.
        """
        return Run(settings, listener, halted, kept_weights).play(self._prepared_room(settings))

    def soft_margin_of(self, vote: Vote) -> float:
        """The proved soft margin of a vote on these rows, at the nu of the last fit."""
        assert self._room is not None
        return self._room.proved_soft_margin_of(vote.hypotheses, vote.weights)

    def _prepared_room(self, settings: Settings) -> Room:
        if self._room is None:
            self._room = _open_room(self._data, self._learner, settings, self._start)
        else:
            self._room.restrict(settings.nu, settings.tol)
        return self._room


def kept_weights(observers: Sequence[Observer]) -> Floats | None:
    """The weights that an observer wants to keep instead of the last ones; None if no observer does."""
    found = (getattr(observer, "kept_weights", None) for observer in observers)
    return next((weights for weights in found if weights is not None), None)


def make_listener(observers: Sequence[Observer], halt: Event, facts: dict[str, Any]) -> Listener:
    """A listener that calls the observers, which may stop the fit; `halt` interrupts it."""

    def listen(record: Record, known: Sequence[Hypothesis], weights: Floats) -> Status | None:
        event = Round(**vars(record), known=known, weights=weights, **facts)
        answers = [observer(event) for observer in observers]  # a list, so that all observers are called
        if any(isinstance(answer, bool | np.bool_) and answer for answer in answers):
            return "stopped"
        return "interrupted" if halt.is_set() else None

    return listen


def single_hypothesis_settings(settings: Settings) -> Settings:
    """The settings of a fit that finds the best single hypothesis."""
    return replace(settings, nu=1.0, max_iter=1)


def single_hypothesis_error(ensemble: Ensemble) -> float:
    """The training error e of such a fit, whose soft margin at nu = 1 is 1 - 2 e."""
    return (1.0 - ensemble.certificate.soft_margin) / 2.0


def _open_room(data: TrainingSet, learner: WeakLearner, settings: Settings, start: Start | None) -> Room:
    """Open a room with the rows in this process, or on its device."""
    examples = Examples(data.X, data.margins, data.sample_weight, data.members, data.weight_error)
    if settings.device == "cuda":
        from frankboost.cuda import cuda_room  # noqa: PLC0415  (an extra)

        room = cuda_room(learner, examples, nu=settings.nu, tol=settings.tol)
    else:
        room = local_room(
            examples,
            learner.prepare(data.X, data.y.astype(np.float64), data.sample_weight),
            nu=settings.nu,
            tol=settings.tol,
            threads=settings.threads,
            learner=repr(learner),
        )
    if start is not None:
        room.recall(start)
    return room
