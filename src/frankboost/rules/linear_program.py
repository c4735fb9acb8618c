"""LPBoost's rule, plain and stabilised: the largest soft margin over the hypotheses found so far.

The restricted problem in its dual form, the edge minimisation over the capped simplex,

    min gamma   s.t.   A_j^T d <= gamma for every hypothesis j,   sum d = 1,   0 <= d <= c,

has one row per hypothesis, so a new one is a row appended to a live model whose basis stays dual feasible.
Its row duals are the weights. In a game of many classes an example has an entry of d for each other class,
and its cap is a row, too: the sum of its entries is at most c_i.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from typing import Any

import highspy
import numpy as np

from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, SecondaryRule, Step
from frankboost.typing import Floats
from frankboost.validation import check_fraction

PAUSE = 0.02  # seconds between two questions whether to stop


class LinearProgramError(RuntimeError):
    """HiGHS did not solve a restricted problem, not even without the last basis."""


@dataclass(frozen=True)
class LinearProgram(SecondaryRule):
    """LPBoost's rule: the linear program over all hypotheses, solved by HiGHS; its dual is the distribution.

    References
    ----------
    Demiriz, Bennett, Shawe-Taylor: Linear programming boosting via column generation, 2002.
    """

    def start(self, room: Room) -> Step:
        restricted = RestrictedProgram(room)
        return lambda at: restricted.proposal(at.weights)


class RestrictedProgram:
    """The linear program over the hypotheses of a room, as one HiGHS model that grows with the room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._whole = room.whole()
        self._rows = 0
        self._proposal: Proposal | None = None
        caps = self._whole.caps
        self.distribution: Floats = caps / caps.sum()  # of the last answer; the prior before the first
        m, size = len(caps), caps.size
        self._solver = solver = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in _OPTIONS.items():
            solver.setOptionValue(option, value)
        self._halt = Event()
        solver.cbSimplexInterrupt.subscribe(_asking(self._halt))
        # HiGHS asks whether to stop once per iteration, and one over very many rows may take long.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="highs")
        self._running: Future[Any] | None = None
        # Variables m d_i and m gamma: of order 1, so that HiGHS's absolute tolerances are relative to 1/m.
        solver.addVars(size, np.zeros(size), m * caps.ravel())
        solver.addVar(-highspy.kHighsInf, highspy.kHighsInf)
        solver.changeColCost(size, 1.0)
        solver.addRow(float(m), float(m), size, np.arange(size, dtype=np.int32), np.ones(size))
        if size > m:
            self._add_caps(m * caps)
        self._before = solver.getNumRow()  # rows that are of no hypothesis

    def _add_caps(self, caps: Floats) -> None:
        """A row for each example: its entries together have no more than the cap."""
        first = np.cumsum(np.append(0, np.count_nonzero(caps, axis=1)))
        count, entries = first[-1], np.flatnonzero(caps).astype(np.int32)
        least, most = np.full(len(caps), -highspy.kHighsInf), caps.max(axis=1)
        starts = first[:-1].astype(np.int32)
        self._solver.addRows(len(caps), least, most, count, starts, entries, np.ones(count))

    def proposal(self, here: Floats) -> Proposal:
        """The answer over all hypotheses, as before if none is new; the weights `here` if it is cut short."""
        if self._proposal is None or self._rows < len(self._room):
            self._extend()
            answer = self._solve() if self._rows == len(self._room) else None
            if answer is None:
                return Proposal(self._room.at(here))
            weights, self.distribution = answer
            self._proposal = Proposal(self._room.at(weights), self._whole.point(weights, self.distribution))
        return self._proposal

    def _extend(self) -> None:
        """Append a row for each new hypothesis, until the room says stop."""
        self._proposal = None
        if self._running is not None:
            wait([self._running])  # one that was told to stop
        for j in range(self._rows, len(self._room)):
            if self._room.stopped():
                return
            values = np.append(self._whole.column(j), -1.0)  # of a table, row after row
            used = np.flatnonzero(values).astype(np.int32)
            self._solver.addRow(-highspy.kHighsInf, 0.0, len(used), used, values[used])
            self._rows = j + 1

    def _solve(self) -> tuple[Floats, Floats] | None:
        """Weights and distribution of the restricted problem; None if the room says stop."""
        solver, ends = self._solver, (_OPTIMAL, _INTERRUPTED)
        if (status := self._run()) not in ends:
            # After many warm re-solves HiGHS may cycle and give up; from nothing it usually succeeds.
            solver.clearSolver()
            if (status := self._run()) not in ends:
                raise LinearProgramError(
                    f"the solver HiGHS ended with status '{solver.modelStatusToString(status)}' on a linear "
                    f"program of {self._rows} hypotheses, also after a restart"
                )
        if status == _INTERRUPTED:
            return None
        solution = solver.getSolution()
        caps = self._whole.caps
        weights = np.maximum(-np.asarray(solution.row_dual)[self._before :], 0.0)
        distribution = np.asarray(solution.col_value)[: caps.size].reshape(caps.shape) / len(caps)
        return weights / weights.sum(), distribution

    def _run(self) -> highspy.HighsModelStatus:
        """Solve, in a thread. If the room says stop, or raises, this returns, or raises, at once; the thread
        ends after the iteration of HiGHS."""
        self._halt.clear()
        try:
            self._running = running = self._thread.submit(self._solver.run)
        except RuntimeError:  # no thread can be started: Ctrl-C and the time limit have to wait
            self._solver.run()
            return self._solver.getModelStatus()
        try:
            while not wait([running], PAUSE).done:
                if self._room.stopped():
                    return _INTERRUPTED
        finally:
            self._halt.set()
        running.result()
        return self._solver.getModelStatus()


