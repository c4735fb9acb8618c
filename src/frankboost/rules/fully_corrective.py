"""ERLPBoost's rule, and MDBoost's: weights that are the best over the hypotheses found so far.

ERLPBoost's have the best smoothed soft margin. The problem max over w on the simplex of -f~*(-Aw) has one
variable per hypothesis. A semismooth Newton method solves it: the curvature of the objective gives a small
quadratic program on the simplex, whose solution is the direction of a line search. MDBoost's weights solve
a quadratic program themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.rooms.base import dot, padded, vertex
from frankboost.rooms.point import Point
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, SecondaryRule, Step
from frankboost.rules.frank_wolfe import best_step, on_simplex, worst_in_use
from frankboost.rules.quadratic import maximise_on_simplex
from frankboost.typing import Floats
from frankboost.validation import check_positive


@dataclass(frozen=True)
class FullyCorrective(SecondaryRule):
    """The fully corrective step on the smoothed objective.

    Parameters
    ----------
    tolerance : float, default=1e-7
        Stop when no edge of a hypothesis found so far exceeds the edge of the ensemble by more than this. The
        smoothed objective is then within `tolerance` of its maximum over these hypotheses.
    max_steps : int, default=100
        The largest number of Newton steps per round.

    References
    ----------
    Warmuth, Glocer, Vishwanathan: Entropy regularized LPBoost, 2008.
    """

    tolerance: float = 1e-7
    max_steps: int = 100

    def start(self, room: Room) -> Step:
        return lambda at: Proposal(self._solve(room, room.at(at.weights)))

    def _solve(self, room: Room, point: Point) -> Point:
        for _ in range(self.max_steps):
            edges = point.edges()
            if edges.max() - dot(edges, point.multipliers) <= self.tolerance or room.stopped():
                break
            moved = _newton_step(room, point, edges)
            if moved is None:
                break
            point = room.at(moved)
        return point


def _newton_step(room: Room, point: Point, edges: Floats) -> Floats | None:
    """Weights of larger smoothed objective after one step; None if rounding allows no such step."""
    weights = point.multipliers
    working = np.flatnonzero((weights > 0.0) | (edges > dot(edges, weights)))
    start, H = weights[working], room.eta * point.curvature(working)
    newton = -weights
    newton[working] += maximise_on_simplex(edges[working], H, start, 1e-10)
    moved = _ascend(room, point, newton, edges, 1.0)
    if moved is not None:
        return moved
    # Where rows reach their caps, the curvature holds on one side only; a pairwise step needs no curvature.
    worst = worst_in_use(weights, edges)
    pair = vertex(int(np.argmax(edges)), len(weights)) - vertex(worst, len(weights))
    return _ascend(room, point, pair, edges, float(weights[worst]))


def _ascend(room: Room, point: Point, direction: Floats, edges: Floats, longest: float) -> Floats | None:
    """Weights after the longest step, if the objective rises enough along it, or after the best step; None if
    the objective does not rise."""
    slope = dot(edges, direction)
    if slope <= 0.0:
        return None
    weights = point.multipliers
    line = room.line(weights, direction)
    end = line.at(longest)
    # Near the optimum rounding hides a gain of the value, while the sign of the slope is still right.
    if end.slope() >= 0.0 or end.value >= point.value + 1e-4 * longest * slope:
        step = longest
    else:
        step = best_step(line, longest)
    return on_simplex(weights + step * direction) if step > 0.0 else None


@dataclass(frozen=True)
class MDBoost(SecondaryRule):
    """MDBoost: weights of margins z = Aw with a large mean and a small variance, under the prior.

    The weights maximise mean(z) - D/2 variance(z) over the hypotheses found so far, a quadratic program on
    the simplex. Up to terms of order D^2 this is the smoothed soft margin without caps,
    -ln(mean of exp(-D z)) / D: to second order MDBoost is ERLPBoost with eta = D.

    The multipliers of the quadratic program are d_i = q_i (1 - D (z_i - mean(z))), which may be negative. The
    weak learner is asked at q_i exp(-D z_i) instead, scaled to sum 1 and with caps: the same to first order.
    The rule does not aim at the soft margin, and no bound on its rounds is known.

    Parameters
    ----------
    D : float, default=10
        The weight of the variance.

    References
    ----------
    Shen, Li: Boosting through optimization of margin distributions, 2010.
    """

    D: float = 10.0

    def __post_init__(self) -> None:
        check_positive("D", self.D)

    def start(self, room: Room) -> Step:
        """The step, which keeps the weights as the start of the next quadratic program."""
        weights = np.zeros(0)

        def step(at: Position) -> Proposal:
            nonlocal weights
            weights = self._best(room, padded(weights, len(room)) if len(weights) else at.weights)
            return Proposal(room.at(weights), room.at(weights, self.D))

        return step

    def _best(self, room: Room, start: Floats) -> Floats:
        prior = room.at(np.zeros(0), 1.0)
        H = self.D * prior.curvature(np.arange(len(room)))
        return maximise_on_simplex(prior.edges() - (H * start).sum(axis=1), H, start, 1e-10)
