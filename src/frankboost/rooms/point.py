"""Points: distributions over the rows of a room."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import cached_property

import numpy as np

from frankboost.rooms import steps
from frankboost.rooms.base import padded
from frankboost.rooms.curvature import Sample, curvature
from frankboost.rooms.part import Pair, Part
from frankboost.rooms.questions import Number, added, asked, asked_each, beside
from frankboost.rooms.steps import Board
from frankboost.typing import Floats, Indices

SMALLEST_ETA, LARGEST_ETA = 4.0, 4096.0  # at which a fit from known weights may begin


class Point:
    """The distribution d that attains min over d in P of d . A lam + KL(d || prior) / eta; immutable.

    Two points of a room with the same multipliers and eta are the same distribution. Nothing is computed
    before it is asked for.

    Parameters
    ----------
    board : Board
        The room.
    multipliers : array
        lam, one entry per hypothesis known when the point was made; later ones have 0.
    eta : float
        How little the entropy counts.
    given : Number or None
        The number of a distribution that the parts have. None: that of the multipliers.
    line : tuple of Number, Number and float, or None
        Numbers a and b and a step s: the margins are those of a plus s times those of b. None: the margins
        are those of the multipliers.
    """

    _held: tuple[Number, ...] = ()  # none yet, where an interrupt cuts the making short

    def __init__(
        self,
        board: Board,
        multipliers: Floats,
        eta: float,
        *,
        given: Number | None = None,
        line: tuple[Number, Number, float] | None = None,
    ) -> None:
        self.multipliers = multipliers
        self.eta = eta
        # The room keeps points: if they kept it, its rows would stay until garbage is collected.
        self._board: Board = weakref.proxy(board)
        self._given = given
        self._line = line
        self._forgotten = board.forgotten
        self._held = () if given is None else (given,)
        self._number = board.new_number()  # of the margins, and of the distribution unless that is given
        self._held = (*self._held, self._number)
        self._edges = np.zeros(0)
        self._largest: dict[int, list[Pair]] = {}  # what parts said of `Part.largest`, by the stride

    def __del__(self) -> None:
        if self._held:
            self._forgotten.extend(self._held)

    def belongs_to(self, board: Board) -> bool:
        """Whether this is a point of that room."""
        return self._board.parts is board.parts

    @cached_property
    def with_margins(self) -> Number:
        """The number, as soon as the parts have margins under it."""
        if self._line is None:
            self._board.parts.ask(Part.margins, self._number, self.multipliers)
        else:
            self._board.parts.ask(Part.margins_along, self._number, *self._line)
        return self._number

    @cached_property
    def _minimum(self) -> float:
        board = self._board
        if board.parts.can(Part.project):
            return board.parts.ask(Part.project, self.with_margins, self.eta)[0]
        if self._line is not None:
            return board.parts.run(steps.project(board, self.with_margins, self.eta))
        return self._minimum_and_spent[0]

    @cached_property
    def _minimum_and_spent(self) -> tuple[float, Pair]:
        """The minimum and the soft margin, in one exchange, as most callers want both."""
        return self._board.parts.run(steps.project_and_spend(self._board, self.with_margins, self.eta))

    @property
    def value(self) -> float:
        """The minimum. Where lam are weights and eta the room's: their smoothed soft margin."""
        return self._minimum if self._given is None else self.soft_margin()

    def number(self) -> Number:
        """The number of the distribution, as soon as the parts have it; it lies on the grid."""
        if self._given is not None:
            return self._given
        _ = self._minimum
        return self._number

    def soft_margin(self) -> float:
        """min over d in P of d . A lam: the soft margin of weights, times their sum."""
        return self.spent[0]

    @cached_property
    def spent(self) -> Pair:
        """The soft margin, and the margin up to which rows count in it."""
        board = self._board
        if self._given is not None or board.parts.can(Part.soft_margin):
            return steps.spent(board, self.with_margins)
        return self._minimum_and_spent[1]

    def edges(self) -> Floats:
        """A^T d; after the first time, only the edges of new hypotheses are computed."""
        known, size = len(self._edges), len(self._board)
        if known < size:
            fresh = added(self._ask_edges(known))
            self._edges = np.concatenate([self._edges, fresh]) if known else fresh
        return self._edges.copy()

    def _ask_edges(self, known: int) -> list[Floats]:
        """Ask for edges and, in the same exchange, for the first answer that `curvature` needs."""
        parts, edges = self._board.parts, asked(Part.edges, self.number(), known)
        if parts.can(Part.covariance):
            return parts.run(edges)
        stride = Sample.of(0, parts.rows, rough=True).stride  # that of a few hundred columns too
        answers, self._largest[stride] = parts.run(beside(edges, asked(Part.largest, self.number(), stride)))
        return answers

    def learn(self, edges: Floats, before: int) -> None:
        """Note the edges of new hypotheses, if the edges of all `before` them are known."""
        if len(self._edges) == before:
            self._edges = np.concatenate([self._edges, edges])

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of columns of A under d, over the rows whose weight can move.

        A_U^T (diag(d_U) - d_U d_U^T / sum d_U) A_U for the rows U that are neither at their cap nor of
        negligible weight, from a sample of them if they are many. Times eta it is minus the Hessian of
        `value`. A rough one takes a third of the time: it is of single precision, and leaves out rows whose
        density is a hundredth of the largest.
        """
        parts, number, threads = self._board.parts, self.number(), self._board.threads
        sample = Sample.of(len(columns), parts.rows, rough=rough)
        return curvature(parts, number, columns, sample, threads=threads, largest=self._largest)


class WholeColumns:
    """Whole columns of the margin matrix, for rules that need them; only if one part has all rows.

    In a game of many classes columns, distributions and caps are tables with a row per example, and the
    cap of an example holds for the sum of its row.
    """

    def __init__(self, board: Board) -> None:
        if not board.parts.can(Part.column):
            raise TypeError(
                "the rule needs whole columns of the margin matrix, which a cluster and a device do not "
                "have; use SoftMarginClassifier or ERLPBoostClassifier, or the rules Level or FullyCorrective"
            )
        self._board = board

    @cached_property
    def caps(self) -> Floats:
        """The largest weight of each entry of a column."""
        [caps] = self._board.parts.ask(Part.caps)
        return caps

    def reaches_caps(self, distribution: Floats) -> bool:
        """Whether some example has all the weight that it may have, or more."""
        m = len(self.caps)
        weight, most = distribution.reshape(m, -1).sum(axis=1), self.caps.reshape(m, -1).max(axis=1)
        return bool((weight >= most).any())

    def column(self, j: int) -> Floats:
        """Column j of A."""
        [column] = self._board.parts.ask(Part.column, j)
        return column

    def point(self, weights: Floats, distribution: Floats) -> Point:
        """A distribution as a point, where it attains the soft margin of the weights (eta = inf).

        A solver's rounding may have left it outside the capped simplex.
        """
        return Point(self._board, weights, np.inf, given=placed(self._board, distribution))


def placed(board: Board, distribution: Floats) -> Number:
    """The distribution of P nearest to a vector that rounding may have moved outside of P."""
    number, ends = board.new_number(), np.cumsum(board.parts.ask(Part.size))[:-1]
    board.parts.run(asked_each(Part.place, np.split(distribution, ends), number))
    inside = next_to(board, number)
    board.forgotten.append(number)
    return inside


def next_to(board: Board, of: Number) -> Number:
    """The distribution within the caps next to one."""
    number = board.new_number()
    steps.nearest(board.parts, number, of, board.nu)
    return number


def leading(at: Callable[[float], Point]) -> Point:
    """Among the points of some weights, one per eta, a point whose largest edge is about the least.

    The bound there is near what the weights are worth, if they are good; at the prior it is near 1.
    """
    best = at(SMALLEST_ETA)
    while best.eta < LARGEST_ETA:
        point = at(2.0 * best.eta)
        if point.edges().max() >= best.edges().max():
            break
        best = point
    return best


def same_point(one: Point, other: Point) -> bool:
    """Whether two points of a room are the same distribution."""
    size = max(len(one.multipliers), len(other.multipliers))
    return one.eta == other.eta and np.array_equal(
        padded(one.multipliers, size), padded(other.multipliers, size)
    )
