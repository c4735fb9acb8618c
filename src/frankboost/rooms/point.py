"""Distributions over the rows of a room, and lines through the weights."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from frankboost import native
from frankboost.grid import magic_for
from frankboost.rooms import steps
from frankboost.rooms.margin_matrix import covariance_of_signs
from frankboost.rooms.part import Pair, Part
from frankboost.rooms.questions import Number, Parts, added, asked
from frankboost.rooms.sample import Sample
from frankboost.typing import Floats, Indices


class Board(Protocol):
    """What a point needs of its room."""

    parts: Parts
    nu: float
    total: float  # the sum of the sample weights
    eta: float
    threads: int
    forgotten: list[Number]  # numbers that nobody holds any more

    def __len__(self) -> int: ...

    def new_number(self) -> Number:
        """For one more distribution."""


class RoomPoint:
    """A distribution over the rows of a room. Nothing is computed before it is asked for.

    Parameters
    ----------
    board : Board
        The room.
    multipliers : array
    eta : float
    given : Number or None
        Of a distribution that the parts have. None: of the one that belongs to the multipliers.
    line : tuple of Number, Number and float, or None
        The margins are those of the first, and so many times those of the second. None: those of the
        multipliers.
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
        self._extremes: Pair | None = None  # of the margins
        self._masses: Sequence[Floats] | None = None  # in buckets of margins

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
        board, number = self._board, self.with_margins
        if board.parts.can(Part.project):
            return board.parts.ask(Part.project, number, self.eta)[0]
        value, self._extremes = steps.project(
            board.parts, number, nu=board.nu, total=board.total, eta=self.eta
        )
        return value

    @property
    def value(self) -> float:
        """min over d in P of d . A lam + KL(d || prior) / eta."""
        return self._minimum if self._given is None else self.soft_margin()

    def number(self) -> Number:
        """The number of the distribution, as soon as the parts have it; it lies on the grid."""
        if self._given is not None:
            return self._given
        _ = self._minimum
        return self._number

    def soft_margin(self) -> float:
        """min over d in P of d . A lam."""
        return self.spent[0]

    @cached_property
    def spent(self) -> Pair:
        """The soft margin, and the margin up to which rows count in it."""
        parts, number = self._board.parts, self.with_margins
        if parts.can(Part.soft_margin):
            return parts.ask(Part.soft_margin, number)[0]
        return steps.soft_margin(parts, number, self._soft_margin_steps(), self._masses)

    def _soft_margin_steps(self) -> native.SoftMarginSteps:
        board = self._board
        if self._extremes is None:
            lows, highs = zip(*board.parts.ask(Part.extremes, self.with_margins), strict=True)
            self._extremes = min(lows), max(highs)
        low, high = self._extremes
        return native.SoftMarginSteps(low, high, board.parts.rows, board.nu, board.total)

    def edges(self) -> Floats:
        """A^T d; of hypotheses that are new since the last time only theirs are computed."""
        known, size = len(self._edges), len(self._board)
        if known < size:
            fresh = added(self._ask_edges(known))
            self._edges = np.concatenate([self._edges, fresh]) if known else fresh
        return self._edges.copy()

    def _ask_edges(self, known: int) -> list[Floats]:
        """Where questions take long, with the one that comes next as a rule."""
        parts, number = self._board.parts, self.number()
        if not parts.far or self._given is not None or "spent" in vars(self) or self._masses:
            return parts.ask(Part.edges, number, known)
        cut = self._soft_margin_steps().cut
        edges, self._masses = parts.ask_both(
            asked(Part.edges, number, known), asked(Part.buckets, number, cut)
        )
        return edges

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of columns of A under d, from a sample of rows if they are many.

        A rough one takes a third of the time: it is of single precision, and leaves out rows whose density
        is a hundredth of the largest.
        """
        parts, number = self._board.parts, self.number()
        sample = Sample.of(len(columns), parts.rows, rough=rough)
        here = parts.can(Part.covariance)
        least, stride, found = self._free(sample, here=here)
        free, weight = sum(each[0] for each in found), sum(each[1] for each in found)
        if free == 0:
            return np.zeros((len(columns), len(columns)))
        step = max(1, free // sample.enough)
        if here:
            rows = found[0][2][::step]
            return parts.ask(Part.covariance, number, rows, columns, stride * weight, sample.dtype)[0]
        before = np.concatenate([[0], np.cumsum([each[0] for each in found])[:-1]])
        groups = np.unique(columns // 8)
        samples = [(first, step) for first in (-before % step).tolist()]
        answers = parts.ask_each(Part.picked, samples, number, least, stride, groups)
        d = np.concatenate([each for each, _ in answers])
        signs = np.concatenate([each for _, each in answers], axis=1)
        mass = d * (stride * weight / d.sum())
        slots = np.searchsorted(groups, columns // 8) * 8 + columns % 8
        threads = self._board.threads
        return covariance_of_signs(np.ascontiguousarray(signs), slots, mass, sample.dtype, threads)

    def _free(self, sample: Sample, *, here: bool) -> tuple[Pair, int, list[Any]]:
        """The density and weight above which rows can move, the stride between rows, and the answers."""
        parts, number = self._board.parts, self.number()
        question: Any = Part.moving if here else Part.free
        for stride in dict.fromkeys((sample.stride, 1)):
            density, mass = zip(*parts.ask(Part.largest, number, stride), strict=True)
            least = sample.share * max(density), sample.share * max(mass)
            found = parts.ask(question, number, least, stride)
            if sum(each[0] for each in found) >= sample.enough:
                break
        return least, stride, found


class RoomLine:
    """The smoothed soft margin along a line, from the margins at its start and their change."""

    _ends: tuple[Number, Number] | None = None  # until there are two

    def __init__(self, board: Board, weights: Floats, direction: Floats) -> None:
        self._board = board
        self._start, self._change = self._ends = board.new_number(), board.new_number()
        for number, each in zip(self._ends, (weights, direction), strict=True):
            board.parts.ask(Part.margins, number, each)
        self._length = max(
            abs(each) for pair in board.parts.ask(Part.extremes, self._change) for each in pair
        )

    def __del__(self) -> None:
        if self._ends is not None:
            self._board.forgotten.extend(self._ends)

    def at(self, step: float) -> RoomLinePoint:
        """Its point at this step."""
        line = self._start, self._change, step
        return RoomLinePoint(self, RoomPoint(self._board, np.zeros(0), self._board.eta, line=line))

    def slope(self, point: RoomPoint) -> float:
        """At a point of it."""
        magic = magic_for(self._length)
        return float(sum(self._board.parts.ask(Part.slope, point.number(), self._change, magic)))

    def length(self) -> float:
        """||A direction||_inf."""
        return self._length


class RoomLinePoint:
    """A point of a line."""

    def __init__(self, line: RoomLine, point: RoomPoint) -> None:
        self._line = line
        self._point = point

    @property
    def value(self) -> float:
        """The smoothed soft margin."""
        return self._point.value

    def slope(self) -> float:
        """Its derivative d . A direction."""
        return self._line.slope(self._point)
