"""Sparse rows as a tree learner sees them: column by column, or some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_array

from frankboost.typing import Flags, Floats

ROWS_AT_ONCE = 1024  # that are made dense to be walked down trees


class SparseRows:
    """A sparse matrix with the parts of an array's interface that a fit needs; what is not stored is 0."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = csc_array(matrix, dtype=np.float64)
        self.shape: tuple[int, int] = self.matrix.shape

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """X[:, f] is a column, dense; X[rows] are some of the rows, sparse."""
        if not isinstance(key, tuple):
            return SparseRows(csr_array(self.matrix)[key])
        _, f = key
        begin, end = self.matrix.indptr[f], self.matrix.indptr[f + 1]
        column = np.zeros(len(self))
        np.add.at(column, self.matrix.indices[begin:end], self.matrix.data[begin:end])
        return column

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        dense: Floats = self.matrix.toarray()
        return dense if dtype is None else dense.astype(dtype)

    def missing(self) -> Flags:
        """Which columns have missing values."""
        missing = np.zeros(self.shape[1], dtype=bool)
        stored = np.repeat(np.arange(self.shape[1]), np.diff(self.matrix.indptr))
        missing[stored[np.isnan(self.matrix.data)]] = True
        return missing

    def blocks(self) -> Iterator[Floats]:
        """The rows, some at a time, dense."""
        rows = csr_array(self.matrix)
        for begin in range(0, len(self), ROWS_AT_ONCE):
            yield rows[begin : begin + ROWS_AT_ONCE].toarray()
