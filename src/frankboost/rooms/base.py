"""What the loop and the rules see of the training set.

Everything with one entry per example lives in a room: rows, labels, margins, distributions. Rules, loop,
stopping and trace see scalars, vectors with one entry per hypothesis, and points: handles of distributions
that the room keeps wherever its rows are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from frankboost.learners.base import Hypothesis, Start
from frankboost.typing import Flags, Floats, Indices

SMALLEST_ETA, LARGEST_ETA = 4.0, 4096.0  # at which a fit from known weights may begin


class Point(Protocol):
    """The distribution d that attains min over d in P of d . A lam + KL(d || prior) / eta; immutable.

    Two points of a room with the same multipliers and eta are the same distribution.
    """

    @property
    def multipliers(self) -> Floats:
        """lam, one entry per hypothesis known when the point was made; later ones have 0."""

    @property
    def eta(self) -> float:
        """How little the entropy counts."""

    @property
    def value(self) -> float:
        """The minimum. Where lam are weights and eta the room's: their smoothed soft margin."""

    def soft_margin(self) -> float:
        """min over d in P of d . A lam: the soft margin of weights, times their sum."""

    def edges(self) -> Floats:
        """A^T d, one entry per hypothesis known."""

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of columns of A under d, over the rows whose weight can move.

        A_U^T (diag(d_U) - d_U d_U^T / sum d_U) A_U for the rows U that are neither at their cap nor of
        negligible weight. Times eta it is minus the Hessian of `value`. A rough one may be of single
        precision and leave out rows of little weight.
        """


AnyPoint = TypeVar("AnyPoint", bound=Point)


class LinePoint(Protocol):
    """A point of a line."""

    @property
    def value(self) -> float:
        """The smoothed soft margin."""

    def slope(self) -> float:
        """Its derivative along the line, d . A direction; it falls with the step."""


class Line(Protocol):
    """The smoothed soft margin along weights + step * direction."""

    def at(self, step: float) -> LinePoint:
        """Its point at this step."""

    def length(self) -> float:
        """||A direction||_inf."""


@dataclass(frozen=True, eq=False)
class Found:
    """What asking the weak learner brought.

    Attributes
    ----------
    edges : array with one entry per hypothesis
        At the point that was asked about.
    newest : int
        The hypothesis of largest edge.
    grew : bool
        Whether a hypothesis is new.
    """

    edges: Floats
    newest: int
    grew: bool


@dataclass(frozen=True, eq=False)
class Solution:
    """What leaves a room, by its one door, when the game is over.

    Attributes
    ----------
    hypotheses, weights : list, array
        The ensemble, largest weight first; the weights lie on the grid (see `grid`) and sum to 1.
    soft_margin : float
        That of the ensemble, rounded down.
    bound : float
        The least best edge over the points asked about, rounded up.
    distribution : array with one entry per example
        Where that was.
    capped : array with one entry per example
        Which examples are as heavy there as they may be.
    importances : array with one entry per feature, or None
        What each feature adds to the edge of the ensemble there, if the weak learner can tell.
    """

    hypotheses: list[Hypothesis]
    weights: Floats
    soft_margin: float
    bound: float
    distribution: Floats
    capped: Flags
    importances: Floats | None


class WholeColumns(Protocol):
    """What a rule may be given beyond a room, if the rows are all in one place."""

    @property
    def caps(self) -> Floats:
        """The largest weight of each example."""

    def column(self, j: int) -> Floats:
        """Column j of A."""

    def point(self, weights: Floats, distribution: Floats) -> Point:
        """A distribution as a point, where it attains the soft margin of the weights (eta = inf)."""


def padded(vector: Floats, size: int) -> Floats:
    """The vector with zeros for hypotheses found after it was made."""
    return np.concatenate([vector, np.zeros(size - len(vector))])


def recalled(start: Start, recall: Callable[[Any], Hypothesis | None]) -> tuple[list[Hypothesis], Floats]:
    """The hypotheses of a start that a class has, as it has them, and their weights."""
    known = [(recall(h), w) for h, w in zip(start.hypotheses, start.weights, strict=True)]
    kept = [(hypothesis, weight) for hypothesis, weight in known if hypothesis is not None]
    return [hypothesis for hypothesis, _ in kept], np.array([weight for _, weight in kept])


def leading(at: Callable[[float], AnyPoint]) -> AnyPoint:
    """Of the points of some weights, one for each eta, about the one of least largest edge.

    The bound there is near what the weights are worth, if they are good; at the prior it is near 1.
    """
    best = at(SMALLEST_ETA)
    while best.eta < LARGEST_ETA:
        point = at(2.0 * best.eta)
        if point.edges().max() >= best.edges().max():
            break
        best = point
    return best


def spread(weights: Floats, places: Sequence[int], size: int) -> Floats:
    """Weights of sum 1 for so many hypotheses, from those of some; two may be in one place."""
    total = np.zeros(size)
    np.add.at(total, places, weights / weights.sum())
    return total


def largest_first(weights: Floats) -> Indices:
    """The hypotheses that have weight, largest first."""
    used: Indices = np.flatnonzero(weights)
    return used[np.argsort(-weights[used], kind="stable")]


def dot(one: Floats, other: Floats) -> float:
    """The scalar product, the same on every machine; that of a BLAS depends on the processor."""
    return float((one * other).sum())


def same_point(one: Point, other: Point) -> bool:
    """Whether two points of a room are the same distribution."""
    size = max(len(one.multipliers), len(other.multipliers))
    return one.eta == other.eta and np.array_equal(
        padded(one.multipliers, size), padded(other.multipliers, size)
    )