@dataclass(frozen=True)
class InOut(SecondaryRule):
    """LPBoost's weights; the weak learner is asked at (1 - share) d + share d', where d is the distribution
    of the linear program and d' that of the bound.

    LPBoost's own distributions jump from corner to corner of P; d' keeps them closer together. At d no known
    hypothesis has an edge above the value of the linear program, and at d' no hypothesis of the class has an
    edge above the bound. So a round between them finds a new hypothesis or reduces the gap to `share` of it:
    over a class of n hypotheses the gap is at most tol after n + ln(2/tol) / ln(1/share) rounds.

    Parameters
    ----------
    share : float in (0, 1), default=0.5

    References
    ----------
    Wentges: Weighted Dantzig-Wolfe decomposition for linear mixed-integer programming, 1997.
    Ben-Ameur, Neto: Acceleration of cutting-plane and column generation algorithms, 2007.
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        """Refuse 0, which is LPBoost, and 1, which never moves."""
        check_fraction("share", self.share)

    def start(self, room: Room) -> Step:
        return _InOutRun(room, self.share)


class _InOutRun:
    def __init__(self, room: Room, share: float) -> None:
        self._room, self._whole, self._share = room, room.whole(), share
        self._program = RestrictedProgram(room)
        self._bound = np.inf
        self._centre = self._between = self._whole.caps / self._whole.caps.sum()
        self._centres = 1
        self._asked: Point | None = None  # about what lies between; None: the prior

    def __call__(self, at: Position) -> Proposal:
        """The linear program's weights, and the point between its distribution and that of the bound."""
        if at.asked is self._asked and self._room.bound < self._bound:
            self._bound, self._centre = self._room.bound, self._between
            self._centres += 1
        there = self._program.proposal(at.weights).at
        self._between = (1.0 - self._share) * self._program.distribution + self._share * self._centre
        # Points are told apart by their multipliers: those of another centre are longer.
        self._asked = self._whole.point(self._centres * there.multipliers, self._between)
        return Proposal(there, self._asked)


def _asking(halt: Event) -> Callable[[Any], None]:
    """The callback that HiGHS calls once per iteration to ask whether to stop."""

    def ask(event: Any) -> None:
        event.data_in.user_interrupt = halt.is_set()

    return ask


_OPTIMAL, _INTERRUPTED = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInterrupt
_OPTIONS: dict[str, bool | int | float | str] = {
    "output_flag": False,
    "presolve": "off",  # a basis from the last solve is worth more
    "threads": 1,
    "solver": "simplex",
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}
