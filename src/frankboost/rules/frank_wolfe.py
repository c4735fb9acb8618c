"""Frank-Wolfe rules, in coefficient space: weights over hypotheses.

With f = -(smoothed soft margin), the gradient of f at w is -A^T d, and f is eta-smooth in the sense
f(w + g v) <= f(w) - g d.Av + eta/2 g^2 ||Av||_inf^2. A step never leaves the simplex, and a hypothesis
whose weight it uses up is left with exactly 0.
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
        """The next weights; a rule keeps nothing between rounds."""
        raise NotImplementedError


@dataclass(frozen=True)
class Classic(_FrankWolfe):
    """Classic step: w + 2/(t+2) (e_new - w), whatever the objective does (Frank, Wolfe 1956; Jaggi 2013)."""

    def move(self, room: Room, at: Position) -> Floats:
        return _along(at.weights, _towards(at), 2.0 / (at.round + 2.0), 1.0)


@dataclass(frozen=True)
class ShortStep(_FrankWolfe):
    """Short step (C-ERLPBoost): w + g (e_new - w), g = clip(d.A(e_new-w) / (eta ||A(e_new-w)||_inf^2))."""

    def move(self, room: Room, at: Position) -> Floats:
        direction = _towards(at)
        length = room.line(at.weights, direction).length()
        if length == 0.0:
            return at.weights
        return _along(at.weights, direction, _gain(at, direction) / (room.eta * length**2), 1.0)


@dataclass(frozen=True)
class LineSearch(_FrankWolfe):
    """Line search: w + g (e_new - w) with the best g in [0, 1]."""

    def move(self, room: Room, at: Position) -> Floats:
        return _search(room, at, _towards(at), 1.0)


@dataclass(frozen=True)
class Away(_FrankWolfe):
    """Away step: towards the newest hypothesis, or away from the worst one in use, whichever promises more.

    References
    ----------
    Lacoste-Julien, Jaggi: On the global linear convergence of Frank-Wolfe optimization variants, 2015.
    """

    def move(self, room: Room, at: Position) -> Floats:
        worst = worst_in_use(at.weights, at.edges)
        towards, away = _towards(at), at.weights - _unit(at, worst)
        share = at.weights[worst]
        if _gain(at, towards) >= _gain(at, away) or share >= 1.0:
            return _search(room, at, towards, 1.0)
        return _search(room, at, away, share / (1.0 - share))


@dataclass(frozen=True)
class Pairwise(_FrankWolfe):
    """Pairwise step: w + g (e_new - e_worst), with the best g up to the weight of the worst one in use."""

    def move(self, room: Room, at: Position) -> Floats:
        worst = worst_in_use(at.weights, at.edges)
        return _search(room, at, _unit(at, at.newest) - _unit(at, worst), at.weights[worst])


@dataclass(frozen=True)
class BlendedPairwise(_FrankWolfe):
    """Blended step: a transfer inside the ensemble while that promises as much as the newest hypothesis.

    References
    ----------
    Tsuji, Tanaka, Pokutta: Pairwise conditional gradients without swap steps and sparser kernel herding,
    2022.
    """

    def move(self, room: Room, at: Position) -> Floats:
        worst = worst_in_use(at.weights, at.edges)
        best = int(np.argmax(np.where(at.weights > 0.0, at.edges, -np.inf)))
        local = _unit(at, best) - _unit(at, worst)
        towards = _towards(at)
        if best != worst and _gain(at, local) >= _gain(at, towards):
            return _search(room, at, local, at.weights[worst])
        return _search(room, at, towards, 1.0)


def _unit(at: Position, j: int) -> Floats:
    return vertex(j, len(at.weights))


def _towards(at: Position) -> Floats:
    return _unit(at, at.newest) - at.weights


def worst_in_use(weights: Floats, edges: Floats) -> int:
    """The hypothesis of least edge among those with weight."""
    return int(np.argmin(np.where(weights > 0.0, edges, np.inf)))


def _gain(at: Position, direction: Floats) -> float:
    return dot(at.edges, direction)


def _search(room: Room, at: Position, direction: Floats, longest: float) -> Floats:
    return _along(at.weights, direction, best_step(room.line(at.weights, direction), longest), longest)


def best_step(line: Line, longest: float) -> float:
    """argmax of a concave function over [0, longest]: where its slope changes sign."""

    @cache  # the search asks for both ends again
    def slope(step: float) -> float:
        return line.at(step).slope()

    if slope(0.0) <= 0.0:
        return 0.0
    if slope(longest) >= 0.0:
        return longest
    # disp=False: where the slope is a cliff the bracket may still be wider than xtol, and is good enough.
    return float(brentq(slope, 0.0, longest, xtol=1e-14 * longest, rtol=1e-12, disp=False))


def _along(weights: Floats, direction: Floats, step: float, longest: float) -> Floats:
    """w + step * direction; what the longest step uses up is left with exactly 0."""
    step = min(max(step, 0.0), longest)
    moved = weights + step * direction
    if step == longest:
        moved[(direction < 0.0) & (moved < 1e-12)] = 0.0
    return on_simplex(moved)


def on_simplex(weights: Floats) -> Floats:
    """Weights off the simplex by rounding, put back."""
    inside: Floats = np.maximum(weights, 0.0)
    return inside / float(inside.sum())
