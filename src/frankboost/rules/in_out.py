"""LPBoost, stabilised: the weak learner is asked between the linear program's answer and a known good one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, SecondaryRule, Step
from frankboost.rules.linear_program import RestrictedProgram
from frankboost.validation import check_fraction


@dataclass(frozen=True)
class InOut(SecondaryRule):
    """LPBoost's weights, asked at (1 - share) d + share d', d the linear program's and d' that of the bound.

    LPBoost's own distributions leap from corner to corner of P; d' holds them back. At d no known hypothesis
    has an edge above the value of the linear program, and at d' none at all has one above the bound. So
    between them a round finds a new hypothesis, or leaves `share` of the gap: over a class of n hypotheses
    the gap is at most tol after n + ln(2/tol) / ln(1/share) rounds.

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
        """Refuse what would be LPBoost, or stay where it is."""
        check_fraction("share", self.share)

    def start(self, room: Room) -> Step:
        """A live model without hypotheses; the prior is what is known."""
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
        """The linear program's weights, and a point on the way to its distribution."""
        if at.asked is self._asked and self._room.bound < self._bound:
            self._bound, self._centre = self._room.bound, self._between
            self._centres += 1
        there = self._program.proposal(at.weights).at
        self._between = (1.0 - self._share) * self._program.distribution + self._share * self._centre
        # Points are told apart by their multipliers: those of another centre are longer.
        self._asked = self._whole.point(self._centres * there.multipliers, self._between)
        return Proposal(there, self._asked)
