"""Dask collections as partitions, each with its rows, labels and weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed
from dask.highlevelgraph import HighLevelGraph

Collection = Any  # a Dask array or data frame
Table = Any  # an array or data frame: a partition of a collection

ALLOWED = "a Dask array or a Dask data frame (dask.array.from_array or dask.dataframe.from_pandas make one)"


@dataclass(frozen=True, eq=False)
class Partition:
    """A partition of a training set, as the user gave it."""

    number: int
    X: Table
    y: Table
    sample_weight: Table

    def __post_init__(self) -> None:
        if hasattr(self.X, "toarray"):
            raise TypeError(
                f"X must have dense partitions; got a {type(self.X).__name__} "
                "(X.map_blocks(lambda block: block.toarray()) makes them dense)"
            )
        for name, each in (("y", self.y), ("sample_weight", self.sample_weight)):
            if each is not None and len(each) != len(self.X):
                raise ValueError(
                    f"{name} must have one entry for each row of X in every partition; partition "
                    f"{self.number} has {len(self.X)} rows in X and {len(each)} in {name}"
                )


def is_frame(collection: Collection) -> bool:
    """Whether a collection is a Dask data frame or series."""
    return hasattr(collection, "npartitions") and hasattr(collection, "map_partitions")


def check_table(X: Collection) -> Collection:
    """Check that X is a Dask table; the result has all columns in each of its blocks."""
    if isinstance(X, da.Array) and X.ndim == 2:
        return X.rechunk({1: -1})
    if is_frame(X) and hasattr(X, "columns"):
        return X
    got = f"one of shape {X.shape}" if isinstance(X, da.Array) else f"{type(X).__module__}.{type(X).__name__}"
    raise TypeError(f"X must be {ALLOWED} of two dimensions; got {got}")


def empty_table(X: Collection) -> Table:
    """A table without rows that has the columns of X."""
    return np.zeros((0, X.shape[1]), dtype=X.dtype) if isinstance(X, da.Array) else X._meta


def make_partitions(X: Collection, y: Collection, sample_weight: Collection) -> list[Delayed]:
    """Make one delayed `Partition` for each partition of X; y and the weights are split as X is."""
    X = check_table(X)
    parts = [delayed_blocks(X), _align("y", y, X), _align("sample_weight", sample_weight, X)]
    return [delayed(Partition)(k, *each) for k, each in enumerate(zip(*parts, strict=True))]


def delayed_blocks(collection: Collection) -> list[Delayed]:
    """The partitions of a collection, each as a delayed table."""
    if isinstance(collection, da.Array):
        return list(collection.to_delayed().ravel())
    # Dask's to_delayed did more until 2025: it joined small files, and others for few columns than for many.
    frame = collection.simplify()
    layer = f"delayed-{frame._name}"
    graph = HighLevelGraph.from_collections(layer, frame.__dask_graph__())
    return [Delayed(key, graph, layer=layer) for key in frame.__dask_keys__()]


def _align(name: str, column: Collection, X: Collection) -> list[Any]:
    """Split a column into as many partitions as X has."""
    count = X.numblocks[0] if isinstance(X, da.Array) else X.npartitions
    if column is None and name == "sample_weight":
        return [None] * count
    if isinstance(column, da.Array) and column.ndim == 2 and column.shape[1] == 1:
        column = column.ravel()
    if not (isinstance(column, da.Array) and column.ndim == 1) and not is_frame(column):
        kind = f"{type(column).__module__}.{type(column).__name__}"
        raise TypeError(f"{name} must be a Dask array of one dimension or a Dask series; got {kind}")
    if isinstance(column, da.Array) and isinstance(X, da.Array) and _has_sizes(column) and _has_sizes(X):
        if column.shape[0] != X.shape[0]:
            what = f"{name} must have one entry for each of the {X.shape[0]} rows of X"
            raise ValueError(f"{what}; got {column.shape[0]}")
        column = column.rechunk((X.chunks[0],))
    parts = delayed_blocks(column)
    if len(parts) != count:
        raise ValueError(f"{name} must have as many partitions as X, {count}; got {len(parts)}")
    return parts


def _has_sizes(array: Collection) -> bool:
    """Whether the number of rows of each block is known."""
    return not any(np.isnan(size) for size in array.chunks[0])
