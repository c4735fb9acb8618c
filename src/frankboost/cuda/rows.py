"""Rows of numbers in the memory of a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from frankboost.arrays import here, memory_for, on_device
from frankboost.cuda.device import SHARES, cupy, launch, records, words
from frankboost.learners.rows import Rows
from frankboost.learners.tree import Forest
from frankboost.typing import Array, Flags, Floats

KINDS = {"float32": "votes_32", "float64": "votes_64"}


class DeviceRows(Rows):
    """A two-dimensional array on the current device, of float32 or float64; other types become float64."""

    def __init__(self, matrix: Any) -> None:
        cupy()  # raises an error that says what to install, if CuPy is missing
        matrix = on_device(matrix)
        if matrix.ndim != 2:
            raise ValueError(f"X must have rows and columns; got an array of shape {matrix.shape}")
        self.matrix = matrix if matrix.dtype.name in KINDS else matrix.astype(np.float64)
        self.shape: tuple[int, int] = self.matrix.shape

    @classmethod
    def checked(cls, matrix: Any) -> DeviceRows:
        """The rows of a user's array, which must have no infinite entries."""
        rows = cls(matrix)
        if bool(cupy().isinf(rows.matrix).any()):
            raise ValueError("X must hold numbers or NaN; it holds infinity")
        return rows

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return here(self.matrix).astype(np.float64 if dtype is None else dtype)

    def some(self, rows: Array) -> DeviceRows:
        return DeviceRows(self.matrix[rows if isinstance(rows, slice) else on_device(rows)])

    def column(self, f: int) -> Array:
        return self.matrix[:, f].astype(np.float64)

    def missing(self) -> Flags:
        cp = cupy()
        return here(cp.stack([cp.isnan(self.matrix[:, f]).any() for f in range(self.shape[1])]))

    def vote(self, forest: Forest, weights: Floats, threads: int) -> Floats:
        with memory_for(len(self)):
            cp, X = cupy(), self.matrix
            nodes, sets = cp.asarray(records(forest.nodes)), cp.asarray(words(forest.sets))
            out = cp.empty(len(self))
            steps = (stride // X.itemsize for stride in X.strides)
            trees = (nodes, cp.asarray(forest.roots), np.int32(len(forest.roots)), sets, cp.asarray(weights))
            launch(KINDS[X.dtype.name], (8 * SHARES,), (X, len(self), *steps, *trees, out))
            return here(out)
