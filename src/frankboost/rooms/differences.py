"""The covariance of columns whose entries are half differences of signs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from frankboost import native
from frankboost.rooms.margin_matrix import MarginMatrix, whole_roots
from frankboost.typing import AnyArray, Flags, Floats, Indices, Precision


@dataclass(frozen=True, eq=False)
class Differences:
    """Entries of the columns, of which half the difference counts, with a mass for each of these.

    Attributes
    ----------
    more, less : array of int
    mass : array of float
    free : array of bool
        Those that have one mean, which the covariance is about; the others have mean 0.
    """

    more: Indices
    less: Indices
    mass: Floats
    free: Flags


def covariance_of_differences(
    matrix: MarginMatrix, columns: Indices, at: Differences, dtype: Precision, threads: int
) -> Floats:
    """Of columns of signs, in the given precision; products are exact, see `MarginMatrix.covariance`."""
    if len(at.mass) == 0:
        return np.zeros((len(columns), len(columns)))
    pieces, root = whole_roots(at.mass, dtype)
    more: AnyArray = np.empty((len(columns), len(at.mass)), dtype=dtype)
    less: AnyArray = np.empty_like(more)
    native.scaled_columns(matrix.signs, columns, np.ascontiguousarray(at.more), root, more, threads)
    native.scaled_columns(matrix.signs, columns, np.ascontiguousarray(at.less), root, less, threads)
    scaled: AnyArray = (more - less) * dtype(0.5)
    gram, first = np.zeros((len(columns), len(columns))), np.zeros(len(columns))
    mean = np.where(at.free, root, dtype(0.0))
    for begin, end in pairwise([*pieces.tolist(), len(at.mass)]):
        piece = scaled[:, begin:end]
        gram += piece @ piece.T
        first += piece @ mean[begin:end]
    squares = root.astype(np.float64) ** 2
    total = float(squares[at.free].sum())
    if total > 0.0:
        gram -= first[:, None] * (first / total)
    covariance: Floats = gram * (float(at.mass.sum()) / float(squares.sum()))
    return covariance
