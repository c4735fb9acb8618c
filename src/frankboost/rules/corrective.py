"""Corrective rules: one multiplier per round, as AdaBoost does it.

Multipliers lam >= 0, one per hypothesis, determine the distribution

    d_i = min(c_i, q_i exp(-(A lam)_i - tau)),   sum d = 1,

and a round adds a step a to the multiplier of the hypothesis j of largest edge g = d . A_j. The weights are
the multipliers, scaled to sum 1. If no cap can bind (nu of at most one example), d is q_i exp(-(A lam)_i)
scaled to sum 1, as in AdaBoost. With caps the same laws hold (docs/algorithms.md): with S(lam) = min over d
in P of d . A lam + KL(d || q), a step a >= 0 has

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

LARGEST = 1.0 - 1e-9  # margins are cut here, as an edge of 1 would make the step infinite


StepSize = Callable[[float, Point], float]
"""The step for the largest edge at a point; no step is made unless it is positive."""


class CorrectiveRun:
    """A run of a corrective rule: the point of its multipliers, to which each round adds a step of some
    `size`."""

    def __init__(self, room: Room, size: StepSize) -> None:
        self._room = room
        self._size = size
        self.point: Point = room.at(np.zeros(0), 1.0)

    def __call__(self, at: Position) -> Proposal:
        """Make one step, from the edges at this rule's own point; beside another rule the weak learner may
        have been asked at another point."""
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
        """The point of the multipliers after a step of multiplier j."""
        return self._room.at(multipliers, 1.0)


def step_towards(edge: float, target: float) -> float:
    """AdaBoost's step for an edge g and a target margin: 1/2 ln((1+g)/(1-g)) - 1/2
    ln((1+target)/(1-target))."""
    return _atanh(edge) - _atanh(target)


def _atanh(margin: float) -> float:
    """atanh of a margin that is cut to keep the result finite."""
    return atanh(min(max(margin, -LARGEST), LARGEST))


@dataclass(frozen=True)
class AdaBoost(SecondaryRule):
    """AdaBoost, or AdaBoost_rho with its target rho: a = 1/2 ln((1+g)/(1-g)) - 1/2 ln((1+rho)/(1-rho)).

    Over the multipliers lam of t rounds with edges g_s, with D the relative entropy of two coins,

        sum(lam) (soft margin - rho)  >=  sum over s of D((1+rho)/2, (1+g_s)/2) - ln(m/nu),

    so the soft margin exceeds rho after 2 ln(m/nu) / (g - rho)^2 rounds whose edges are at least g. The rule
    does not aim at the largest soft margin and need not come near it: with rho = 0 it reaches half of the
    least edge. If no edge exceeds rho, the rule makes no step: no ensemble has a larger soft margin then.

    Parameters
    ----------
    target : float in (-1, 1), default=0
        rho, the margin that the rule aims at.

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
        return CorrectiveRun(room, lambda edge, point: step_towards(edge, self.target))


@dataclass(frozen=True)
class AdaBoostStar(SecondaryRule):
    """AdaBoost* (AdaBoost_v, with v = tol): AdaBoost's step with the target `tol` below the bound.

    The target never rises, and the largest edge is at least `tol` above it. So a round adds at least
    tol^2 / 2 to S(lam) - target sum(lam), and the gap is at most `tol` after 2 ln(m/nu) / tol^2 rounds.

    Parameters
    ----------
    tol : float
        The gap that the rule aims at.

    References
    ----------
    Raetsch, Warmuth: Efficient margin maximizing with boosting, 2005.
    """

    tol: float

    def __post_init__(self) -> None:
        check_positive("tol", self.tol)

    def start(self, room: Room) -> Step:
        aim = (1.0 - 1e-6) * self.tol  # a hair less, lest rounding leave the gap just above the tolerance
        return CorrectiveRun(room, lambda edge, point: step_towards(edge, room.estimated_bound - aim))


@dataclass(frozen=True)
class ArcGV(SecondaryRule):
    """arc-gv: AdaBoost's step with the largest soft margin of its own so far as the target (at least 0).

    The soft margin converges to the optimum if that is positive. No rate is proved here.

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
            return step_towards(edge, target)

        return CorrectiveRun(room, size)


@dataclass(frozen=True)
class Hedge(SecondaryRule):
    """Hedge: the same step in every round, a = tol. A weight is the share of rounds in which its hypothesis
    had the largest edge.

    The soft margin is at least the mean of the edges minus tol/2 + ln(m/nu) / (t tol), so that the gap is at
    most `tol` after 2 ln(m/nu) / tol^2 rounds, whatever the edges are.

    Parameters
    ----------
    tol : float
        The gap that the rule aims at.

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
