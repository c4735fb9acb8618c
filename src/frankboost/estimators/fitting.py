"""The caller's loop around Algorithm 1: clocks, stopping, observers and interrupts live here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from frankboost.boosting import State, rounds
from frankboost.certificate import Certificate
from frankboost.estimators.data import TrainingSet
from frankboost.game import Game, Start
from frankboost.learners.base import Hypothesis, HypothesisClass, TrainingValues, WeakLearner
from frankboost.learners.best_tree import BestTree
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
    draft: bool = False  # whether a coarser weak learner may find most of the hypotheses


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit ends with."""

    certificate: Certificate
    trace: Trace
    hypotheses: list[Hypothesis]
    weights: Floats
    distribution: Floats
    hypothesis_class: HypothesisClass
    found: Start  # every hypothesis met, for a fit that goes on from here


def fit(
    data: TrainingSet,
    learner: WeakLearner,
    rules: Sequence[Rule],
    settings: Settings,
    observers: Sequence[Observer],
    *,
    start: Start | None = None,
) -> Fit:
    """Run an algorithm until it is done, out of rounds, out of time or interrupted.

    With a draft, a coarser class is searched first, which is cheaper, and what is found starts the search
    that the certificate is about. A fit that ends before that is about the coarser class, and says so.
    """
    run = partial(_Run, data, rules, settings, observers, trace=Trace(), clock=time.perf_counter())
    draft = learner.draft(data.X) if settings.draft and isinstance(learner, BestTree) else None
    # One BLAS thread: more would compete with our own, and change the last bits with their number.
    with _thread_pools().limit(limits=1, user_api="blas"):
        if draft is None:
            return run(learner=learner, start=start).finish()
        first = run(learner=draft, start=start, draft=True).finish()
        if first.certificate.status not in ("optimal", "stalled") or len(first.trace) >= settings.max_iter:
            return first
        try:
            return run(learner=learner, start=first.found).finish()
        except KeyboardInterrupt:
            return replace(first, certificate=replace(first.certificate, status="interrupted"))


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks at every library of the process, which takes milliseconds


class _Run:
    def __init__(
        self,
        data: TrainingSet,
        rules: Sequence[Rule],
        settings: Settings,
        observers: Sequence[Observer],
        *,
        trace: Trace,
        clock: float,
        learner: WeakLearner,
        start: Start | None,
        draft: bool = False,
    ) -> None:
        self._clock = clock
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
        self._weights = None if start is None else self._game.recall(start)
        self._trace = trace
        self._before = len(trace)
        self._draft = draft

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
            found=Start(
                self._game.hypotheses[: len(state.best_weights)],
                state.best_weights,
                self._game.least.distribution,
            ),
        )

    def _loop(self) -> tuple[State, str]:
        s = self._settings
        stops: list[Stop] = [Gap(s.tol), Stalled(), MaxIter(s.max_iter - self._before)]
        if s.time_limit is not None:
            stops.append(TimeLimit(s.time_limit, self._clock))
        state: State | None = None
        try:
            for state in rounds(self._game, self._rules, self._weights):
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
            round=self._before + state.round,
            seconds=time.perf_counter() - self._clock,
            soft_margin=state.soft_margin,
            smoothed=state.smoothed,
            bound=state.bound,
            gap=state.gap,
            hypotheses=len(self._game),
            support=int(np.count_nonzero(state.weights)),
            rule="draft" if self._draft else state.rule,
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
