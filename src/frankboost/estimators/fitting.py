"""The caller's loop around Algorithm 1: clocks, stopping, observers and interrupts live here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from threading import Event
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from frankboost.boosting import State, rounds
from frankboost.certificate import Certificate
from frankboost.ensemble import Round
from frankboost.estimators.data import TrainingSet
from frankboost.estimators.stages import Stages
from frankboost.game import Game
from frankboost.learners.base import (
    FeatureGains,
    Hypothesis,
    HypothesisClass,
    Oracle,
    OwnClass,
    Start,
    TrainingValues,
    WeakLearner,
)
from frankboost.learners.best_tree import BestTree
from frankboost.objective import CappedSimplex
from frankboost.rules.base import Rule, Step
from frankboost.stopping import Gap, MaxIter, Stalled, Stop, TimeLimit, first_reason
from frankboost.trace import Record, Stopwatch, Trace

Floats = NDArray[np.float64]
Observer = Callable[[Round], object]


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
class Audience:
    """Who is told of the rounds: observers, of a fit that has a label, one of the classes.

    They may encode rows as the fit did.

    `halt`, set from another thread, is an interrupt.
    """

    observers: Sequence[Observer] = ()
    halt: Event | None = None
    label: Any = None
    classes: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    encode: Callable[[Any], Floats] | None = None


NOBODY = Audience()


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit ends with."""

    certificate: Certificate
    trace: Trace
    hypotheses: list[Hypothesis]
    weights: Floats
    distribution: Floats
    hypothesis_class: HypothesisClass
    capped: Floats  # 1 for the rows that are as heavy as they may be, else 0
    importances: Floats | None  # what each feature adds to the edge, if the weak learner can tell
    found: Start  # every hypothesis met, for a fit that goes on from here
    stages: Stages  # weights for `found.hypotheses` along the rounds


class Training:
    """A training set made ready once, for a fit at one nu after another.

    Each fit goes on from the hypotheses and weights of the one before, the first from `start`.
    """

    def __init__(self, data: TrainingSet, learner: WeakLearner, start: Start | None = None) -> None:
        self._data = data
        self._learner = learner
        self._start = start
        self._table: _Table | None = None

    def fit(self, rules: Sequence[Rule], settings: Settings, audience: Audience = NOBODY) -> Fit:
        """Run an algorithm until it is done, out of rounds, out of time or interrupted.

        With a draft, a coarser class is searched first, which is cheaper, and what is found starts the search
        that the certificate is about. A fit that ends before that is about the coarser class, and says so.
        """
        run = partial(
            _Run, rules, settings, audience, trace=Trace(), stages=Stages(), clock=time.perf_counter()
        )
        draft = self._draft() if settings.draft else None
        if draft is None:
            return run(table=self._ready(settings)).finish()
        first = run(table=_Table(self._data, draft, settings), draft=True).finish()
        self._start = first.found
        if first.certificate.status not in ("optimal", "stalled") or len(first.trace) >= settings.max_iter:
            return first
        try:
            return run(table=self._ready(settings)).finish()
        except KeyboardInterrupt:
            return replace(first, certificate=replace(first.certificate, status="interrupted"))

    def _draft(self) -> WeakLearner | None:
        """The learner of a draft, if nothing is known yet, which its class may lack."""
        fresh = self._start is None and self._table is None
        return self._learner.draft(self._data.X) if fresh and isinstance(self._learner, BestTree) else None

    def _ready(self, settings: Settings) -> _Table:
        if self._table is None:
            self._table = _Table(self._data, self._learner, settings, self._start)
        else:
            self._table.game.restrict(*_caps(self._data, settings))
        return self._table


def one_blas_thread() -> AbstractContextManager[object]:
    """To hold while fits run: more would compete with ours, and their number would change the last bits."""
    return _thread_pools().limit(limits=1, user_api="blas")  # type: ignore[no-any-return]


def _within(oracle: Oracle, start: Start) -> Start | None:
    """What is known beforehand and, as the oracle says, in the class; else the certificate would be false."""
    if not isinstance(oracle, OwnClass):
        return None
    known = [oracle.recall(hypothesis) for hypothesis in start.hypotheses]
    hypotheses = [hypothesis for hypothesis in known if hypothesis is not None]
    weights = start.weights[[hypothesis is not None for hypothesis in known]]
    if not weights.any():
        return None
    return Start(hypotheses, weights / weights.sum(), start.distribution)


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks at every library of the process, which takes milliseconds


