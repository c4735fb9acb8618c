"""The caller's loop around Algorithm 1: clocks, stopping, observers and interrupts live here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from frankboost.boosting import State, rounds
from frankboost.certificate import Certificate
from frankboost.estimators.data import TrainingSet
from frankboost.game import Game
from frankboost.learners.base import Hypothesis, HypothesisClass, TrainingValues, WeakLearner
from frankboost.objective import CappedSimplex
from frankboost.rules.base import Rule, Step
from frankboost.stopping import Gap, MaxIter, Stalled, Stop, TimeLimit, first_reason
from frankboost.trace import Record, Stopwatch, Trace

Floats = NDArray[np.float64]
Observer = Callable[[Record], object]


@dataclass(frozen=True)
class Settings:
    """How far to go."""

    nu: float
    tol: float
    max_iter: int
    time_limit: float | None
    threads: int


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit ends with."""

    certificate: Certificate
    trace: Trace
    hypotheses: list[Hypothesis]
    weights: Floats
    distribution: Floats
    hypothesis_class: HypothesisClass


def fit(
    data: TrainingSet,
    learner: WeakLearner,
    rules: Sequence[Rule],
    settings: Settings,
    observers: Sequence[Observer],
) -> Fit:
    """Run an algorithm until it is done, out of rounds, out of time or interrupted."""
    # One BLAS thread: more would compete with our own, and change the last bits with their number.
    with _thread_pools().limit(limits=1, user_api="blas"):
        return _Run(data, learner, rules, settings, observers).finish()


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks at every library of the process, which takes milliseconds


class _Run:
    def __init__(
        self,
        data: TrainingSet,
        learner: WeakLearner,
        rules: Sequence[Rule],
        settings: Settings,
        observers: Sequence[Observer],
    ) -> None:
        self._start = time.perf_counter()
        self._settings = settings
        self._observers = observers
        self._oracle_watch, self._rule_watch = Stopwatch(), Stopwatch()
        self._rules = [_TimedRule(rule, self._rule_watch) for rule in rules]
        self._oracle = learner.prepare(data.X, data.y, data.sample_weight)
        simplex = CappedSimplex.from_weights(data.sample_weight, settings.nu)
        self._game = Game(
            simplex,
            self._oracle_watch.timing(self._oracle),
            data.X,
            data.y,
            eta=simplex.eta(settings.tol),
            learner=repr(learner),
            values=self._oracle.values if isinstance(self._oracle, TrainingValues) else None,
            threads=settings.threads,
        )
        self._trace = Trace()

    def finish(self) -> Fit:
        """Run to the end and collect what is left of it."""
        state, status = self._loop()
        used = np.flatnonzero(state.best_weights)
        weights = state.best_weights[used]
        order = np.argsort(-weights, kind="stable")
        return Fit(
            certificate=self._certificate(state, status),
            trace=self._trace,
            hypotheses=[self._game.hypotheses[j] for j in used[order]],
            weights=weights[order],
            distribution=self._game.least.distribution,
            hypothesis_class=self._oracle.hypothesis_class,
        )

    def _loop(self) -> tuple[State, str]:
        s = self._settings
        stops: list[Stop] = [Gap(s.tol), Stalled(), MaxIter(s.max_iter)]
        if s.time_limit is not None:
            stops.append(TimeLimit(s.time_limit, self._start))
        state: State | None = None
        try:
            for state in rounds(self._game, self._rules):
                self._observe(state)
                if (reason := first_reason(stops, state)) is not None:
                    return state, reason
        except KeyboardInterrupt:
            if state is None:
                raise  # there is no ensemble yet
        assert state is not None
        return state, "interrupted"

    def _observe(self, state: State) -> None:
        record = Record(
            round=state.round,
            seconds=time.perf_counter() - self._start,
            soft_margin=state.soft_margin,
            smoothed=state.smoothed,
            bound=state.bound,
            gap=state.gap,
            hypotheses=len(self._game),
            support=int(np.count_nonzero(state.weights)),
            rule=state.rule,
            oracle_seconds=self._oracle_watch.lap(),
            rule_seconds=self._rule_watch.lap(),
        )
        self._trace.append(record)
        for observer in self._observers:
            observer(record)

    def _certificate(self, state: State, status: str) -> Certificate:
        return Certificate(
            soft_margin=state.soft_margin,
            bound=self._game.least.edge,
            tol=self._settings.tol,
            nu=self._settings.nu,
            exact=self._oracle.exact,
            status=status,
            hypothesis_class=str(self._oracle.hypothesis_class),
        )


@dataclass(frozen=True, eq=False)
class _TimedRule:
    rule: Rule
    watch: Stopwatch

    @property
    def kind(self) -> Literal["fw", "secondary"]:
        return self.rule.kind

    def start(self, game: Game) -> Step:
        return self.watch.timing(self.rule.start(game))
