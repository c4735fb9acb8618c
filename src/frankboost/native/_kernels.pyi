from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Sets = NDArray[np.uint64]  # of categories: a row of 256 bits each, no rows if no feature is categorical
# value, last_bin, missing_left, subset
Splits = tuple[Floats, NDArray[np.int32], NDArray[np.uint8], Sets]
# roots, feature, last_bin, missing_left, left, right, value, subset
BinnedTrees = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int8],
    Sets,
]

def bin_uint8(x: Floats, thresholds: Floats) -> NDArray[np.uint8]: ...
def bin_int32(x: Floats, thresholds: Floats) -> NDArray[np.int32]: ...
def margins(matrix: NDArray[Any], weights: Floats, threads: int) -> Floats: ...
def edges(matrix: NDArray[Any], columns: int, distribution: Floats, threads: int) -> Floats: ...
def centred_columns(
    matrix: NDArray[Any],
    slots: NDArray[np.int64],
    picked: NDArray[np.int64],
    mass: Floats,
    out: NDArray[Any],
    threads: int,
) -> None: ...
def project(
    margins: Floats, prior: Floats, caps: Floats, eta: float, threads: int
) -> tuple[Floats, float]: ...
def soft_margin(margins: Floats, caps: Floats, threads: int) -> float: ...
def free_rows(d: Floats, prior: Floats, caps: Floats, share: float, threads: int) -> NDArray[np.int64]: ...
def maximise_quadratic(H: Floats, c: Floats, start: Floats, simplex: bool, batch: int = 1) -> Floats: ...
def vote(
    roots: NDArray[np.int64],
    feature: NDArray[np.int32],
    threshold: Floats,
    missing_left: NDArray[np.uint8],
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    value: NDArray[np.int8],
    subset: Sets,
    weights: Floats,
    X: Floats,
    threads: int,
) -> Floats: ...

class TreeSearchUint8:
    def __init__(
        self,
        codes: NDArray[np.uint8],
        bins: NDArray[np.int32],
        missing: NDArray[np.uint8],
        categorical: NDArray[np.uint8],
    ) -> None: ...
    def stumps(self, u: Floats, threads: int) -> Splits: ...
    def roots(self, u: Floats, threads: int) -> Splits: ...
    def trees(self, u: Floats, columns: int, threads: int) -> BinnedTrees: ...
    def votes(
        self,
        roots: NDArray[np.int64],
        feature: NDArray[np.int32],
        last_bin: NDArray[np.int32],
        missing_left: NDArray[np.uint8],
        left: NDArray[np.int32],
        right: NDArray[np.int32],
        value: NDArray[np.int8],
        subset: Sets,
        threads: int,
    ) -> NDArray[np.int8]: ...
    def sums(
        self,
        roots: NDArray[np.int64],
        feature: NDArray[np.int32],
        last_bin: NDArray[np.int32],
        missing_left: NDArray[np.uint8],
        left: NDArray[np.int32],
        right: NDArray[np.int32],
        value: NDArray[np.int8],
        subset: Sets,
        u: Floats,
        threads: int,
    ) -> Floats: ...

class TreeSearchInt32:
    def __init__(
        self,
        codes: NDArray[np.int32],
        bins: NDArray[np.int32],
        missing: NDArray[np.uint8],
        categorical: NDArray[np.uint8],
    ) -> None: ...
    def stumps(self, u: Floats, threads: int) -> Splits: ...
    def roots(self, u: Floats, threads: int) -> Splits: ...
    def trees(self, u: Floats, columns: int, threads: int) -> BinnedTrees: ...
    def votes(
        self,
        roots: NDArray[np.int64],
        feature: NDArray[np.int32],
        last_bin: NDArray[np.int32],
        missing_left: NDArray[np.uint8],
        left: NDArray[np.int32],
        right: NDArray[np.int32],
        value: NDArray[np.int8],
        subset: Sets,
        threads: int,
    ) -> NDArray[np.int8]: ...
    def sums(
        self,
        roots: NDArray[np.int64],
        feature: NDArray[np.int32],
        last_bin: NDArray[np.int32],
        missing_left: NDArray[np.uint8],
        left: NDArray[np.int32],
        right: NDArray[np.int32],
        value: NDArray[np.int8],
        subset: Sets,
        u: Floats,
        threads: int,
    ) -> Floats: ...
