"""The thresholds of one feature: all midpoints between neighbouring values, or those at weighted
quantiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from frankboost.arrays import here, module_of
from frankboost.native import MOST_THRESHOLDS
from frankboost.typing import Floats

PRESENT = float(np.finfo(np.float64).max)
"""The threshold that no value exceeds, so that the split tells missing values from all others."""


@dataclass(frozen=True)
class Span:
    """The least and the largest of all sample weights, and the number of rows."""

    least: float
    largest: float
    rows: int

    @classmethod
    def of(cls, sample_weight: Floats) -> Span:
        return cls(float(sample_weight.min()), float(sample_weight.max()), len(sample_weight))

    def units(self, sample_weight: Floats) -> Floats:
        """The weights as whole numbers, whose sums are exact in any order: 1 each if all weights are the
        same.

        The unit is the power of two with which all weights sum to less than 2^52 units.
        """
        if self.least == self.largest:
            return np.ones(len(sample_weight))
        exponent = 52 - self.rows.bit_length() - int(np.frexp(self.largest)[1])
        return np.rint(np.ldexp(sample_weight, exponent))


def choose_thresholds(x: Any, sample_weight: Floats, most: int | None, span: Span | None = None) -> Floats:
    """Midpoints between neighbouring distinct values: all if there are few, else at weighted quantiles.

    A row of weight 2 gives the same thresholds as the same row twice. The column x may be on a device. `span`
    is `Span.of(sample_weight)`, if the caller knows it.
    """
    arrays = module_of(x)
    present = ~arrays.isnan(x)
    values, counts = arrays.unique(x[present], return_counts=True)
    if most is None or len(values) <= most + 1:
        return midpoints(here(values))
    span = span or Span.of(sample_weight)
    if span.least == span.largest:
        return quantile_thresholds(values, counts.astype(np.float64), most)
    # Only for weights that differ: the search for each row's value takes far longer than the sort.
    weight = arrays.asarray(span.units(sample_weight))[present]
    units = arrays.bincount(arrays.searchsorted(values, x[present]), weight)
    return quantile_thresholds(values, units.astype(np.float64), most)


def quantile_thresholds(values: Any, units: Any, most: int) -> Floats:
    """Thresholds at weighted quantiles, from the distinct values of a feature and the weight of each."""
    arrays = module_of(values)
    below = arrays.cumsum(units)
    targets = arrays.asarray(quantile_targets(float(below[-1]), most))
    places = arrays.unique(arrays.searchsorted(below[:-1], targets).clip(0, len(values) - 2))
    return midpoint(here(values[places]), here(values[places + 1]))


def quantile_targets(total: float, most: int) -> Floats:
    """The weight at or below each threshold, in units; a threshold follows the first value that reaches
    it."""
    return np.arange(1, most + 1) / (most + 1) * total


def most_thresholds(max_bins: int | None, missing: bool) -> int | None:
    """The largest number of thresholds between the values of a feature, besides `PRESENT`."""
    if max_bins is None or not missing:
        return max_bins
    # 255 thresholds take all 256 codes. A missing value needs one of the codes, and `PRESENT` is a threshold.
    return max(min(max_bins, MOST_THRESHOLDS - 1) - 1, 1)


def with_present(thresholds: Floats, most: int | None) -> Floats:
    """The thresholds of a feature with missing values: with `PRESENT`, if there are less than `most`."""
    return thresholds if len(thresholds) == most else np.append(thresholds, PRESENT)


def midpoints(values: Floats) -> Floats:
    """The midpoints between neighbouring values."""
    return midpoint(values[:-1], values[1:])


def midpoint(low: Floats, high: Floats) -> Floats:
    """A number between two values; it may equal the first one."""
    middle = low / 2 + high / 2
    # The mean of neighbouring floats may round to the upper one, and that of subnormal ones out of the pair.
    return np.where((low <= middle) & (middle < high), middle, low)
