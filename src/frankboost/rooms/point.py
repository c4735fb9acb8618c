"""Points: immutable handles of distributions over the rows of a room."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import cached_property

import numpy as np

from frankboost.rooms import steps
from frankboost.rooms.base import padded
from frankboost.rooms.curvature import Sample, curvature
from frankboost.rooms.part import Pair, Part
from frankboost.rooms.questions import Number, added, asked, asked_each, asked_together
from frankboost.rooms.steps import RoomView
from frankboost.typing import Floats, Indices

SMALLEST_ETA, LARGEST_ETA = 4.0, 4096.0  # of the first point of a fit that starts from known weights


class Point:
    """The distribution d that attains min over d in P of d . A lam + KL(d || prior) / eta.

    Multipliers and eta determine the distribution: two points of a room that share them are the same. A
    point computes everything when it is first asked for.

    Parameters
    ----------
    room : RoomView
        The room.
    multipliers : array
        lam, one entry per hypothesis known when the point was made. Hypotheses found later have 0.
    eta : float
        The larger eta is, the less the entropy counts.
    given : Number or None
        The number of a distribution that the parts already keep, in place of the minimiser.
    line : tuple of Number, Number and float, or None
        Numbers a and b and a step s: the margins are those of a plus s times those of b, in place of A lam.
    """

    _held: tuple[Number, ...] = ()  # none yet, where an interrupt cuts the constructor short

    def __init__(
        self,
        room: RoomView,
        multipliers: Floats,
        eta: float,
        *,
        given: Number | None = None,
        line: tuple[Number, Number, float] | None = None,
    ) -> None:
        self.multipliers = multipliers
        self.eta = eta
        # The room holds points. With references back, its rows would stay in memory until a garbage
        # collection.
        self._room: RoomView = weakref.proxy(room)
        self._given = given
        self._line = line
        self._forgotten = room.forgotten
        self._held = () if given is None else (given,)
        self._number = room.new_number()  # of the margins, and of the distribution unless that is given
        self._held = (*self._held, self._number)
        self._edges = np.zeros(0)
        self._largest: dict[int, list[Pair]] = {}  # answers to `Part.largest` that are known, by the stride

    def __del__(self) -> None:
        if self._held:
            self._forgotten.extend(self._held)

    def belongs_to(self, room: RoomView) -> bool:
        """Whether this is a point of the given room."""
        return self._room.parts is room.parts

    @cached_property
    def margins_number(self) -> Number:
        """The number under which the parts keep the margins; lets the parts compute them once."""
        if self._line is None:
            self._room.parts.ask(Part.margins, self._number, self.multipliers)
        else:
            self._room.parts.ask(Part.margins_along, self._number, *self._line)
        return self._number

    @cached_property
    def _minimum(self) -> float:
        room = self._room
        if room.parts.can(Part.project):
            return room.parts.ask(Part.project, self.margins_number, self.eta)[0]
        if self._line is not None:
            return room.parts.run(steps.project(room, self.margins_number, self.eta))
        return self._minimum_and_soft_margin[0]

    @cached_property
    def _minimum_and_soft_margin(self) -> tuple[float, Pair]:
        """The minimum, and the soft margin with its quantile, in one exchange, as most callers want both."""
        return self._room.parts.run(steps.project_with_soft_margin(self._room, self.margins_number, self.eta))

    @property
    def value(self) -> float:
        """The minimum. If lam are weights and eta is the room's: the smoothed soft margin of the weights."""
        return self._minimum if self._given is None else self.soft_margin()

    def number(self) -> Number:
        """The number under which the parts keep the distribution, on the grid; lets the parts compute it
        once."""
        if self._given is not None:
            return self._given
        _ = self._minimum
        return self._number

    def soft_margin(self) -> float:
        """min over d in P of d . A lam: the soft margin of weights, times their sum."""
        return self.soft_margin_and_quantile[0]

    @cached_property
    def soft_margin_and_quantile(self) -> Pair:
        """The soft margin, and the largest margin that counts in it."""
        room = self._room
        if self._given is not None or room.parts.can(Part.soft_margin):
            return steps.soft_margin_and_quantile(room, self.margins_number)
        return self._minimum_and_soft_margin[1]

    def edges(self) -> Floats:
        """The edges A^T d. A later call computes only the edges of new hypotheses."""
        known, size = len(self._edges), len(self._room)
        if known < size:
            fresh = added(self._ask_edges(known))
            self._edges = np.concatenate([self._edges, fresh]) if known else fresh
        return self._edges.copy()

    def _ask_edges(self, known: int) -> list[Floats]:
        """Ask for edges and, in the same exchange, for the largest densities, which `curvature` needs
        first."""
        parts, edges = self._room.parts, asked(Part.edges, self.number(), known)
        if parts.can(Part.covariance):
            return parts.run(edges)
        stride = Sample.of(0, parts.rows, rough=True).stride  # the same for up to a few hundred columns
        largest = asked(Part.largest, self.number(), stride)
        answers, self._largest[stride] = parts.run(asked_together(edges, largest))
        return answers

    def learn(self, edges: Floats, before: int) -> None:
        """Append the edges of new hypotheses, if those of the `before` hypotheses before them are known."""
        if len(self._edges) == before:
            self._edges = np.concatenate([self._edges, edges])

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of columns of A under d, which times eta is minus the Hessian of `value`.

        A_U^T (diag(d_U) - d_U d_U^T / sum d_U) A_U for the rows U that are neither at their cap nor of
        negligible weight, or for a sample of them if they are many. A rough covariance takes a third of the
        time: it has single precision, and leaves out rows whose density is below a hundredth of the largest.
        """
        parts, number, threads = self._room.parts, self.number(), self._room.threads
        sample = Sample.of(len(columns), parts.rows, rough=rough)
        return curvature(parts, number, columns, sample, threads=threads, largest=self._largest)


class WholeColumns:
    """Whole columns of the margin matrix, for rules that need them; only if one part has all rows.

    In a game of many classes columns, distributions and caps are tables with a row per example, and the
    cap of an example holds for the sum of its row.
    """

    def __init__(self, room: RoomView) -> None:
        if not room.parts.can(Part.column):
            raise TypeError(
                "the rule needs whole columns of the margin matrix, which a cluster and a device do not "
                "have; use SoftMarginClassifier or ERLPBoostClassifier, or the rules Level or FullyCorrective"
            )
        self._room = room

    @cached_property
    def caps(self) -> Floats:
        """The largest weight of each entry of a column."""
        [caps] = self._room.parts.ask(Part.caps)
        return caps

    def reaches_caps(self, distribution: Floats) -> bool:
        """Whether some example has all the weight that it may have, or more."""
        m = len(self.caps)
        weight, most = distribution.reshape(m, -1).sum(axis=1), self.caps.reshape(m, -1).max(axis=1)
        return bool((weight >= most).any())

    def column(self, j: int) -> Floats:
        """Column j of A."""
        [column] = self._room.parts.ask(Part.column, j)
        return column

    def point(self, weights: Floats, distribution: Floats) -> Point:
        """The point of a distribution that a solver returned with these weights (eta = inf).

        The distribution attains the soft margin of the weights, up to rounding, which may have left it
        outside the capped simplex.
        """
        return Point(self._room, weights, np.inf, given=place_distribution(self._room, distribution))


def place_distribution(room: RoomView, distribution: Floats) -> Number:
    """Send the parts a distribution that rounding may have moved outside of P; returns the number of the
    nearest distribution of P."""
    number, ends = room.new_number(), np.cumsum(room.parts.ask(Part.size))[:-1]
    room.parts.run(asked_each(Part.place, np.split(distribution, ends), number))
    inside = nearest_within_caps(room, number)
    room.forgotten.append(number)
    return inside


def nearest_within_caps(room: RoomView, of: Number) -> Number:
    """The number of the distribution within today's caps that is nearest to a distribution."""
    number = room.new_number()
    steps.nearest(room.parts, number, of, room.nu)
    return number


def least_bound_point(at: Callable[[float], Point]) -> Point:
    """The point `at(eta)`, over etas that are powers of 2, whose largest edge is about the least.

    A fit from known weights begins there. If the weights are good, the first bound is near the optimum,
    whereas at the prior the bound is near 1.
    """
    best = at(SMALLEST_ETA)
    while best.eta < LARGEST_ETA:
        point = at(2.0 * best.eta)
        if point.edges().max() >= best.edges().max():
            break
        best = point
    return best


def same_point(one: Point | None, other: Point | None) -> bool:
    """Whether two points of a room are the same distribution, or both are None."""
    if one is None or other is None:
        return one is other
    size = max(len(one.multipliers), len(other.multipliers))
    return one.eta == other.eta and np.array_equal(
        padded(one.multipliers, size), padded(other.multipliers, size)
    )
