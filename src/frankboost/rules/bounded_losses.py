"""Rules whose example weights are bounded: MadaBoost, logistic boosting and SmoothBoost.

The weight of an example is g(z_i), a function of its margin z = A lam that falls and never exceeds 1, and

    d_i = q_i g(z_i) / W,   W = sum of q_i g(z_i).

For g = min(1, exp(-z)) this is the entropy projection of q exp(-z) onto the capped simplex with nu/m = W,
which changes from round to round. A room has one nu, so that these rules keep the margins themselves and need
whole columns. As soon as the weight of an example reaches its cap, they go on as AdaBoost within the caps,
d = min(c, q exp(-z - tau)).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log

import numpy as np
from scipy.special import expit

from frankboost.rooms.base import dot
from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.rules.base import SecondaryRule, Step
from frankboost.rules.corrective import CorrectiveRun, StepSize, step_towards
from frankboost.typing import Floats
from frankboost.validation import check_positive

Weighing = Callable[[Floats], Floats]


def truncated(z: Floats) -> Floats:
    """min(1, exp(-z))."""
    return np.exp(-np.maximum(z, 0.0))


def logistic(z: Floats) -> Floats:
    """1 / (1 + exp(z))."""
    return np.asarray(expit(-z))


class BoundedRun(CorrectiveRun):
    """A run of AdaBoost with weights q g(z) / W: it keeps the margins z, from which each round subtracts
    `shift`."""

    def __init__(self, room: Room, weighing: Weighing, size: StepSize, shift: float = 0.0) -> None:
        super().__init__(room, size)
        self._whole, self._weighing, self._shift = room.whole(), weighing, shift
        self._prior = self._whole.caps / self._whole.caps.sum()
        self._z = np.zeros_like(self._prior)
        self.mass = dot(self._prior, weighing(self._z))  # W, the mean weight of an example

    def _moved(self, multipliers: Floats, j: int, step: float) -> Point:
        self._z += step * self._whole.column(j) - self._shift
        g = self._weighing(self._z)
        self.mass = dot(self._prior, g)
        d = self._prior * g / self.mass
        if self._whole.reaches_caps(d):
            return self._room.at(multipliers, 1.0)
        return self._whole.point(multipliers, d)


@dataclass(frozen=True)
class MadaBoost(SecondaryRule):
    """MadaBoost: AdaBoost with weights min(1, exp(-z)), never above those at the start.

    The mean loss, 1 - z for z < 0 and exp(-z) for z >= 0, falls by W (1 - sqrt(1 - g^2)) or more in a round
    of edge g, and starts at 1. The fraction of wrong examples is at most W, and so below any e after
    2 / (e g^2) rounds whose edges are at least g. The rule aims at few errors, not at a margin.

    References
    ----------
    Domingo, Watanabe: MadaBoost: a modification of AdaBoost, 2000.
    """

    def start(self, room: Room) -> Step:
        return BoundedRun(room, truncated, lambda edge, point: step_towards(edge, 0.0))


@dataclass(frozen=True)
class LogisticBoost(SecondaryRule):
    """AdaBoost's steps for the logistic loss: weights 1 / (1 + exp(z)).

    The mean of ln(1 + exp(-z)) falls by W (1 - sqrt(1 - g^2)) or more in a round of edge g. (LogitBoost is
    another algorithm: its hypotheses are fitted by least squares, not by their edges.)

    References
    ----------
    Collins, Schapire, Singer: Logistic regression, AdaBoost and Bregman distances, 2002.
    """

    def start(self, room: Room) -> Step:
        return BoundedRun(room, logistic, lambda edge, point: step_towards(edge, 0.0))


@dataclass(frozen=True)
class SmoothBoost(SecondaryRule):
    """SmoothBoost: the same step in every round, and weights min(1, exp(-z)) of margins above a target.

    After t rounds z = -1/2 ln(1 - gamma) (sum of the t columns - t theta), theta = gamma / (2 + gamma). If
    all edges are at least 2 gamma, less than p = nu/m of the examples have margins of theta or less after
    2 / (p gamma^2 sqrt(1 - gamma)) rounds, and until then d does not exceed the caps.

    Parameters
    ----------
    gamma : float in (0, 1/2), default=0.05
        The advantage, half an edge, that the weak learner is assumed to find in every round.

    References
    ----------
    Servedio: Smooth boosting and learning with malicious noise, 2003.
    """

    gamma: float = 0.05

    def __post_init__(self) -> None:
        check_positive("gamma", self.gamma)
        if self.gamma >= 0.5:
            raise ValueError(f"gamma must be in (0, 1/2); got {self.gamma!r}")

    def start(self, room: Room) -> Step:
        step, theta = -log(1.0 - self.gamma) / 2.0, self.gamma / (2.0 + self.gamma)
        return BoundedRun(room, truncated, lambda edge, point: step, step * theta)
