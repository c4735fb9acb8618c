"""Corrective rules: one multiplier per round, as AdaBoost does it.

The distribution belongs to multipliers lam >= 0, one per hypothesis,

    d_i = min(c_i, q_i exp(-(A lam)_i - tau)),   sum d = 1,

and a round adds a step a to the multiplier of the hypothesis j of largest edge g = d . A_j. The weights are
the multipliers, scaled to sum 1. Where no cap can bind (nu of at most one example), d is q_i exp(-(A lam)_i)
made to sum 1: AdaBoost's. With caps the same laws hold (docs/algorithms.md): with S(lam) = min over d in P
of d . A lam + KL(d || q), a step a >= 0 has

    S(lam + a e_j) - S(lam)  >=  -ln((1+g)/2 e^-a + (1-g)/2 e^a)  >=  a g - a^2/2,

the first with equality if no cap binds and all entries of A_j are -1 and +1; and S(lam) <= soft margin of
lam + ln(m/nu). The rules differ in the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atanh

import numpy as np

from frankboost.rooms.base import padded
from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, SecondaryRule, Step
from frankboost.typing import Floats
from frankboost.validation import check_positive

LARGEST = 1.0 - 1e-9  # an edge of 1 would ask for an infinite step, and weighs as much without


StepSize = Callable[[float, Point], float]
"""What to add to the multiplier of the hypothesis of largest edge at a point; nothing unless positive."""


class CorrectiveRun:
    """The multipliers, and the point that belongs to them."""

    def __init__(self, room: Room, size: StepSize) -> None:
        self._room = room
        self._size = size
        self.point: Point = room.at(np.zeros(0), 1.0)

    def __call__(self, at: Position) -> Proposal:
        """One step, from the edges at this rule's own point: in a contest another one was asked about."""
        edges = self.point.edges()
        j = int(np.argmax(edges))
        step = self._size(float(edges[j]), self.point)
        if step > 0.0:
            multipliers = padded(self.point.multipliers, len(edges))
            multipliers[j] += step
            self.point = self._moved(multipliers, j, step)
        total = float(self.point.multipliers.sum())
        weights = self.point.multipliers / total if total > 0.0 else at.weights
        return Proposal(self._room.at(weights), self.point)

    def _moved(self, multipliers: Floats, j: int, step: float) -> Point:
        """The point after a step, from which multiplier j has grown."""
        return self._room.at(multipliers, 1.0)


def towards(edge: float, target: float) -> float:
    """The step that gains most over a target margin: 1/2 ln((1+g)/(1-g)) - 1/2 ln((1+target)/(1-target))."""
    return _atanh(edge) - _atanh(target)


def _atanh(margin: float) -> float:
    """Finite at both ends, too."""
    return atanh(min(max(margin, -LARGEST), LARGEST))


@dataclass(frozen=True)
class AdaBoost(SecondaryRule):
    """AdaBoost, or AdaBoost_rho with its target rho: a = 1/2 ln((1+g)/(1-g)) - 1/2 ln((1+rho)/(1-rho)).

    Over the multipliers lam of t rounds with edges g_s, with D the relative entropy of two coins,

        sum(lam) (soft margin - rho)  >=  sum over s of D((1+rho)/2, (1+g_s)/2) - ln(m/nu),

    so the soft margin exceeds rho after 2 ln(m/nu) / (g - rho)^2 rounds whose edges are at least g. It does
    not aim at the largest soft margin and need not come near it: with rho = 0, to half of the least edge. No
    step is made where no edge exceeds rho, which proves that no ensemble does.

    Parameters
    ----------
    target : float in (-1, 1), default=0
        rho, the margin aimed at.

    References
    ----------
    Freund, Schapire: A decision-theoretic generalization of on-line learning and an application to boosting,
    1997.
    Schapire, Singer: Improved boosting algorithms using confidence-rated predictions, 1999.
    Raetsch, Warmuth: Efficient margin maximizing with boosting, 2005.
    """

    target: float = 0.0

    def __post_init__(self) -> None:
        if not -1.0 < self.target < 1.0:
            raise ValueError(f"target must be in (-1, 1); got {self.target!r}")

    def start(self, room: Room) -> Step:
        return CorrectiveRun(room, lambda edge, point: towards(edge, self.target))


@dataclass(frozen=True)
class AdaBoostStar(SecondaryRule):
    """AdaBoost* (AdaBoost_v, with v = tol): AdaBoost's step with the target `tol` below the bound.

    As the target only falls, and edges stay `tol` above it, a round adds at least tol^2 / 2 to
    S(lam) - target sum(lam). So the gap is at most `tol` after 2 ln(m/nu) / tol^2 rounds.

    Parameters
    ----------
    tol : float
        The gap aimed at.

    References
    ----------
    Raetsch, Warmuth: Efficient margin maximizing with boosting, 2005.
    """

    tol: float

    def __post_init__(self) -> None:
        check_positive("tol", self.tol)

    def start(self, room: Room) -> Step:
        aim = (1.0 - 1e-6) * self.tol  # a hair less: rounding may not leave the gap just above the tolerance
        return CorrectiveRun(room, lambda edge, point: towards(edge, room.reach.below(room.bound) - aim))


@dataclass(frozen=True)
class ArcGV(SecondaryRule):
    """arc-gv: AdaBoost's step with the largest soft margin of its own so far as the target (at least 0).

    It converges to the largest soft margin if that is positive, at no rate that is proved here.

    References
    ----------
    Breiman: Prediction games and arcing algorithms, 1999.
    Meir, Raetsch: An introduction to boosting and leveraging, 2003.
    """

    def start(self, room: Room) -> Step:
        target = 0.0

        def size(edge: float, point: Point) -> float:
            nonlocal target
            total = float(point.multipliers.sum())
            if total > 0.0:
                target = max(target, point.soft_margin() / total)
            return towards(edge, target)

        return CorrectiveRun(room, size)


@dataclass(frozen=True)
class Hedge(SecondaryRule):
    """Hedge: the same step in every round, a = tol. The weights count how often a hypothesis was the best.

    The soft margin is at least the mean of the edges less tol/2 + ln(m/nu) / (t tol), so that the gap is at
    most `tol` after 2 ln(m/nu) / tol^2 rounds, whatever the edges are.

    Parameters
    ----------
    tol : float
        The gap aimed at.

    References
    ----------
    Freund, Schapire: Adaptive game playing using multiplicative weights, 1999.
    Barak, Hardt, Kale: The uniform hardcore lemma via approximate Bregman projections, 2009 (with caps).
    """

    tol: float

    def __post_init__(self) -> None:
        check_positive("tol", self.tol)

    def start(self, room: Room) -> Step:
        return CorrectiveRun(room, lambda edge, point: self.tol)
