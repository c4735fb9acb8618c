"""Samples of rows that parts send, over which the covariance of columns of signs is computed."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.rooms.margin_matrix import covariance_of_signs, whole_roots
from frankboost.typing import AnyArray, Flags, Floats, Indices, Precision

Groups = NDArray[np.uint8]
"""Groups of eight columns of signs, one bit per column: an array of groups x rows."""


class Picked(NamedTuple):
    """Sampled rows: their weights d, and their signs in groups of eight columns."""

    d: Floats
    signs: Groups

    def covariance(self, slots: Indices, weight: float, dtype: Precision, threads: int) -> Floats:
        """The covariance of the columns at some slots, with masses in proportion to d that sum to `weight`;
        see `MarginMatrix.covariance`."""
        mass = self.d * (weight / self.d.sum())
        return covariance_of_signs(np.ascontiguousarray(self.signs), slots, mass, dtype, threads)


class PickedDifferences(NamedTuple):
    """Sampled pairs of a row and a class: the value of a pair is half the difference of two sign columns.

    `factor` multiplies the weight d of a pair. The covariance subtracts the mean of the free pairs from
    these; the others count as they are.
    """

    d: Floats
    factor: Floats
    free: Flags
    more: Groups
    less: Groups

    def covariance(self, slots: Indices, weight: float, dtype: Precision, threads: int) -> Floats:
        """The covariance of the columns at some slots, as in `Picked`."""
        mass = self.d * (weight / self.d.sum()) * self.factor
        rows = np.flatnonzero(mass)
        if len(rows) == 0:
            return np.zeros((len(slots), len(slots)))
        pieces, root = whole_roots(mass[rows], dtype)
        difference: AnyArray = np.empty((len(slots), len(rows)), dtype=dtype)
        less: AnyArray = np.empty_like(difference)
        for signs, out in ((self.more, difference), (self.less, less)):
            native.scaled_columns(np.ascontiguousarray(signs), slots, rows, root, out, threads)
        difference -= less
        difference *= dtype(0.5)
        return _covariance(difference, root, pieces, self.free[rows], float(mass.sum()))


def _covariance(scaled: AnyArray, root: AnyArray, pieces: Indices, free: Flags, weight: float) -> Floats:
    """The covariance of columns that are scaled by the roots of the masses; products within a piece of the
    rows are exact."""
    count, rows = scaled.shape
    gram, first, mean = np.zeros((count, count)), np.zeros(count), np.where(free, root, root.dtype.type(0.0))
    for begin, end in pairwise([*pieces.tolist(), rows]):
        piece = scaled[:, begin:end]
        gram += piece @ piece.T
        first += piece @ mean[begin:end]
    squares = root.astype(np.float64) ** 2
    total = float(squares[free].sum())
    if total > 0.0:
        gram -= first[:, None] * (first / total)
    return gram * (weight / float(squares.sum()))
