"""The room whose rows are in this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.grid import snapped_weights, soft_margin_below
from frankboost.learners.base import Answer, Hypothesis, Need, Oracle, Start
from frankboost.objective import CappedSimplex
from frankboost.rooms.base import Found, Point, Room, Solution, largest_first, leading, recalled, spread
from frankboost.rooms.local_point import LocalLine, LocalPoint
from frankboost.rooms.margin_matrix import MarginMatrix
from frankboost.rooms.margins import Margins
from frankboost.stopwatch import Stopwatch
from frankboost.typing import Floats, Indices


@dataclass(frozen=True, eq=False)
class Examples:
    """The rows that are played on.

    Attributes
    ----------
    X : array of shape (m, n)
    margins : Margins
        What their labels mean.
    sample_weight : array of shape (m,)
        All positive.
    members : array of shape (m,) or int
        How many equal examples each one stands for.
    weight_error : float
        What rounding did to the sample weights when those of equal examples were added up, relatively.
    """

    X: Floats
    margins: Margins
    sample_weight: Floats
    members: Indices | int = 1
    weight_error: float = 0.0


@dataclass(frozen=True, eq=False)
class _Least:
    """The least best edge so far, and where it was."""

    edge: float
    distribution: Floats


class LocalRoom(Room):
    """Rows in this process, worked on by threads.

    Parameters
    ----------
    examples : Examples
    oracle : Oracle
        The weak learner, prepared for these rows.
    nu, tol : float
        They give the caps of the distributions and the smoothing of the objective.
    threads : int
        To work with; no answer depends on it.
    learner : str
        What the weak learner is called in errors.
    """

    def __init__(
        self,
        examples: Examples,
        oracle: Oracle,
        *,
        nu: float,
        tol: float,
        threads: int = 1,
        learner: str = "the weak learner",
    ) -> None:
        self.hypotheses = []
        self.oracle_watch = Stopwatch()
        self._examples = examples
        self._oracle = oracle
        self._threads = threads
        self._learner = learner
        self._matrix = MarginMatrix(len(examples.X), threads)
        self._cap(nu, tol)
        self._open(self._simplex.prior)

    def _cap(self, nu: float, tol: float) -> None:
        rows = self._examples
        self._nu, self._tol = nu, tol
        self._simplex = CappedSimplex.from_weights(
            rows.sample_weight, nu, self._threads, members=rows.members, error=rows.weight_error
        )
        self.eta = self._simplex.eta(tol)
        self.entropy_range = self._simplex.entropy_range()

    @property
    def bound(self) -> float:
        """The least best edge so far."""
        return self._least.edge

    @property
    def caps(self) -> Floats:
        """The largest weight of each example."""
        return self._simplex.caps

    def at(self, multipliers: Floats, eta: float | None = None) -> LocalPoint:
        """The point that belongs to multipliers; eta is the room's by default."""
        return LocalPoint(self._matrix, self._simplex, multipliers, self.eta if eta is None else eta)

    def point(self, weights: Floats, distribution: Floats) -> LocalPoint:
        """A distribution as a point; a solver's rounding may have left it outside the capped simplex."""
        inside = self._simplex.nearest(distribution)
        return LocalPoint(self._matrix, self._simplex, weights, np.inf, inside)

    def line(self, weights: Floats, direction: Floats) -> LocalLine:
        """The objective from `weights` along `direction`."""
        margins = self._matrix.margins
        return LocalLine(self._simplex, self.eta, margins(weights), margins(direction))

    def whole(self) -> LocalRoom:
        """This room: its rows are all in one place."""
        return self

    def column(self, j: int) -> Floats:
        """Column j of A."""
        return self._matrix.column(j)

    def restrict(self, nu: float, tol: float) -> None:
        """Go on with another nu: the hypotheses stay, and of the distributions the one of least edge."""
        self._cap(nu, tol)
        self._open(self._simplex.nearest(self._least.distribution))

    def recall(self, start: Start) -> Floats | None:
        """Take in what is known beforehand and in the class; with others the certificate would be false."""
        hypotheses, weights = recalled(start, self._oracle.recall)
        if not weights.any():
            return None
        places = self._add(hypotheses, self._columns(hypotheses))
        weights = spread(weights, places, len(self))
        if start.distribution is None:
            self._open(leading(partial(self.at, weights)).distribution)
        else:
            self._open(self._simplex.nearest(start.distribution))
        return weights

    def reopen(self) -> None:
        """Let the next game begin at the distribution of the bound."""
        self._first = LocalPoint(self._matrix, self._simplex, np.zeros(0), np.inf, self._least.distribution)

    def _open(self, distribution: Floats) -> None:
        """Begin at a distribution; no edge is known."""
        self._least = _Least(np.inf, distribution)
        self.reopen()

    def ask(self, point: Point | None = None, low: float = -np.inf, level: float = -np.inf) -> Found:
        """Ask the weak learner at a point; keep its hypotheses and the bound."""
        asked = self._first if point is None else point
        if not isinstance(asked, LocalPoint):
            raise TypeError(f"the point must be one of this room; got {asked!r}")
        before, d = len(self), asked.distribution
        self._oracle.need = self._need(asked, low, level)
        answer = self._search(d)
        columns = self._columns(answer.hypotheses)
        places = self._add(answer.hypotheses, columns)
        edges = asked.edges()
        best = int(np.argmax(edges))
        # A hypothesis met before may beat a heuristic learner's answer; an exact one's it can only tie.
        newest = places[0] if edges[places[0]] >= edges[best] else best
        bound = _largest_edge(d, columns) if answer.bound is None else answer.bound
        bound = max(bound, float(edges[best])) + 2.0 * self._simplex.excess
        if bound < self._least.edge:
            # One assignment: an interrupt never separates the bound from what attains it.
            self._least = _Least(bound, d)
        return Found(edges, newest, len(self) > before)

    def _need(self, asked: LocalPoint, low: float, level: float) -> Need:
        """What an answer is for. A bound that ends the game is a hair lower: weights are put on the grid."""
        excess = 2.0 * self._simplex.excess
        known = max(float(asked.edges().max()) if len(self) > 0 else -1.0, level)
        return Need(known, self.bound - excess, low + (1.0 - 1e-6) * self._tol - excess)

    def _largest_known(self) -> float:
        """A bound for the hypotheses known by now, at the distribution of the bound."""
        d = self._least.distribution
        signs = self._matrix.are_signs(np.arange(len(self)))
        edge = float(self._matrix.edges(d).max()) + (0.0 if signs else len(d) * 2.0**-52)
        return edge + 2.0 * self._simplex.excess

    def _search(self, d: Floats) -> Answer:
        answer = self.oracle_watch.timing(self._oracle)(self._examples.margins.signed(d))
        if len(answer.hypotheses) == 0:
            raise ValueError(f"{self._learner} returned no hypothesis")
        return answer

    def _columns(self, hypotheses: Sequence[Hypothesis]) -> list[NDArray[Any]]:
        values = self._oracle.values(hypotheses, self._examples.X)
        return [self._examples.margins.column(self._checked(each)) for each in values]

    def _checked(self, values: NDArray[Any]) -> NDArray[Any]:
        """What a hypothesis says of the rows, if it is a hypothesis."""
        values, rows = np.asarray(values), len(self._examples.X)
        if values.shape != (rows,):
            raise ValueError(
                f"{self._learner} returned a hypothesis with values of shape {values.shape} "
                f"for {rows} rows; expected ({rows},)"
            )
        if not bool((np.abs(values) <= 1).all()):
            raise ValueError(
                f"{self._learner} returned a hypothesis with values from {values.min():g} "
                f"to {values.max():g}; allowed: [-1, 1]"
            )
        return values

    def _add(self, hypotheses: Sequence[Hypothesis], columns: list[NDArray[Any]]) -> list[int]:
        """The numbers of hypotheses, new or known."""
        places = []
        for hypothesis, column in zip(hypotheses, columns, strict=True):
            places.append(self._matrix.add(column))
            if places[-1] == len(self.hypotheses):
                self.hypotheses.append(hypothesis)
        return places

    def proved(self, weights: Floats) -> float:
        """The soft margin of weights, put on the grid, that can be proved: rounded down, if at all."""
        return self._proved(snapped_weights(weights))

    def _proved(self, weights: Floats) -> float:
        # Signs add up exactly. Single precision rounded other entries down; their sums are rounded as well.
        signs = self._matrix.are_signs(np.flatnonzero(weights))
        error = 0.0 if signs else (np.count_nonzero(weights) + 2) * 2.0**-53
        rows = self._examples
        margins = self._matrix.margins(weights)
        quantile = self._simplex.spent(margins)[1]
        return soft_margin_below(
            margins, rows.sample_weight, self._nu, quantile, error=error, weight_error=rows.weight_error
        )

    def outcome(self, weights: Floats, *, importances: bool = True) -> Solution:
        """What is left when the game is over."""
        weights = snapped_weights(weights)
        soft_margin = self._proved(weights)
        used = largest_first(weights)
        hypotheses = [self.hypotheses[j] for j in used]
        d = self._least.distribution
        gains = self._oracle.gains(hypotheses, self._examples.margins.signed(d)) if importances else None
        return Solution(
            hypotheses=hypotheses,
            weights=weights[used],
            soft_margin=soft_margin,
            # Below the soft margin it is a heuristic learner's, which failed to find what it found later.
            bound=self.bound if self.bound >= soft_margin else self._largest_known(),
            distribution=d,
            capped=self._simplex.capped(d),
            importances=None if gains is None else (weights[used, None] * gains).sum(axis=0),
        )


def _largest_edge(d: Floats, columns: Sequence[NDArray[Any]]) -> float:
    """The largest d . column, and what rounding can do to it: nothing if entries are -1 and +1.

    Of those the first is the best, or `LocalPoint.edges` has a better one; other columns are rounded there.
    """
    rounded = [column for column in columns if column.dtype != np.int8]
    edges = [(d * columns[0]).sum(), *((d * column).sum() + len(d) * 2.0**-52 for column in rounded)]
    return float(max(edges))
