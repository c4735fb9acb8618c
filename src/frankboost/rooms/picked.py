"""What rows that parts pick from theirs add to the covariance of columns of signs."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.rooms.margin_matrix import covariance_of_signs, whole_roots
from frankboost.typing import AnyArray, Flags, Floats, Indices, Precision

Groups = NDArray[np.uint8]
"""Of eight columns of signs, one bit each; one column of this matrix per row."""


class Picked(NamedTuple):
    """Rows, with the weight of each."""

    d: Floats
    signs: Groups

    def covariance(self, slots: Indices, weight: float, dtype: Precision, threads: int) -> Floats:
        """The covariance of some columns; the rows stand for this weight, see `MarginMatrix.covariance`."""
        mass = self.d * (weight / self.d.sum())
        return covariance_of_signs(np.ascontiguousarray(self.signs), slots, mass, dtype, threads)


class PickedDifferences(NamedTuple):
    """Pairs of a row and a class, of which half the difference of two columns counts.

    The weight of a pair is multiplied by its factor. Those that are free have one mean, which the covariance
    is about; the others have mean 0.
    """

    d: Floats
    factor: Floats
    free: Flags
    more: Groups
    less: Groups

    def covariance(self, slots: Indices, weight: float, dtype: Precision, threads: int) -> Floats:
        """The covariance of some columns, as in `Picked`."""
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
    """The covariance of columns times the roots of masses; products within pieces are exact."""
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
