"""The rows of a training set on a device; it answers what `rooms.part.LocalPart` answers, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.cuda.device import SHARES, launch
from frankboost.cuda.distributions import CudaDistributions
from frankboost.cuda.tables import Tables, Units
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest
from frankboost.typing import Floats, Indices

MANY = 2**30  # bytes


class CudaPart(CudaDistributions):
    """Rows on the current device.

    Parameters
    ----------
    features : BinnedFeatures
        Their bin codes, on the host or on the device.
    y, sample_weight : arrays with one entry per row
    first : int
        How many rows the parts before this one have.
    members, weight_error : array or int, float
        As in `Examples`.
    threads : int
        Of the host, to look for sets of categories with.
    """

    def __init__(
        self,
        features: BinnedFeatures,
        y: Floats,
        sample_weight: Floats,
        first: int = 0,
        *,
        members: Indices | int = 1,
        weight_error: float = 0.0,
        threads: int = 1,
    ) -> None:
        super().__init__(sample_weight, members, weight_error, first)
        self._threads = threads
        self._positive = self._cp.asarray(y) > 0.0
        self._tables = Tables(features)
        self._asked: dict[int, Units] = {}

    def stow(self, _: Any) -> None:
        """Nothing: what it has is not in the memory of the host."""

    # Columns

    def add(self, forest: Forest) -> list[bytes]:
        """Take in the columns of trees that vote -1 and +1; what tells each from others."""
        cp, count, groups = self._cp, len(forest.roots), len(self._signs)
        needed = -(-(self._columns + count) // 8)
        if needed > groups:
            more = cp.zeros((max(needed - groups, groups // 2), self._rows), dtype=cp.uint8)
            self._signs = cp.concatenate([self._signs, more])
            if self._signs.nbytes > MANY:  # what is free would not fit the next, larger ones
                cp.get_default_memory_pool().free_all_blocks()
        digests = cp.zeros((count, 2), dtype=cp.uint64)
        tables, spread = self._tables, needed - self._columns // 8
        nodes, roots, _, *layout = tables.forest(forest)
        rows = (tables.codes, tables.stride, self._positive, self._rows)
        trees = (nodes, roots, np.int32(count), *layout, np.int32(self._columns))
        launch("add_columns", (4 * SHARES, spread), (*rows, *trees, self._signs))
        columns = (self._signs, self._rows, np.int32(self._columns), np.int32(count))
        launch("digest_columns", (SHARES, spread), (*columns, digests))
        self._columns += count
        return [digest.tobytes() for digest in cp.asnumpy(digests)]

    # The search

    def feature_sums(self, number: int) -> tuple[Floats, Floats]:
        """Sums of u and of |u| by the bins of each feature."""
        return self._tables.feature_sums(self._u(number))

    def pair_tables(self, number: int, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs of features."""
        return self._tables.pair_tables(self._u(number), begin, end)

    def add_pair_tables(self, number: int, begin: int, end: int, tables: Floats) -> None:
        """The same, added to those of other parts."""
        tables += self.pair_tables(number, begin, end)

    def pair_children(self, number: int, begin: int, end: int) -> tuple[Floats, NDArray[np.int32]]:
        """The best children of every root split on one feature of these pairs."""
        return self._tables.pair_children(self._u(number), begin, end, self._threads)

    def side_sums(self, number: int, nodes: Any, sets: Any, children: Any) -> Floats:
        """Sums of u below roots by the bins of their children."""
        return self._tables.side_sums(self._u(number), (nodes, sets, children))

    def rows(self, number: int) -> tuple[NDArray[Any], Floats]:
        """The codes and u of the rows that have weight."""
        cp, d = self._cp, self._placed[number].d
        kept = cp.flatnonzero(d)
        u = cp.where(self._positive[kept], d[kept], -d[kept])
        return cp.asnumpy(self._tables.codes[:, kept]), cp.asnumpy(u)

    def leaf_sums(self, number: int, forest: Forest) -> Floats:
        """The sum of u over the rows that reach each leaf."""
        return self._tables.leaf_sums(self._u(number), forest)

    def _u(self, number: int) -> Units:
        """For one table after another of the same distribution."""
        if number not in self._asked:
            self._asked.clear()
            self._asked[number] = self._tables.units(self._placed[number].d, self._positive)
        return self._asked[number]

    def forget(self, numbers: Sequence[int]) -> None:
        """Distributions that nobody will ask about."""
        super().forget(numbers)
        for number in numbers:
            self._asked.pop(number, None)
