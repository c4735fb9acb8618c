"""The covariance of columns of the margin matrix under a distribution, from a sample of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from frankboost.rooms.part import Pair, Part
from frankboost.rooms.questions import Number, Parts, asked_each
from frankboost.typing import Floats, Indices, Precision

Largest = Mapping[int, list[Pair]]  # what parts have said of `Part.largest`, by the stride


@dataclass(frozen=True)
class Sample:
    """The rows of a sample, and their number.

    Twenty rows per column tell as much as a million; of more, every k-th stands for its neighbours. A rough
    sample has fewer rows and is of single precision.
    """

    share: float  # of the largest density: rows below it are left out
    enough: int  # rows
    stride: int  # from one row that is looked at to the next
    dtype: Precision

    @classmethod
    def of(cls, columns: int, rows: int, *, rough: bool) -> Sample:
        """The sample for this number of columns and rows."""
        enough = max(20 * columns, 8192 if rough else 65536)
        stride = max(1, rows // (4 * enough))
        return cls(1e-2 if rough else 1e-7, enough, stride, np.float32 if rough else np.float64)


def curvature(
    parts: Parts, number: Number, columns: Indices, sample: Sample, *, threads: int, largest: Largest
) -> Floats:
    """The covariance of some columns under a distribution, see `Point.curvature`."""
    here = parts.can(Part.covariance)
    least, stride, found = _free(parts, number, sample, largest, here=here)
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
    answers = parts.run(asked_each(Part.picked, samples, number, least, stride, groups))
    picked = type(answers[0])(*(np.concatenate(each, axis=-1) for each in zip(*answers, strict=True)))
    slots = np.searchsorted(groups, columns // 8) * 8 + columns % 8
    return picked.covariance(slots, stride * weight, sample.dtype, threads)


def _free(
    parts: Parts, number: Number, sample: Sample, largest: Largest, *, here: bool
) -> tuple[Pair, int, list[Any]]:
    """The density and weight above which rows can move, the stride between rows, and the answers."""
    question: Any = Part.moving if here else Part.free
    for stride in dict.fromkeys((sample.stride, 1)):
        told = largest.get(stride) or parts.ask(Part.largest, number, stride)
        density, mass = zip(*told, strict=True)
        least = sample.share * max(density), sample.share * max(mass)
        found = parts.ask(question, number, least, stride)
        if sum(each[0] for each in found) >= sample.enough:
            break
    return least, stride, found
