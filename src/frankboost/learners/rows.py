"""Rows that are no array of NumPy, as a tree learner sees them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from frankboost.arrays import here
from frankboost.typing import Flags, Floats

if TYPE_CHECKING:
    from frankboost.learners.tree import Forest


class Rows(ABC):
    """Rows with the parts of an array's interface that a fit needs."""

    shape: tuple[int, int]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """X[:, f] is a column, an array of NumPy; X[rows] are some of the rows, of this kind."""
        return self.some(key) if not isinstance(key, tuple) else here(self.column(key[1]))

    @abstractmethod
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """All of them."""

    @abstractmethod
    def some(self, rows: Any) -> Rows:
        """Those that an index of NumPy names."""

    @abstractmethod
    def column(self, f: int) -> Any:
        """A column as float64, where the rows are."""

    @abstractmethod
    def missing(self) -> Flags:
        """Which columns have missing values."""

    @abstractmethod
    def vote(self, forest: Forest, weights: Floats, threads: int) -> Floats:
        """sum_j weights_j tree_j(x) for each row."""


def column_of(X: Floats | Rows, f: int) -> Any:
    """Column f as float64, where the rows are."""
    return X.column(f) if isinstance(X, Rows) else X[:, f]
