"""The covariance of columns of the margin matrix under a distribution, from a sample of the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.rooms.margin_matrix import covariance_of_signs
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number, Parts
from frankboost.typing import Array, Floats, Indices, Precision


@dataclass(frozen=True)
class Sample:
    """Which rows count, and how many of them.

    Twenty rows per column tell as much as a million; of more, every k-th stands for its neighbours. A rough
    sample has fewer rows and is of single precision.
    """

    share: float  # of the largest density: rows below it are left out
    enough: int  # rows
    strides: tuple[int, ...]  # from a row that is looked at to the next; another, where that finds too few
    dtype: Precision

    @classmethod
    def of(cls, columns: int, rows: int, *, rough: bool) -> Sample:
        """For so many columns, of so many rows."""
        enough = max(20 * columns, 8192 if rough else 65536)
        stride = max(1, rows // (4 * enough))
        strides = (stride, 1) if stride > 1 else (1,)
        return cls(1e-2 if rough else 1e-7, enough, strides, np.float32 if rough else np.float64)

    def of_free(self, rows: Array) -> Array:
        """Those of the rows that can move which count."""
        return rows[:: max(1, len(rows) // self.enough)]


def curvature(parts: Parts, number: Number, columns: Indices, sample: Sample, *, threads: int) -> Floats:
    """Of some columns under the distribution of a number, see `Point.curvature`."""
    if parts.can(Part.covariance):
        return _here(parts, number, columns, sample)
    return _told(parts, number, columns, sample, threads)


def _here(parts: Parts, number: Number, columns: Indices, sample: Sample) -> Floats:
    """Of one part that has all rows."""
    for stride in sample.strides:
        [(weight, rows)] = parts.ask(Part.moving, number, sample.share, stride)
        if len(rows) >= sample.enough:
            break
    if len(rows) == 0:
        return np.zeros((len(columns), len(columns)))
    some = sample.of_free(rows)
    return parts.ask(Part.covariance, number, some, columns, stride * weight, sample.dtype)[0]


def _told(parts: Parts, number: Number, columns: Indices, sample: Sample, threads: int) -> Floats:
    """Of rows that the parts tell. Each tells those that count beside its own: beside all there are fewer."""
    groups = np.unique(columns // 8)
    for stride in sample.strides:
        told = parts.ask(Part.movable, number, sample.share, stride, groups)
        density, mass = (max(each) for each in zip(*(each.largest for each in told), strict=True))
        d, prior = (np.concatenate(each) for each in zip(*((t.d, t.prior) for t in told), strict=True))
        rows = np.flatnonzero(d > np.minimum(sample.share * density * prior, sample.share * mass))
        if len(rows) >= sample.enough:
            break
    if len(rows) == 0:
        return np.zeros((len(columns), len(columns)))
    some = sample.of_free(rows)
    signs = np.concatenate([each.signs for each in told], axis=1)[:, some]
    slots = np.searchsorted(groups, columns // 8) * 8 + columns % 8
    weights = d[some] * (stride * float(d[rows].sum()) / d[some].sum())
    return covariance_of_signs(np.ascontiguousarray(signs), slots, weights, sample.dtype, threads)
