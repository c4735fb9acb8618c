"""One fit: the rounds of Algorithm 1 with its clocks, until there is a reason to stop."""

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
from frankboost.stopping import ProvedGap
from frankboost.stopwatch import Stopwatch
from frankboost.trace import Record, Trace
from frankboost.typing import Floats, RuleName, Status

SHORT = 0.01  # seconds for a fit that comes when time is up
MOST_ENTRIES = 10**8  # of the linear program's matrix: HiGHS takes about 20 bytes for each

Listener = Callable[[Record, Sequence[Hypothesis], Floats], Status | None]
"""Told of each round, the hypotheses so far and the best weights known; the answer is a reason to stop."""

Kept = Callable[[], Floats | None]
"""Asked at the end: the best weights of an earlier round, if the ensemble is to be that round's."""


@dataclass(frozen=True)
class Settings:
    """The settings of a fit: the rules, nu, and when it ends."""

    rules: Sequence[Rule]
    nu: float
    tol: float
    max_iter: int
    time_limit: float
    threads: int
    closing: type[ProvedGap] = ProvedGap  # for a tolerance: what says that the gap is closed
    device: str = "cpu"
    crossover: float = 0.0  # a gap from which on a linear program takes over


def time_left(settings: Settings, begun: float) -> float:
    """The seconds that are left of a limit for work that began at `begun`."""
    return settings.time_limit - (time.perf_counter() - begun)


class CutShort(Exception):  # noqa: N818 - no error
    """A round did not finish, as time is up or the fit is halted; the argument is the status."""


class Run:
    """The rounds of one fit; each is recorded and reported, until there is a reason to stop."""

    def __init__(
        self, settings: Settings, listener: Listener, halted: Callable[[], bool], kept: Kept
    ) -> None:
        self._kept = kept
        self._settings = settings
        self._listener = listener
        self._halted = halted
        self._start = time.perf_counter()
        self._watch = Stopwatch()
        self._trace = Trace()
        self._stages = Stages()

    def play(self, room: Room) -> Ensemble:
        """Run to the end: the ensemble of the last state, or of the round that an observer keeps."""
        state, reason = self._last_state(room)
        room.known_weights = weights = state.best_weights
        kept, search = self._kept(), room.search
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

    def _last_state(self, room: Room) -> tuple[State, Status]:
        """The last state, and the reason to stop.

        Where the rules come to an end before the gap is closed, a linear program over the hypotheses found so
        far goes on from there. It proposes the same for ever only if the search confirms its basis: then
        what is left of the gap is rounding.
        """
        settings, search = self._settings, room.search
        room.stop = self._cut
        search.begin(self._cut, settings.tol / 8.0)
        near = max(settings.tol, settings.crossover)
        state, reason = self._play(room, settings.rules, near)
        closed = reason == "optimal" and near == settings.tol
        ended = reason == "stalled" and not search.exact
        fits = room.parts.can(Part.column) and room.parts.rows * len(room) <= MOST_ENTRIES
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
        """Play rounds until there is a reason to stop; without a new state, the last one stands."""
        state, room.estimate.tol = before, tol
        closed = self._settings.closing(tol, room)
        try:
            for state in rounds(room, rules, room.known_weights, self._watch.timing):
                answer = self._note(state, room, name)
                reason = closed(state) or self._limit(state) or answer
                if reason is not None:
                    return state, reason
        except (KeyboardInterrupt, CutShort) as end:
            if state is None:
                raise  # there is no ensemble yet
            return state, end.args[0] if isinstance(end, CutShort) else "interrupted"
        raise AssertionError("rounds never end")

    def _limit(self, state: State) -> Status | None:
        """The limit that ends the fit with an open gap; None if there is none."""
        if state.stalled:
            return "stalled"
        if len(self._trace) >= self._settings.max_iter:
            return "max_iter"
        return "time_limit" if self._is_late() else None

    def _is_late(self) -> bool:
        return time_left(self._settings, self._start) <= 0.0

    def _cut(self) -> bool:
        """Whether a round has to end early; at once, if there is an ensemble already."""
        late = self._is_late()
        if not late and not self._halted():
            return False
        if len(self._trace) > 0:
            raise CutShort("time_limit" if late else "interrupted")
        return True

    def _note(self, state: State, room: Room, name: RuleName | None) -> Status | None:
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
            rule_seconds=self._watch.lap(),
        )
        self._trace.append(record)
        self._stages.add(record.round, state.best_weights)
        return self._listener(record, room.hypotheses, state.best_weights)
