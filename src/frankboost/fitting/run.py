"""One fit: the rounds of Algorithm 1 until there is a reason to stop, with a record of each round."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from frankboost.boosting import State, rounds
from frankboost.certificate import CONVERGED, Certificate
from frankboost.learners.base import Hypothesis, Start
from frankboost.model import Ensemble, Stages
from frankboost.rooms.base import Solution, padded
from frankboost.rooms.part import Part
from frankboost.rooms.room import Room
from frankboost.rules.base import Rule
from frankboost.trace import Record, Trace
from frankboost.typing import Floats, RuleName, Status

MIN_SECONDS = 0.01  # the time limit of a fit that starts after the time is up
MOST_ENTRIES = 10**8  # of the matrix of a linear program: HiGHS takes about 20 bytes per entry

Listener = Callable[[Record, Sequence[Hypothesis], Floats], Status | None]
"""Called after each round, with its record, the hypotheses found so far and the best weights known.

It returns a reason to stop the fit, or None.
"""

KeptWeights = Callable[[], Floats | None]
"""Called at the end of a fit: the weights that the ensemble is to have instead of the last ones, or None."""


@dataclass(frozen=True)
class ProvedGap:
    """bound - soft margin <= tol, after all rounding, as the certificate will say it: "optimal".

    Like every test that ends a fit, it returns the reason to stop, or None to go on.
    """

    tol: float
    room: Room

    def __call__(self, state: State) -> Status | None:
        """The reason, if any."""
        if state.gap > self.tol:
            return None
        gap = Fraction(self.room.bound) - Fraction(self.room.proved_soft_margin(state.best_weights))
        return "optimal" if gap <= Fraction(self.tol) else None


@dataclass(frozen=True)
class SmoothedGap(ProvedGap):
    """The paper's own test: bound - smoothed soft margin <= tol/2. It implies the other but for rounding."""

    def __call__(self, state: State) -> Status | None:
        """The reason, if any."""
        return None if state.bound - state.smoothed > self.tol / 2 else super().__call__(state)


@dataclass(frozen=True)
class Settings:
    """The settings of a fit: the rules, nu, and when it ends."""

    rules: Sequence[Rule]
    nu: float
    tol: float
    max_iter: int
    time_limit: float
    threads: int
    closing: type[ProvedGap] = ProvedGap  # the test that says whether the gap is closed
    device: str = "cpu"
    crossover: float = 0.0  # the gap at which a linear program takes over


def time_left(settings: Settings, start: float) -> float:
    """The seconds that the time limit leaves for work that began at `start`."""
    return settings.time_limit - (time.perf_counter() - start)


class CutShort(Exception):  # noqa: N818 - no error
    """Ends a round early, when the time is up or the fit is halted; the argument is the status."""


