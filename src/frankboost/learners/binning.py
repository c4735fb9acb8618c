"""Thresholds for each feature, and the rows as bin codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native

Floats = NDArray[np.float64]
Search = native.TreeSearchUint8 | native.TreeSearchInt32

MOST_THRESHOLDS = 255  # bin codes, one more than thresholds, are bytes


@dataclass(frozen=True, eq=False)
class BinnedFeatures:
    """The training set as bin codes, feature by feature.

    codes[f, i] is the number of thresholds of feature f below x_if, so that x_if <= thresholds[f][k]
    exactly if codes[f, i] <= k. A missing value has code bins[f].
    """

    codes: NDArray[np.uint8] | NDArray[np.int32]
    bins: NDArray[np.int32]
    missing: NDArray[np.uint8]
    thresholds: tuple[Floats, ...]

    @classmethod
    def from_rows(cls, X: Floats, sample_weight: Floats, max_bins: int | None) -> BinnedFeatures:
        """Bin the columns of X at no more than `max_bins` thresholds each, or at all of them."""
        missing: NDArray[np.bool_] = np.any(np.isnan(X), axis=0)
        thresholds = tuple(
            choose_thresholds(X[:, f], sample_weight, _most(max_bins, bool(missing[f])))
            for f in range(X.shape[1])
        )
        encode = native.bin_int32 if max_bins is None else native.bin_uint8
        codes: Any = [encode(np.ascontiguousarray(X[:, f]), cuts) for f, cuts in enumerate(thresholds)]
        return cls(
            codes=np.stack(codes),
            bins=np.array([len(cuts) + 1 for cuts in thresholds], dtype=np.int32),
            missing=missing.astype(np.uint8),
            thresholds=thresholds,
        )

    def search(self) -> Search:
        """The native search over these bins."""
        if self.codes.dtype == np.uint8:
            return native.TreeSearchUint8(self.codes, self.bins, self.missing)  # type: ignore[arg-type]
        return native.TreeSearchInt32(self.codes, self.bins, self.missing)  # type: ignore[arg-type]

    def goes_left(self, feature: int, last_bin: int, missing_left: bool) -> NDArray[np.bool_]:
        """Which rows a split sends to the left."""
        codes = self.codes[feature]
        left: NDArray[np.bool_] = codes <= last_bin
        return left | (codes == self.bins[feature]) if missing_left else left


def _most(max_bins: int | None, missing: bool) -> int | None:
    # With 255 thresholds all 256 codes are taken; a missing value needs one of them.
    return MOST_THRESHOLDS - 1 if max_bins == MOST_THRESHOLDS and missing else max_bins


def choose_thresholds(x: Floats, sample_weight: Floats, most: int | None) -> Floats:
    """Midpoints between neighbouring distinct values: all if there are few, else at weighted quantiles.

    Weighted, so that a row of weight 2 gives the same thresholds as the row twice.
    """
    present = ~np.isnan(x)
    values, counts = np.unique(x[present], return_counts=True)
    midpoints = _midpoints(values)
    if most is None or len(midpoints) <= most:
        return midpoints
    weight = sample_weight[present]
    if bool((weight == weight[0]).all()):
        below = np.cumsum(counts * weight[0])
    else:  # finding each row's value again takes far longer than the sort
        below = np.cumsum(np.bincount(np.searchsorted(values, x[present]), weights=weight))
    targets = np.arange(1, most + 1) / (most + 1) * below[-1]
    chosen: Floats = midpoints[np.unique(np.searchsorted(below[:-1], targets).clip(max=len(midpoints) - 1))]
    return chosen


def _midpoints(values: Floats) -> Floats:
    low, high = values[:-1], values[1:]
    middle = low / 2 + high / 2
    # Between neighbouring floats the mean may round to the upper one, or out of a subnormal pair.
    return np.where((low <= middle) & (middle < high), middle, low)
