"""The training set as a game: a distribution over the examples against a weak learner.

Everything with one entry an example lives here and in the margin matrix: margins, distributions. The loop
and the rules see vectors with one entry a hypothesis, and scalars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Found, Hypothesis, Start
from frankboost.margin_matrix import MarginMatrix
from frankboost.objective import CappedSimplex

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Values = Callable[[Sequence[Hypothesis]], Iterable[NDArray[Any]]]


@dataclass(frozen=True, eq=False)
class Answer:
    """What the weak learner answered at the current distribution."""

    edge: float  # the largest edge known there
    newest: int  # the hypothesis that has it
    grew: bool  # whether a hypothesis is new
    edges: Floats  # of all hypotheses


@dataclass(frozen=True)
class Value:
    """What a vector of weights is worth."""

    smoothed: float
    soft_margin: float


@dataclass(frozen=True, eq=False)
class Least:
    """The least best edge so far, which bounds the soft margin of every ensemble, and where it was."""

    edge: float
    distribution: Floats


class Line:
    """The smoothed soft margin along w + step * direction."""

    def __init__(self, simplex: CappedSimplex, eta: float, start: Floats, change: Floats) -> None:
        self._simplex = simplex
        self._eta = eta
        self._start = start
        self._change = change

    def value(self, step: float) -> float:
        """The smoothed soft margin at this step."""
        return self._simplex.smoothed(self._start + step * self._change, self._eta)[0]

    def slope(self, step: float) -> float:
        """Its derivative d . A direction; it falls with the step."""
        _, d = self._simplex.smoothed(self._start + step * self._change, self._eta)
        return float(d @ self._change)

    def length(self) -> float:
        """||A direction||_inf."""
        return float(np.abs(self._change).max())


class Game:
    """One training set, its weak learner, and the distribution being played.

    Parameters
    ----------
    simplex : CappedSimplex
    oracle : function from a distribution to hypotheses, best first
    X, y : the training set; y holds -1 and +1
    eta : float
        The smoothing of the objective.
    learner : str
        What the weak learner is called in errors.
    values : function from hypotheses to what each says of the rows of X; default: ask them one by one
    """

    def __init__(
        self,
        simplex: CappedSimplex,
        oracle: Callable[[Floats], Sequence[Hypothesis]],
        X: Floats,
        y: Floats,
        *,
        eta: float,
        learner: str = "the weak learner",
        values: Values | None = None,
        threads: int = 1,
    ) -> None:
        self.hypotheses: list[Hypothesis] = []
        self._restrict(simplex, eta, simplex.prior)
        self._oracle = oracle
        self._values = values or (lambda hypotheses: (hypothesis(X) for hypothesis in hypotheses))
        self._y = y
        self._signs = y.astype(np.int8)
        self._learner = learner
        self._matrix = MarginMatrix(len(y), threads)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def restrict(self, simplex: CappedSimplex, eta: float) -> None:
        """Go on with other caps: the hypotheses stay, and of the distributions the one of least edge."""
        self._restrict(simplex, eta, simplex.nearest(self.least.distribution))

    def _restrict(self, simplex: CappedSimplex, eta: float, distribution: Floats) -> None:
        self.simplex = simplex
        self.eta = eta
        self.distribution = distribution
        self.least = Least(np.inf, distribution)
        self._tilt = np.zeros(len(distribution))
        self._edges: tuple[Floats | None, Floats] = (None, np.zeros(0))
        self._valued: tuple[Floats, Value | None] = (np.zeros(0), None)

    def recall(self, start: Start) -> Floats:
        """Take in what is known beforehand; returns its weights, one a hypothesis of this game."""
        columns = map(self._column, self._values(start.hypotheses))
        places = [self._add(*pair) for pair in zip(start.hypotheses, columns, strict=True)]
        self.distribution = self.simplex.nearest(start.distribution)
        weights = np.zeros(len(self))
        for place, weight in zip(places, start.weights, strict=True):
            weights[place] += weight
        return weights

    def ask(self) -> Answer:
        """Ask the weak learner at the current distribution; keep its hypotheses and the bound."""
        before = len(self)
        answers = self._oracle(self.distribution)
        if len(answers) == 0:
            raise ValueError(f"{self._learner} returned no hypothesis")
        columns = [self._column(values) for values in self._values(answers)]
        places = [self._add(*pair) for pair in zip(answers, columns, strict=True)]
        edges = self.edges()
        for place, column in zip(places, columns, strict=True):
            if column.dtype != np.int8:
                edges[place] = self.distribution @ column  # the bound is not rounded as the matrix is
        best = int(np.argmax(edges))
        # A hypothesis met before may beat a heuristic learner's answer; an exact one's it can only tie.
        newest = places[0] if edges[places[0]] >= edges[best] - 1e-7 else best
        largest = max(float(edges[best]), answers.largest_edge if isinstance(answers, Found) else -np.inf)
        if largest < self.least.edge:
            # One assignment: an interrupt never separates the bound from what attains it.
            self.least = Least(largest, self.distribution)
        return Answer(largest, newest, len(self) > before, edges)

    def _column(self, values: NDArray[Any]) -> NDArray[Any]:
        """The margins of a hypothesis, if it is one; int8 if they are all -1 or +1."""
        values = np.asarray(values)
        if values.shape != self._y.shape:
            raise ValueError(
                f"{self._learner} returned a hypothesis with values of shape {values.shape} "
                f"for {len(self._y)} rows; expected ({len(self._y)},)"
            )
        sizes = np.abs(values)
        if not bool((sizes <= 1).all()):
            raise ValueError(
                f"{self._learner} returned a hypothesis with values from {values.min():g} "
                f"to {values.max():g}; allowed: [-1, 1]"
            )
        if bool((sizes == 1).all()):
            return values.astype(np.int8, copy=False) * self._signs
        return values * self._y

    def _add(self, hypothesis: Hypothesis, column: NDArray[Any]) -> int:
        place = self._matrix.add(column)
        if place == len(self.hypotheses):
            self.hypotheses.append(hypothesis)
        return place

    def value(self, weights: Floats) -> Value:
        """What weights are worth."""
        known, value = self._valued
        size = len(known)
        if value is None or weights[size:].any() or not np.array_equal(weights[:size], known):
            margins = self._matrix.margins(weights)
            smoothed, _ = self.simplex.smoothed(margins, self.eta)
            value = Value(smoothed=smoothed, soft_margin=self.simplex.soft_margin(margins))
            self._valued = weights, value  # the best weights often stay for some rounds
        return value

    def play(self, weights: Floats) -> float:
        """Play the gradient of the smoothed objective at `weights`; returns the objective."""
        value, self.distribution = self.simplex.smoothed(self._matrix.margins(weights), self.eta)
        return value

    def tilt(self, multipliers: Floats) -> float:
        """Play argmin over d of KL(d || prior) + multipliers . A^T d; returns that minimum."""
        self._tilt = self._matrix.margins(multipliers)
        value, self.distribution = self.simplex.smoothed(self._tilt, 1.0)
        return value

    def tilted_soft_margin(self) -> float:
        """The soft margin of the multipliers of the last tilt, not scaled: of weights, times their sum."""
        return self.simplex.soft_margin(self._tilt)

    def soft_margin(self, weights: Floats) -> float:
        """The soft margin of weights."""
        return self.simplex.soft_margin(self._matrix.margins(weights))

    def edges(self) -> Floats:
        """A^T d at the current distribution."""
        d, known = self._edges
        if d is not self.distribution:
            known = np.zeros(0)
        if len(known) < len(self):  # only of hypotheses that are new since
            self._edges = self.distribution, self._matrix.edges(self.distribution, known)
        return self._edges[1].copy()

    def line(self, weights: Floats, direction: Floats) -> Line:
        """The objective from `weights` along `direction`."""
        margins = self._matrix.margins
        return Line(self.simplex, self.eta, margins(weights), margins(direction))

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of `columns` under the current distribution, over the rows that can move.

        A_U^T (diag(d_U) - d_U d_U^T / sum d_U) A_U for the rows U that are neither at their cap nor of
        negligible weight. Times eta it is minus the Hessian of the smoothed objective. A rough one takes a
        third of the time: of single precision, and without rows whose weight is a hundredth of the largest.
        """
        d, share = self.distribution, 1e-2 if rough else 1e-7
        # Twenty rows a column tell as much as a million; of more, every k-th stands for its neighbours.
        enough = max(20 * len(columns), 8192 if rough else 65536)
        stride = max(1, len(d) // (4 * enough))
        free = self.simplex.free(d, share, stride)
        if stride > 1 and len(free) < enough:
            stride, free = 1, self.simplex.free(d, share)
        if len(free) == 0:
            return np.zeros((len(columns), len(columns)))
        chosen = np.ascontiguousarray(free[:: max(1, len(free) // enough)])
        mass = d[chosen] * (stride * d[free].sum() / d[chosen].sum())
        return self._matrix.covariance(columns, chosen, mass, np.float32 if rough else np.float64)

    def column(self, j: int) -> Floats:
        """Column j of A, whole: for the linear program alone."""
        return self._matrix.column(j)
