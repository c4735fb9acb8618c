"""The covariance of columns of the margin matrix under a distribution, from a sample of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from frankboost.rooms.part import Pair, Part
from frankboost.rooms.questions import Number, Parts, asked_each
from frankboost.typing import Floats, Indices, Precision

LargestAnswers = Mapping[int, list[Pair]]  # answers to `Part.largest` that are known, by the stride


@dataclass(frozen=True)
class Sample:
    """Settings of the sample of rows over which a covariance is computed.

    Twenty rows per column tell as much as a million: of more rows, only every k-th is used. A rough sample
    has fewer rows, and single precision.
    """

    share: float  # rows whose density is below this share of the largest density are left out
    enough: int  # how many rows are enough
    stride: int  # only every `stride`-th row is considered
    dtype: Precision

    @classmethod
    def of(cls, columns: int, rows: int, *, rough: bool) -> Sample:
        """The sample for this number of columns and rows."""
        enough = max(20 * columns, 8192 if rough else 65536)
        stride = max(1, rows // (4 * enough))
        return cls(1e-2 if rough else 1e-7, enough, stride, np.float32 if rough else np.float64)


def curvature(
    parts: Parts, number: Number, columns: Indices, sample: Sample, *, threads: int, largest: LargestAnswers
) -> Floats:
    """The covariance of some columns under a distribution, see `Point.curvature`."""
    one_part = parts.can(Part.covariance)
    least, stride, found = _find_free_rows(parts, number, sample, largest, one_part=one_part)
    free, weight = sum(each[0] for each in found), sum(each[1] for each in found)
    if free == 0:
        return np.zeros((len(columns), len(columns)))
    step = max(1, free // sample.enough)
    if one_part:
        rows = found[0][2][::step]
        return parts.ask(Part.covariance, number, rows, columns, stride * weight, sample.dtype)[0]
    before = np.concatenate([[0], np.cumsum([each[0] for each in found])[:-1]])
    groups = np.unique(columns // 8)
    samples = [(first, step) for first in (-before % step).tolist()]
    answers = parts.run(asked_each(Part.picked, samples, number, least, stride, groups))
    picked = type(answers[0])(*(np.concatenate(each, axis=-1) for each in zip(*answers, strict=True)))
    slots = np.searchsorted(groups, columns // 8) * 8 + columns % 8
    return picked.covariance(slots, stride * weight, sample.dtype, threads)


def _find_free_rows(
    parts: Parts, number: Number, sample: Sample, largest: LargestAnswers, *, one_part: bool
) -> tuple[Pair, int, list[Any]]:
    """Let each part count its rows whose weight can move, if there are too few at the stride of the sample
    among all rows.

    Returns the density and the weight above which a row counts, the stride, and the answers of the parts.
    """
    question: Any = Part.moving if one_part else Part.free
    for stride in dict.fromkeys((sample.stride, 1)):
        answers = largest.get(stride) or parts.ask(Part.largest, number, stride)
        density, mass = zip(*answers, strict=True)
        least = sample.share * max(density), sample.share * max(mass)
        found = parts.ask(question, number, least, stride)
        if sum(each[0] for each in found) >= sample.enough:
            break
    return least, stride, found