class Run:
    """The rounds of one fit: each is recorded and reported to the listener."""

    def __init__(
        self, settings: Settings, listener: Listener, halted: Callable[[], bool], kept_weights: KeptWeights
    ) -> None:
        self._kept_weights = kept_weights
        self._settings = settings
        self._listener = listener
        self._halted = halted
        self._start = time.perf_counter()
        self._trace = Trace()
        self._stages = Stages()

    def play(self, room: Room) -> Ensemble:
        """Play all rounds, and return the ensemble of the last state, or of the weights that are kept."""
        state, reason = self._play_to_end(room)
        room.known_weights = weights = state.best_weights
        kept, search = self._kept_weights(), room.search
        outcome = room.outcome(weights if kept is None else padded(kept, len(weights)))
        return Ensemble(
            certificate=Certificate(
                soft_margin=outcome.soft_margin,
                bound=outcome.bound,
                tol=self._settings.tol,
                nu=self._settings.nu,
                exact=search.exact,
                status=self._status(outcome, reason, exact=search.exact, kept=kept is not None),
                hypothesis_class=str(search.hypothesis_class),
            ),
            trace=self._trace,
            hypotheses=outcome.hypotheses,
            weights=outcome.weights,
            distribution=outcome.distribution,
            hypothesis_class=search.hypothesis_class,
            capped=outcome.capped,
            bin_weights=outcome.bin_weights,
            gains=outcome.gains,
            found=Start(room.hypotheses[: len(weights)], weights, outcome.distribution),
            stages=self._stages,
        )

    def _play_to_end(self, room: Room) -> tuple[State, Status]:
        """The last state, and the reason to stop.

        If the rules stall before the gap is closed, a linear program over the hypotheses found so far goes on
        from there. If it repeats its proposal, the search has confirmed its basis, and what is left of the
        gap is rounding.
        """
        settings, search = self._settings, room.search
        for watch in (room.oracle_watch, room.rule_watch):
            watch.lap()  # the seconds of a round of an earlier fit that was cut short
        room.stop = self._should_stop
        search.begin(self._should_stop, settings.tol / 8.0)
        near = max(settings.tol, settings.crossover)
        state, reason = self._play(room, settings.rules, near)
        closed = reason == "optimal" and near == settings.tol
        ended = reason == "stalled" and not search.exact
        fits = room.parts.can(Part.column) and room.whole().caps.size * len(room) <= MOST_ENTRIES
        if closed or ended or reason not in ("optimal", "stalled") or not fits:
            return state, reason
        if len(self._trace) >= settings.max_iter:
            return state, "max_iter"
        from frankboost.rules.linear_program import LinearProgram  # noqa: PLC0415  (heavy)

        room.known_weights = state.best_weights
        room.reopen()
        state, reason = self._play(room, [LinearProgram()], settings.tol, state, name="crossover")
        return state, "converged" if reason == "stalled" and search.exact else reason

    def _status(self, outcome: Solution, reason: Status, *, exact: bool, kept: bool) -> Status:
        """The status of the certificate for a reason to stop."""
        tol = self._settings.tol
        most = {"optimal": tol, "converged": max(tol, CONVERGED)}.get(reason)
        gap = Fraction(outcome.bound) - Fraction(outcome.soft_margin)
        if most is None or gap <= Fraction(most):
            return "closed" if reason == "optimal" and not exact else reason
        if kept:
            return "stopped"  # the gap was closed by a later round
        return "max_iter" if len(self._trace) >= self._settings.max_iter else "stalled"

    def _play(
        self,
        room: Room,
        rules: Sequence[Rule],
        tol: float,
        before: State | None = None,
        *,
        name: RuleName | None = None,
    ) -> tuple[State, Status]:
        """Play rounds until there is a reason to stop; `before` is the state if no round ends."""
        state, room.estimate.tol = before, tol
        closed = self._settings.closing(tol, room)
        try:
            for state in rounds(room, rules, room.known_weights):
                answer = self._record_round(state, room, name)
                reason = closed(state) or self._limit_reached(state) or answer
                if reason is not None:
                    return state, reason
        except (KeyboardInterrupt, CutShort) as end:
            if state is None:
                raise  # there is no ensemble yet
            return state, end.args[0] if isinstance(end, CutShort) else "interrupted"
        raise AssertionError("rounds never end")

    def _limit_reached(self, state: State) -> Status | None:
        """The limit that ends the fit with an open gap, or None."""
        if state.stalled:
            return "stalled"
        if len(self._trace) >= self._settings.max_iter:
            return "max_iter"
        return "time_limit" if self._is_late() else None

    def _is_late(self) -> bool:
        return time_left(self._settings, self._start) <= 0.0

    def _should_stop(self) -> bool:
        """Whether the first round has to end early; raises `CutShort` in a later round."""
        late = self._is_late()
        if not late and not self._halted():
            return False
        if len(self._trace) > 0:
            raise CutShort("time_limit" if late else "interrupted")
        return True

    def _record_round(self, state: State, room: Room, name: RuleName | None) -> Status | None:
        """Record a round, report it, and return the listener's reason to stop."""
        record = Record(
            round=len(self._trace) + 1,
            seconds=time.perf_counter() - self._start,
            soft_margin=state.soft_margin,
            smoothed=state.smoothed,
            bound=state.bound,
            gap=state.gap,
            hypotheses=len(room),
            support=int(np.count_nonzero(state.weights)),
            rule=name or state.rule,
            oracle_seconds=room.oracle_watch.lap(),
            rule_seconds=room.rule_watch.lap(),
        )
        self._trace.append(record)
        self._stages.add(record.round, state.best_weights)
        return self._listener(record, room.hypotheses, state.best_weights)
