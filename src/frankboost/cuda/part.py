"""The parts with the rows on a device, whose answers have the same bits as those of `TreePart` and
`JointTreePart`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from frankboost.cuda.device import SHARES, cupy, launch
from frankboost.cuda.distributions import CudaDistributions
from frankboost.cuda.tables import Tables, Units
from frankboost.grid import weight_shares
from frankboost.learners.tree import Forest
from frankboost.rooms.distributions import Placed
from frankboost.rooms.host_part import Examples
from frankboost.rooms.joint_rows import JointRows
from frankboost.rooms.margins import JointMargins
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number
from frankboost.rooms.tree_search import TreeRows
from frankboost.typing import AnyArray, Array, Floats, Indices

MANY = 2**30  # bytes of columns from which on memory is given back to the device before more is asked for


class CudaPart(CudaDistributions, TreeRows):
    """Rows on the current device; the parts before this one have `first` rows.

    X is a `BinnedFeatures` whose codes are on the host or on the device. `threads` is the number of threads
    of the host for the search of features with categories.
    """

    def __init__(self, examples: Examples, first: int = 0, *, threads: int = 1) -> None:
        super().__init__(examples, first)
        self._threads = threads
        self._positive = self._cp.asarray(examples.margins.as_they_vote)
        self._tables = Tables(examples.X)
        self._asked: dict[int, Units] = {}
        self._taken: Forest | None = None  # the trees whose columns `keep` chooses from
        self._before = 0  # the number of columns before theirs

    # Columns

    def take(self, hypotheses: Forest) -> list[bytes]:
        self._taken, self._before = hypotheses, self._columns
        return self._append(hypotheses)

    def taken_edges(self, number: Number) -> tuple[Floats, float]:
        return self.edges(number, self._before), -np.inf

    def keep(self, which: Sequence[int]) -> None:
        assert self._taken is not None
        taken, self._taken = self._taken, None
        if len(which) < self._columns - self._before:
            self._drop(self._before)
            if which:
                trees, each = taken.trees(), self._each
                kept = [tree for k in which for tree in trees[k * each : (k + 1) * each]]
                self._append(Forest.of(kept))

    def _drop(self, columns: int) -> None:
        """Forget all columns from a number on."""
        group, bit = divmod(columns, 8)
        self._packed[group:] &= np.uint8((1 << bit) - 1)
        self._packed[group + 1 :] = 0
        self._columns = columns

    def are_signs(self, columns: Indices) -> bool:
        return True

    def _append(self, taken: Forest) -> list[bytes]:
        """Append the columns of trees; returns a digest of each column."""
        forests = self._by_class(taken)
        cp, count, groups = self._cp, len(forests[0].roots), len(self._packed)
        needed = -(-(self._columns + count) // 8)
        if needed > groups:
            more = cp.zeros((max(needed - groups, groups // 2), self._packed.shape[1]), dtype=cp.uint8)
            self._packed = cp.concatenate([self._packed, more])
            if self._packed.nbytes > MANY:  # free blocks are too small for the next, larger array
                cp.get_default_memory_pool().free_all_blocks()
        digests = cp.zeros((count, 2), dtype=cp.uint64)
        tables, spread = self._tables, needed - self._columns // 8
        rows, entries = (tables.codes, tables.stride, self._positive, self._rows), self._packed.shape[1]
        for k, forest in enumerate(forests):
            nodes, roots, *layout = tables.forest(forest)
            trees = (nodes, roots, np.int32(count), *layout, np.int32(self._columns))
            args = (*rows, *trees, self._packed[:, k * self._rows :], entries)
            launch("add_columns", (4 * SHARES, spread), args)
        columns = (self._packed, entries, np.int32(self._columns), np.int32(count))
        launch("digest_columns", (SHARES, spread), (*columns, digests))
        self._columns += count
        return [digest.tobytes() for digest in cp.asnumpy(digests)]

    def _by_class(self, hypotheses: Forest) -> list[Forest]:
        """The trees of each class, where a hypothesis has one for each."""
        if self._each == 1:
            return [hypotheses]
        trees = hypotheses.trees()
        return [Forest.of(trees[k :: self._each]) for k in range(self._each)]

    def vote(self, number: Number, hypotheses: Forest, weights: Floats) -> None:
        cp, tables = self._cp, self._tables
        nodes, roots, *layout = tables.forest(hypotheses)
        votes = cp.empty(self._rows)
        rows = (tables.codes, tables.stride, self._rows)
        given = (nodes, roots, np.int32(len(weights)), *layout, cp.asarray(weights))
        launch("sum_votes", (4 * SHARES,), (*rows, *given, votes))
        self._placed[number] = Placed(cp.where(self._positive, votes, -votes))

    # The search

    def weigh_rows(self, number: Number, whole: float) -> None:
        cp = self._cp
        shares = cp.broadcast_to(weight_shares(self._weight, whole), (self._rows,))
        # With signs, so that u has none.
        self._placed[number] = Placed(None, cp.where(self._positive, shares, -shares))

    def feature_sums(self, number: Number) -> Floats:
        return np.stack(self._tables.feature_sums(self._u(number)))

    def pair_tables(self, number: Number, begin: int, end: int) -> Floats:
        return self._tables.pair_tables(self._u(number), begin, end)

    def add_pair_tables(self, number: Number, begin: int, end: int, tables: Floats) -> None:
        """Add the tables of this part to those of other parts."""
        tables += self.pair_tables(number, begin, end)

    def pair_children(self, number: Number, begin: int, end: int) -> tuple[Floats, NDArray[np.int32]]:
        return self._tables.pair_children(self._u(number), begin, end, self._threads)

    def side_sums(self, number: Number, nodes: AnyArray, sets: AnyArray, children: AnyArray) -> Floats:
        return self._tables.side_sums(self._u(number), (nodes, sets, children))

    def rows(self, number: Number) -> tuple[AnyArray, Floats]:
        cp, (mass, positive) = self._cp, self._signed(number)
        kept = cp.flatnonzero(mass)
        u = cp.where(positive[kept], mass[kept], -mass[kept])
        return cp.asnumpy(self._tables.codes[:, kept]), cp.asnumpy(u)

    def bin_weights(self, number: Number) -> Floats:
        d = self._placed[number].d
        return self._tables.feature_sums(self._tables.units(d, self._cp.ones(len(d), dtype=bool)))[0]

    def _u(self, number: Number) -> Units:
        """The signed units of a distribution, kept for all questions about it."""
        if number not in self._asked:
            self._asked.clear()
            self._asked[number] = self._tables.units(*self._signed(number))
        return self._asked[number]

    def _signed(self, number: Number) -> tuple[Array, Array]:
        """The sizes of the signed weights, and which are positive."""
        return self._placed[number].d, self._positive

    def forget(self, numbers: Sequence[Number]) -> None:
        super().forget(numbers)
        for number in numbers:
            self._asked.pop(number, None)


@dataclass(frozen=True, eq=False)
class DeviceMargins(JointMargins):
    """The margins of rows on the current device, which needs no threads."""

    def least(self, votes: Array, threads: int) -> Array:
        margins = cupy().empty(len(self.code))
        launch("least_class_margins", (8 * SHARES,), (votes, *self._classes, margins))
        return margins

    def soft(self, votes: Array, eta: float, threads: int) -> tuple[Array, Array]:
        cp = cupy()
        margins, shares = cp.empty(len(self.code)), cp.empty(len(votes))
        launch("soft_class_margins", (8 * SHARES,), (votes, *self._classes, eta, margins, shares))
        return margins, shares

    def signed(self, d: Array, shares: Array, threads: int) -> Array:
        halves = cupy().empty(len(shares))
        launch("deal_to_classes", (8 * SHARES,), (shares, d, *self._classes, halves))
        return halves

    @property
    def _classes(self) -> tuple[Array, np.int32, int]:
        """The class of each row, the number of classes, and that of rows."""
        return self.code, np.int32(self.classes), len(self.code)


class JointCudaPart(JointRows, CudaPart):
    """Rows of many classes on the current device."""

    moving, covariance = Part.moving, Part.covariance

    def __init__(self, examples: Examples, first: int = 0, *, threads: int = 1) -> None:
        known: JointMargins = examples.margins
        margins = DeviceMargins(cupy().asarray(known.code), known.classes)
        super().__init__(replace(examples, margins=margins), first, threads=threads)

    def _signed(self, number: Number) -> tuple[Array, Array]:
        """Of the weights for one class, see `ClassRows.of_class`."""
        u = self._placed[number].d
        return abs(u), u > 0.0
