"""The interface to rows that are not a NumPy array, such as a sparse matrix, for tree learners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_array

from frankboost import native
from frankboost.arrays import here
from frankboost.typing import Flags, Floats

ROWS_AT_ONCE = 1024  # rows of a sparse matrix that are made dense at a time for prediction
CONVERTED_AT_ONCE = 2**16  # rows of an array of another type, or in another order


class Rows(ABC):
    """Rows with the parts of an array's interface that a fit needs."""

    shape: tuple[int, int]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """X[:, f] is a column as a NumPy array; X[rows] is a `Rows` with some of the rows."""
        return self.some(key) if not isinstance(key, tuple) else here(self.column(key[1]))

    @abstractmethod
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """All rows as a NumPy array."""

    @abstractmethod
    def some(self, rows: Any) -> Rows:
        """The rows that a NumPy index selects."""

    def blocks(self) -> Iterator[Floats]:
        """All rows in blocks, as NumPy arrays."""
        for begin in range(0, len(self), ROWS_AT_ONCE):
            yield np.asarray(self.some(slice(begin, begin + ROWS_AT_ONCE)))

    @abstractmethod
    def column(self, f: int) -> Any:
        """Column f as float64, in the memory that holds the rows."""

    @abstractmethod
    def missing(self) -> Flags:
        """Which columns have missing values."""

    def vote(self, forest: Any, weights: Floats, threads: int) -> Floats:
        """sum_j weights_j tree_j(x) for each row; `forest` is a `learners.tree.Forest`."""
        return vote_in_blocks(forest, weights, self, threads)


class SparseRows(Rows):
    """The rows of a sparse matrix, whose entries are 0 where nothing is stored."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = csc_array(matrix, dtype=np.float64)
        self.shape: tuple[int, int] = self.matrix.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        dense: Floats = self.matrix.toarray()
        return dense if dtype is None else dense.astype(dtype)

    def some(self, rows: Any) -> SparseRows:
        return SparseRows(csr_array(self.matrix)[rows])

    def column(self, f: int) -> Floats:
        begin, end = self.matrix.indptr[f], self.matrix.indptr[f + 1]
        column = np.zeros(len(self))
        np.add.at(column, self.matrix.indices[begin:end], self.matrix.data[begin:end])
        return column

    def missing(self) -> Flags:
        missing = np.zeros(self.shape[1], dtype=bool)
        stored = np.repeat(np.arange(self.shape[1]), np.diff(self.matrix.indptr))
        missing[stored[np.isnan(self.matrix.data)]] = True
        return missing

    def blocks(self) -> Iterator[Floats]:
        rows = csr_array(self.matrix)
        for begin in range(0, len(self), ROWS_AT_ONCE):
            yield rows[begin : begin + ROWS_AT_ONCE].toarray()


def vote_in_blocks(forest: Any, weights: Floats, X: Floats | Rows, threads: int) -> Floats:
    """sum_j weights_j tree_j(x) for each row of X, by the kernel of the host."""
    trees = (forest.nodes, forest.roots, forest.sets)
    return np.concatenate([native.vote(*trees, weights, block, threads) for block in blocks_of(X)])


def blocks_of(X: Floats | Rows) -> Iterator[Floats]:
    """All rows in blocks, as arrays that kernels take: float64, row by row. Such an array is one block."""
    if isinstance(X, Rows):
        yield from X.blocks()
        return
    X = np.asarray(X)
    if X.dtype == np.float64 and X.flags.c_contiguous:
        yield X
    else:
        for begin in range(0, max(len(X), 1), CONVERTED_AT_ONCE):
            yield np.ascontiguousarray(X[begin : begin + CONVERTED_AT_ONCE], dtype=np.float64)


def column_of(X: Floats | Rows, f: int) -> Any:
    """Column f as float64, in the memory that holds the rows."""
    return X.column(f) if isinstance(X, Rows) else np.ascontiguousarray(X[:, f], dtype=np.float64)
