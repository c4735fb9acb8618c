"""The caller's loop around Algorithm 1: clocks, stopping and interrupts live here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np
from threadpoolctl import ThreadpoolController

from frankboost.boosting import State, rounds
from frankboost.certificate import Certificate
from frankboost.estimators.audience import NOBODY, Audience, RoundLog
from frankboost.estimators.data import TrainingSet
from frankboost.learners.base import Oracle, Start, WeakLearner
from frankboost.model import Ensemble
from frankboost.rooms.base import Room
from frankboost.rooms.local import Examples, LocalRoom
from frankboost.rooms.margins import BinaryMargins
from frankboost.rules.base import Rule, Step
from frankboost.stopping import Gap, MaxIter, Stalled, Stop, TimeLimit, first_reason
from frankboost.stopwatch import Stopwatch
from frankboost.typing import Floats, Status


@dataclass(frozen=True)
class Settings:
    """How far to go."""

    nu: float
    tol: float
    max_iter: int
    time_limit: float | None
    threads: int
    draft: bool = False  # whether a coarser weak learner may find most of the hypotheses


class Training:
    """A training set made ready once, for a fit at one nu after another.

    Each fit goes on from the hypotheses and weights of the one before, the first from `start`.
    """

    def __init__(self, data: TrainingSet, learner: WeakLearner, start: Start | None = None) -> None:
        self._data = data
        self._learner = learner
        self._start = start
        self._game: _Game | None = None

    def fit(self, rules: Sequence[Rule], settings: Settings, audience: Audience = NOBODY) -> Ensemble:
        """Run an algorithm until it is done, out of rounds, out of time or interrupted.

        With a draft, a coarser class is searched first, which is cheaper, and what is found starts the search
        that the certificate is about. A fit that ends before that is about the coarser class, and says so.
        """
        log = RoundLog(audience)
        draft = self._draft() if settings.draft else None
        if draft is None:
            return _play(self._ready(settings), rules, settings, log)
        first = _play(_Game(self._data, draft, settings), rules, settings, log, draft=True)
        self._start = first.found
        if first.certificate.status not in ("optimal", "stalled") or len(first.trace) >= settings.max_iter:
            return first
        try:
            return _play(self._ready(settings), rules, settings, log)
        except KeyboardInterrupt:
            return replace(first, certificate=replace(first.certificate, status="interrupted"))

    def _draft(self) -> WeakLearner | None:
        """The learner of a draft, if nothing is known yet, which its class may lack."""
        fresh = self._start is None and self._game is None
        return self._learner.draft(self._data.X) if fresh else None

    def _ready(self, settings: Settings) -> _Game:
        if self._game is None:
            self._game = _Game(self._data, self._learner, settings, self._start)
        else:
            self._game.room.restrict(settings.nu, settings.tol)
        return self._game


def one_blas_thread() -> AbstractContextManager[object]:
    """To hold while fits run: more would compete with ours, and their number would change the last bits."""
    return _thread_pools().limit(limits=1, user_api="blas")  # type: ignore[no-any-return]


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks at every library of the process, which takes milliseconds


class _Game:
    """A room, its weak learner, and the best weights known for the hypotheses in it, if there are any."""

    oracle: Oracle
    room: LocalRoom
    weights: Floats | None

    def __init__(
        self, data: TrainingSet, learner: WeakLearner, settings: Settings, start: Start | None = None
    ) -> None:
        self.oracle = learner.prepare(data.X, data.y, data.sample_weight)
        self.room = LocalRoom(
            Examples(data.X, BinaryMargins(data.y), data.sample_weight),
            self.oracle,
            nu=settings.nu,
            tol=settings.tol,
            threads=settings.threads,
            learner=repr(learner),
        )
        self.weights = None if start is None else self.room.recall(start)


def _play(
    game: _Game, rules: Sequence[Rule], settings: Settings, log: RoundLog, *, draft: bool = False
) -> Ensemble:
    """Run to the end and collect what is left of it."""
    state, status = _loop(game, rules, settings, log, draft=draft)
    game.weights = weights = state.best_weights
    room, oracle = game.room, game.oracle
    outcome = room.outcome(weights)
    return Ensemble(
        certificate=Certificate(
            soft_margin=state.soft_margin,
            bound=outcome.bound,
            tol=settings.tol,
            nu=settings.nu,
            exact=oracle.exact,
            status=status,
            hypothesis_class=str(oracle.hypothesis_class),
        ),
        trace=log.trace,
        hypotheses=outcome.hypotheses,
        weights=outcome.weights,
        distribution=outcome.distribution,
        hypothesis_class=oracle.hypothesis_class,
        capped=outcome.capped,
        importances=outcome.importances,
        found=Start(room.hypotheses[: len(weights)], weights, outcome.distribution),
        stages=log.stages,
    )


def _loop(
    game: _Game, rules: Sequence[Rule], settings: Settings, log: RoundLog, *, draft: bool
) -> tuple[State, Status]:
    """The last state, and why it is the last."""
    watch = Stopwatch()
    timed = [_TimedRule(rule, watch) for rule in rules]
    stops = _stops(settings, log)
    state: State | None = None
    try:
        for state in rounds(game.room, timed, game.weights):
            facts = _facts(state, game.room, watch) | ({"rule": "draft"} if draft else {})
            stop = log.note(facts, state.best_weights, game.room.hypotheses)
            if (reason := first_reason(stops, state)) is not None:
                return state, reason
            if stop:
                return state, "stopped"
            if log.halted():
                break
    except KeyboardInterrupt:
        if state is None:
            raise  # there is no ensemble yet
    assert state is not None
    return state, "interrupted"


def _stops(settings: Settings, log: RoundLog) -> list[Stop]:
    stops: list[Stop] = [Gap(settings.tol), Stalled(), MaxIter(settings.max_iter - len(log.trace))]
    if settings.time_limit is not None:
        stops.append(TimeLimit(settings.time_limit, log.clock))
    return stops


def _facts(state: State, room: LocalRoom, watch: Stopwatch) -> dict[str, Any]:
    """A round as the trace keeps it."""
    return {
        "soft_margin": state.soft_margin,
        "smoothed": state.smoothed,
        "bound": state.bound,
        "gap": state.gap,
        "hypotheses": len(room),
        "support": int(np.count_nonzero(state.weights)),
        "rule": state.rule,
        "oracle_seconds": room.oracle_watch.lap(),
        "rule_seconds": watch.lap(),
    }


@dataclass(frozen=True, eq=False)
class _TimedRule:
    rule: Rule
    watch: Stopwatch

    @property
    def kind(self) -> Literal["fw", "secondary"]:
        return self.rule.kind

    def start(self, room: Room) -> Step:
        return self.watch.timing(self.rule.start(room))
