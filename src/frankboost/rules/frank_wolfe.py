"""Frank-Wolfe rules, in coefficient space: weights over hypotheses.

With f = -(smoothed soft margin), the gradient of f at w is -A^T d, and f is eta-smooth in the sense
f(w + g v) <= f(w) - g d.Av + eta/2 g^2 ||Av||_inf^2. The slope along v is d.Av, the edges A^T d times v. A
step never leaves the simplex. A hypothesis whose weight a step uses up has exactly 0 afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

import numpy as np
from scipy.optimize import brentq

from frankboost.rooms.base import dot, vertex
from frankboost.rooms.line import Line
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, Step
from frankboost.typing import Floats


@dataclass(frozen=True)
class _FrankWolfe:
    kind: ClassVar[Literal["fw", "secondary"]] = "fw"

    def start(self, room: Room) -> Step:
        return lambda at: Proposal(room.at(self.move(room, at)))

    def move(self, room: Room, at: Position) -> Floats:
        """The next weights, from this round's position alone."""
        raise NotImplementedError


@dataclass(frozen=True)
class Classic(_FrankWolfe):
    """Classic step: w + 2/(t+2) (e_new - w), whatever the objective does (Frank, Wolfe 1956; Jaggi 2013)."""

    def move(self, room: Room, at: Position) -> Floats:
        return _step_along(at.weights, _to_newest(at), 2.0 / (at.round + 2.0), 1.0)


@dataclass(frozen=True)
class ShortStep(_FrankWolfe):
    """Short step (C-ERLPBoost): w + g (e_new - w), g = clip(d.A(e_new-w) / (eta ||A(e_new-w)||_inf^2))."""

    def move(self, room: Room, at: Position) -> Floats:
        direction = _to_newest(at)
        length = room.line(at.weights, direction).length()
        if length == 0.0:
            return at.weights
        return _step_along(at.weights, direction, dot(at.edges, direction) / (room.eta * length**2), 1.0)


@dataclass(frozen=True)
class LineSearch(_FrankWolfe):
    """Line search: w + g (e_new - w) with the best g in [0, 1]."""

    def move(self, room: Room, at: Position) -> Floats:
        return _search_along(room, at, _to_newest(at), 1.0)


@dataclass(frozen=True)
class Away(_FrankWolfe):
    """Away step: a line search towards the newest hypothesis, or away from the worst one in use; of the two
    directions the one of larger slope.

    References
    ----------
    Lacoste-Julien, Jaggi: On the global linear convergence of Frank-Wolfe optimization variants, 2015.
    """

    def move(self, room: Room, at: Position) -> Floats:
        worst = worst_in_use(at.weights, at.edges)
        towards, away = _to_newest(at), at.weights - _unit(at, worst)
        share = at.weights[worst]
        if dot(at.edges, towards) >= dot(at.edges, away) or share >= 1.0:
            return _search_along(room, at, towards, 1.0)
        return _search_along(room, at, away, share / (1.0 - share))


@dataclass(frozen=True)
class Pairwise(_FrankWolfe):
    """Pairwise step: w + g (e_new - e_worst), with the best g up to the weight of the worst one in use."""

    def move(self, room: Room, at: Position) -> Floats:
        worst = worst_in_use(at.weights, at.edges)
        return _search_along(room, at, _unit(at, at.newest) - _unit(at, worst), at.weights[worst])


@dataclass(frozen=True)
class BlendedPairwise(_FrankWolfe):
    """Blended step: a pairwise step inside the ensemble if its slope is as large as towards the newest
    hypothesis, which else gets the step.

    References
    ----------
    Tsuji, Tanaka, Pokutta: Pairwise conditional gradients without swap steps and sparser kernel herding,
    2022.
    """

    def move(self, room: Room, at: Position) -> Floats:
        worst = worst_in_use(at.weights, at.edges)
        best = int(np.argmax(np.where(at.weights > 0.0, at.edges, -np.inf)))
        inside = _unit(at, best) - _unit(at, worst)
        towards = _to_newest(at)
        if best != worst and dot(at.edges, inside) >= dot(at.edges, towards):
            return _search_along(room, at, inside, at.weights[worst])
        return _search_along(room, at, towards, 1.0)


def _unit(at: Position, j: int) -> Floats:
    """e_j, the vertex of the simplex with all weight on hypothesis j."""
    return vertex(j, len(at.weights))


def _to_newest(at: Position) -> Floats:
    """The direction from the weights to the newest hypothesis."""
    return _unit(at, at.newest) - at.weights


def worst_in_use(weights: Floats, edges: Floats) -> int:
    """The hypothesis of least edge among those with weight."""
    return int(np.argmin(np.where(weights > 0.0, edges, np.inf)))


def _search_along(room: Room, at: Position, direction: Floats, longest: float) -> Floats:
    """The weights after the best step along a direction."""
    return _step_along(at.weights, direction, best_step(room.line(at.weights, direction), longest), longest)


def best_step(line: Line, longest: float) -> float:
    """The step in [0, longest] that maximises the concave objective along a line: where its slope is 0."""

    @cache  # the search asks for both ends again
    def slope(step: float) -> float:
        return line.at(step).slope()

    if slope(0.0) <= 0.0:
        return 0.0
    if slope(longest) >= 0.0:
        return longest
    # disp=False: if the slope jumps, brentq may end before the bracket is as narrow as xtol, which is good
    # enough.
    return float(brentq(slope, 0.0, longest, xtol=1e-14 * longest, rtol=1e-12, disp=False))


def _step_along(weights: Floats, direction: Floats, step: float, longest: float) -> Floats:
    """w + step * direction, for a step in [0, longest]; weights that the longest step uses up are exactly
    0."""
    step = min(max(step, 0.0), longest)
    moved = weights + step * direction
    if step == longest:
        moved[(direction < 0.0) & (moved < 1e-12)] = 0.0
    return on_simplex(moved)


def on_simplex(weights: Floats) -> Floats:
    """Weights that rounding moved off the simplex, put back on it."""
    inside: Floats = np.maximum(weights, 0.0)
    return inside / float(inside.sum())
