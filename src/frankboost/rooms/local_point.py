"""Distributions over rows of this process, and lines through the weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from frankboost.grid import magic_for
from frankboost.objective import CappedSimplex
from frankboost.rooms.margin_matrix import MarginMatrix
from frankboost.rooms.sample import Sample
from frankboost.typing import Floats, Indices


class LocalPoint:
    """A distribution over rows of this process. Nothing is computed before it is asked for."""

    def __init__(
        self,
        matrix: MarginMatrix,
        simplex: CappedSimplex,
        multipliers: Floats,
        eta: float,
        distribution: Floats | None = None,
    ) -> None:
        self.multipliers = multipliers
        self.eta = eta
        self._matrix = matrix
        self._simplex = simplex
        self._given = None if distribution is None else simplex.snapped(distribution)
        self._edges = np.zeros(0)

    @cached_property
    def _margins(self) -> Floats:
        return self._matrix.margins(self.multipliers)

    @cached_property
    def _projected(self) -> tuple[float, Floats]:
        return self._simplex.smoothed(self._margins, self.eta)

    @property
    def value(self) -> float:
        """min over d in P of d . A lam + KL(d || prior) / eta."""
        return self._projected[0] if self._given is None else self.soft_margin()

    @cached_property
    def distribution(self) -> Floats:
        """d on the grid, so that its edges are exact; it stays in this room."""
        return self._simplex.snapped(self._projected[1]) if self._given is None else self._given

    def soft_margin(self) -> float:
        """min over d in P of d . A lam."""
        return self._soft_margin

    @cached_property
    def _soft_margin(self) -> float:
        return self._simplex.soft_margin(self._margins)

    def edges(self) -> Floats:
        """A^T d; of hypotheses that are new since the last time only theirs are computed."""
        if len(self._edges) < len(self._matrix):
            self._edges = self._matrix.edges(self.distribution, self._edges)
        return self._edges.copy()

    def curvature(self, columns: Indices, *, rough: bool = False) -> Floats:
        """The covariance of columns of A under d.

        A rough one takes a third of the time: it is of single precision, and leaves out rows whose density
        is a hundredth of the largest.
        """
        d, sample = self.distribution, Sample.of(len(columns), len(self.distribution), rough=rough)
        stride = sample.stride
        free = self._simplex.free(d, sample.share, stride)
        if stride > 1 and len(free) < sample.enough:
            stride, free = 1, self._simplex.free(d, sample.share)
        if len(free) == 0:
            return np.zeros((len(columns), len(columns)))
        chosen = np.ascontiguousarray(free[:: max(1, len(free) // sample.enough)])
        mass = d[chosen] * (stride * d[free].sum() / d[chosen].sum())
        return self._matrix.covariance(columns, chosen, mass, sample.dtype)


@dataclass(frozen=True, eq=False)
class LocalLine:
    """The smoothed soft margin along a line, from the margins at its start and their change."""

    simplex: CappedSimplex
    eta: float
    start: Floats
    change: Floats

    def at(self, step: float) -> LocalLinePoint:
        """Its point at this step."""
        return LocalLinePoint(self, *self.simplex.smoothed(self.start + step * self.change, self.eta))

    def length(self) -> float:
        """||A direction||_inf."""
        return float(np.abs(self.change).max())


@dataclass(frozen=True, eq=False)
class LocalLinePoint:
    """The smoothed soft margin at a point of a line, and the distribution there."""

    line: LocalLine
    value: float
    projected: Floats

    def slope(self) -> float:
        """Its derivative d . A direction."""
        change, magic = self.line.change, magic_for(self.line.length())
        terms = self.line.simplex.snapped(self.projected) * change
        return float(((terms + magic) - magic).sum())