def _caps(data: TrainingSet, settings: Settings) -> tuple[CappedSimplex, float]:
    """Where the distributions live at this nu, and the smoothing of the objective."""
    simplex = CappedSimplex.from_weights(data.sample_weight, settings.nu, settings.threads)
    return simplex, simplex.eta(settings.tol)


class _Table:
    """What does not depend on nu: the oracle, the game with all hypotheses met, and weights for them."""

    def __init__(
        self, data: TrainingSet, learner: WeakLearner, settings: Settings, start: Start | None = None
    ) -> None:
        self.watch = Stopwatch()
        self.oracle = learner.prepare(data.X, data.y, data.sample_weight)
        simplex, eta = _caps(data, settings)
        self.game = Game(
            simplex,
            self.watch.timing(self.oracle),
            data.X,
            data.y,
            eta=eta,
            learner=repr(learner),
            values=self.oracle.values if isinstance(self.oracle, TrainingValues) else None,
            threads=settings.threads,
        )
        known = None if start is None else _within(self.oracle, start)
        self.weights = None if known is None else self.game.recall(known)


class _Run:
    def __init__(
        self,
        rules: Sequence[Rule],
        settings: Settings,
        audience: Audience,
        *,
        trace: Trace,
        stages: Stages,
        clock: float,
        table: _Table,
        draft: bool = False,
    ) -> None:
        self._settings = settings
        self._audience = audience
        self._trace = trace
        self._stages = stages
        self._clock = clock
        self._table = table
        self._oracle, self._game = table.oracle, table.game
        self._rule_watch = Stopwatch()
        self._rules = [_TimedRule(rule, self._rule_watch) for rule in rules]
        self._before = len(trace)
        self._draft = draft

    def finish(self) -> Fit:
        """Run to the end and collect what is left of it."""
        state, status = self._loop()
        self._table.weights = state.best_weights
        used = np.flatnonzero(state.best_weights)
        weights = state.best_weights[used]
        order = np.argsort(-weights, kind="stable")
        hypotheses = [self._game.hypotheses[j] for j in used[order]]
        d = self._game.least.distribution
        return Fit(
            certificate=self._certificate(state, status),
            trace=self._trace,
            hypotheses=hypotheses,
            weights=weights[order],
            distribution=d,
            hypothesis_class=self._oracle.hypothesis_class,
            capped=(d >= (1.0 - 1e-9) * self._game.simplex.caps).astype(np.float64),
            importances=weights[order] @ self._oracle.gains(hypotheses, d)
            if isinstance(self._oracle, FeatureGains)
            else None,
            found=Start(
                self._game.hypotheses[: len(state.best_weights)],
                state.best_weights,
                self._game.least.distribution,
            ),
            stages=self._stages,
        )

    def _loop(self) -> tuple[State, str]:
        s = self._settings
        stops: list[Stop] = [Gap(s.tol), Stalled(), MaxIter(s.max_iter - self._before)]
        if s.time_limit is not None:
            stops.append(TimeLimit(s.time_limit, self._clock))
        state: State | None = None
        try:
            for state in rounds(self._game, self._rules, self._table.weights):
                stop = self._observe(state)
                if (reason := first_reason(stops, state)) is not None:
                    return state, reason
                if stop:
                    return state, "stopped"
                if self._audience.halt is not None and self._audience.halt.is_set():
                    break
        except KeyboardInterrupt:
            if state is None:
                raise  # there is no ensemble yet
        assert state is not None
        return state, "interrupted"

    def _observe(self, state: State) -> bool:
        """Note the round and tell the observers; whether one of them wants to stop."""
        facts: dict[str, Any] = {
            "round": self._before + state.round,
            "seconds": time.perf_counter() - self._clock,
            "soft_margin": state.soft_margin,
            "smoothed": state.smoothed,
            "bound": state.bound,
            "gap": state.gap,
            "hypotheses": len(self._game),
            "support": int(np.count_nonzero(state.weights)),
            "rule": "draft" if self._draft else state.rule,
            "oracle_seconds": self._table.watch.lap(),
            "rule_seconds": self._rule_watch.lap(),
        }
        self._trace.append(Record(**facts))
        self._stages.add(self._before + state.round, state.best_weights)
        if not self._audience.observers:
            return False
        event = Round(
            **facts,
            known=self._game.hypotheses,
            weights=state.best_weights,
            label=self._audience.label,
            classes=self._audience.classes,
            encode=self._audience.encode,
        )
        # Each is told, whatever others say.
        answers = [observer(event) for observer in self._audience.observers]
        return any(isinstance(answer, bool | np.bool_) and bool(answer) for answer in answers)

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
