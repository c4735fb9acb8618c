"""The entropy projection onto a level set, through its dual: Newton's method on the multipliers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from frankboost.rooms.base import dot, padded
from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.rules.quadratic import maximise_on_orthant
from frankboost.typing import Floats, Indices


class Projection:
    """Multipliers lam >= 0, which maximise the dual value q(lam) for a level. No step lowers q.

    Attributes
    ----------
    level : float
        The level. Lowering it does not lower q.
    point : Point
        The distribution of the multipliers: argmin over d in P of KL(d || prior) + lam . A^T d.
    """

    MAX_STEPS = 50  # Newton steps, after which the weak learner is asked even if edges are still high

    def __init__(self, room: Room) -> None:
        self._room = room
        self.level = 0.0
        self._rough = True
        self.clear()

    @property
    def multipliers(self) -> Floats:
        """lam, one entry per hypothesis; hypotheses found since the point was made have 0."""
        return padded(self.point.multipliers, len(self._room))

    @property
    def value(self) -> float:
        """q(lam)."""
        return self._value(self.point)

    def _value(self, point: Point) -> float:
        return point.value - self.level * float(padded(point.multipliers, len(self._room)).sum())

    def weights(self) -> Floats:
        """The multipliers, scaled to sum 1."""
        lam = self.point.multipliers
        return lam / float(lam.sum())

    def soft_margin(self) -> float:
        """The soft margin of the weights; -inf if all multipliers are 0."""
        total = float(self.point.multipliers.sum())
        return self.point.soft_margin() / total if total > 0.0 else -np.inf

    def clear(self) -> None:
        """Set all multipliers to 0: q = 0, at the prior."""
        self.point = self._at(np.zeros(0))

    def restart(self, multipliers: Floats) -> None:
        """Go back to earlier multipliers."""
        self.point = self._at(multipliers)

    def step(self, j: int, size: float) -> None:
        """Raise multiplier j by `size`, the excess of its edge over the level: q grows by size^2 / 2 or more.

        The step is doubled as long as q grows, since it may be far too short if sample weights differ much.
        """
        if size > 0.0:
            lam, along = self.multipliers, np.zeros(len(self._room))
            along[j] = size
            self.point = self._at(lam + along)
            self._lengthen(lam, along, 2.0)

    def start_along(self, weights: Floats) -> None:
        """Set the multipliers to known weights, doubled as long as q grows: a better start than 0."""
        self._lengthen(np.zeros(len(weights)), weights, 1.0)

    def _lengthen(self, start: Floats, direction: Floats, length: float) -> None:
        """Double the length of a step along a direction as long as q grows."""
        while length < 1e9:
            longer = self._at(start + length * direction)
            if self._value(longer) <= self.value:
                break
            self.point, length = longer, 2.0 * length

    def newton_steps(self, slack: float) -> Iterator[Floats]:
        """Take Newton steps; yields the edges before the first step and after each."""
        self._rough = True
        for _ in range(self.MAX_STEPS):
            edges = self.point.edges()
            yield edges
            if self._room.stopped():
                return
            self._newton(edges - self.level, slack)
        yield self.point.edges()

    def _at(self, lam: Floats) -> Point:
        return self._room.at(lam, 1.0)

    def _newton(self, slope: Floats, slack: float) -> None:
        """Take a Newton step on the hypotheses with a positive multiplier or an edge above the level."""
        working = np.flatnonzero((self.multipliers > 0.0) | (slope > 0.0))
        if self._rough:
            H = self.point.curvature(working, rough=True)
            if self._ascend(slope, slack, working, H, pull=1e-6):
                return
            # If few rows are free, the rough sample may lack the rows that limit the step.
            self._rough = False
        H = self.point.curvature(working)
        # The precise curvature lacks rows at their caps, which a long step would free: stronger pulls shorten
        # it.
        if not any(self._ascend(slope, slack, working, H, pull=pull) for pull in (1e-10, 1e-6, 1e-4, 1e-2)):
            worst = int(np.argmax(slope))
            self.step(worst, float(slope[worst]))

    def _ascend(self, slope: Floats, slack: float, working: Indices, H: Floats, *, pull: float) -> bool:
        """Move along Newton's direction by a line search; returns False, without a move, if q rises too
        little."""
        lam, value = self.multipliers, self.value
        target = maximise_on_orthant(slope[working], H, lam[working], pull)
        # During a phase the multipliers sum to less than this (Lemma 6). Near an empty level set the
        # quadratic model has no maximum, and the step would be far too long.
        most = self._room.entropy_range / slack
        direction = np.zeros(len(lam))
        direction[working] = target * min(1.0, 2.0 * most / max(float(target.sum()), 1e-300)) - lam[working]
        promise = dot(slope, direction)
        for step in 0.5 ** np.arange(6.0):
            moved = self._at(lam + step * direction)
            if self._value(moved) - value >= 1e-4 * step * promise > 0.0:
                self.point = moved
                return True
        self.restart(lam)
        return False
