"""Tables for the tree search on a device, in whole units of the grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from frankboost.cuda.device import SHARES, cupy, fours, in_fours, launch, records, sent, shared_memory, words
from frankboost.grid import UNITS
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest
from frankboost.typing import AnyArray, Array, Floats, Indices

MOST_PAIRS = 3  # pairs per group, as in tables.cu


@dataclass(frozen=True, eq=False)
class Units:
    """u as whole numbers, also as int32 if these are small enough; and how kernels cut them into limbs."""

    u: Array
    short: Array
    limbs: int
    bits: int

    @property
    def as_short(self) -> tuple[str, Array]:
        """u in the smallest type that holds it, and the ending of the names of the kernels that take it."""
        return ("", self.u) if self.short is None else ("_32", self.short)

    @property
    def cut(self) -> tuple[np.int32, np.int32]:
        """The number of limbs and their bits, in the types that the kernels take."""
        return np.int32(self.limbs), np.int32(self.bits)


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of pairs with the same first feature, whose tables fit together into shared memory."""

    count: int
    shared: int  # bytes of shared memory for a group
    first: Array  # the first pair of each group, and the number of pairs
    pairs: tuple[Array, ...]  # the features of each pair, and where its table starts
    large: tuple[Array, ...]  # the same for pairs whose tables do not fit; empty if there are none


@dataclass(frozen=True, eq=False)
class Range:
    """A range of the pairs of features, in the order of native/table_survey.hpp."""

    f: NDArray[np.int32]
    g: NDArray[np.int32]
    start: NDArray[np.int64]  # where each table starts, and where the last ends
    with_sets: list[tuple[int, int]]  # runs of pairs whose tables are scanned on the host
    plain: tuple[Array, ...]  # f, g and start of the other pairs, on the device

    def places(self, some: Indices) -> tuple[AnyArray, AnyArray, AnyArray]:
        """The features of some of the pairs, and where their tables start."""
        return self.f[some], self.g[some], self.start[some]


class Tables:
    """The bin codes of a part on the device, and the sums of u by them."""

    def __init__(self, features: BinnedFeatures) -> None:
        self._cp = cp = cupy()
        if features.codes.dtype != np.uint8:
            raise ValueError('device="cuda" needs max_bins of at most 255; got None')
        self.codes = in_fours(cp.asarray(features.codes))
        self.stride = int(self.codes.strides[0])
        self.bins = cp.asarray(features.bins, dtype=cp.int32)
        self.missing = cp.asarray(features.missing, dtype=cp.uint8)
        self._rows, self._bins = int(self.codes.shape[1]), features.bins.astype(np.int64)
        self._feature_starts = cp.asarray(self._start(self._bins + 1)[:-1])
        self._categories = np.array([n > 0 for n in features.categories])
        self._on_host = self._categories | (features.signs != 0)  # the host scans the pairs of these
        self._search = replace(features, codes=cp.asnumpy(self.codes[:, :1])).search()
        survey = self._search.survey()
        self._f, self._g = survey.pair_features().reshape(-1, 2).T
        self._roots, self._root_starts = survey.roots, cp.asarray(survey.root_starts())
        self._most_shared, self._shared_by_two = shared_memory()
        self._ranges: dict[tuple[int, int], Range] = {}
        self._grouped: dict[tuple[int, int, int], Groups] = {}
        self._pinned = np.zeros(0)

    def _start(self, cells: Array) -> Array:
        return np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)

    def units(self, d: Array, positive: Array) -> Units:
        """u in units of the grid, for a distribution d, or for signed weights u."""
        cp, rows = self._cp, len(d)
        most = max(float(d.max()), -float(d.min()))
        bits = int(most * UNITS).bit_length() + 1  # one bit for the sign
        limbs = next(n for n in range(2, 5) if bits <= 16 * n)
        u, short = cp.zeros(fours(rows), dtype=cp.int64), None
        launch("signed_units", (SHARES,), (d, positive, rows, u))
        if limbs == 2:
            short = cp.zeros(fours(rows), dtype=cp.int32)
            launch("signed_units_32", (SHARES,), (d, positive, rows, short))
        return Units(u, short, limbs, -(-bits // limbs))

    def _shares(self, units: Units, blocks: int) -> tuple[int, int]:
        """The number of blocks that share the rows of a table, and the number of rows of each."""
        enough = -(-self._rows // max(1, 4 * SHARES // max(1, blocks)))
        # So few rows that no sum of limbs, which are below 2^bits in size, overflows 32 bits.
        together = min(2 ** (32 - units.bits) - 1024, 1024 * -(-enough // 1024))
        return -(-self._rows // together), together

    def _sums(self, out: Array, *, keep: bool = False) -> Floats:
        """Copy sums to the host, as doubles; with `keep` the array is valid until the next call."""
        # Page-locked memory makes the copy several times faster.
        if len(self._pinned) < len(out):
            import cupyx  # noqa: PLC0415

            self._pinned = cupyx.empty_pinned(len(out), dtype=np.float64)
        sums: Floats = (out / UNITS).get(out=self._pinned[: len(out)])
        return sums if keep else sums.copy()

    def _range(self, begin: int, end: int) -> Range:
        """The pairs begin .. end; kept for later rounds."""
        if (begin, end) not in self._ranges:
            f, g = (each[begin:end].astype(np.int32) for each in (self._f, self._g))
            start = self._start((self._bins[f] + 1) * (self._bins[g] + 1))
            sets = self._on_host[f] | self._on_host[g]
            plain = tuple(sent(f[~sets], g[~sets], start[:-1][~sets]))
            self._ranges[begin, end] = Range(f, g, start, _runs(sets), plain)
        return self._ranges[begin, end]

    def _groups(self, begin: int, end: int, limbs: int) -> Groups:
        """The groups of the pairs begin .. end; kept for later rounds."""
        key = (begin, end, limbs)
        if key not in self._grouped:
            pairs = self._range(begin, end)
            sizes = 4 * limbs * np.diff(pairs.start)
            some, large = map(np.flatnonzero, (sizes <= self._most_shared, sizes > self._most_shared))
            f, size = pairs.f[some].tolist(), sizes[some].tolist()
            first, shared = [0], [0]
            for pair in range(len(some)):
                full = pair - first[-1] == MOST_PAIRS or shared[-1] + size[pair] > self._shared_by_two
                if shared[-1] > 0 and (full or f[pair] != f[first[-1]]):
                    first.append(pair)
                    shared.append(0)
                shared[-1] += size[pair]
            ends, *places = sent(np.array([*first, len(some)], dtype=np.int32), *pairs.places(some))
            others = sent(*pairs.places(large)) if len(large) else ()
            count = len(first) if len(some) else 0
            self._grouped[key] = Groups(count, max(shared), ends, tuple(places), tuple(others))
        return self._grouped[key]

    def pair_tables(self, units: Units, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs begin .. end, in the order of native/table_survey.hpp."""
        return self._sums(self._filled(units, begin, end), keep=True)

    def pair_children(
        self, units: Units, begin: int, end: int, threads: int
    ) -> tuple[Floats, NDArray[np.int32]]:
        """The best children of every root split in the tables of pairs begin .. end. The host scans tables
        with categories or signs."""
        pairs, survey = self._range(begin, end), self._search.survey()
        tables, start = self._filled(units, begin, end), pairs.start
        for first, last in pairs.with_sets:
            sums = self._sums(tables[start[first] : start[last]], keep=True)
            survey.take_pairs(begin + first, begin + last, sums, threads)
        survey.take_children(*self._scanned(tables, pairs))
        return survey.children()

    def _scanned(self, tables: Array, pairs: Range) -> tuple[Floats, NDArray[np.int32]]:
        """The best children in the tables that the device scans, which are overwritten."""
        cp, count = self._cp, len(pairs.plain[0])
        value = cp.zeros(2 * self._roots, dtype=cp.int64)
        feature = cp.full(2 * self._roots, np.iinfo(np.int32).max, dtype=cp.int32)
        if count:
            launch("sum_tables", (count,), (*pairs.plain, self.bins, tables))
            for second_pass in (0, 1):
                args = (self.missing, tables, self._root_starts, self._roots, np.int32(second_pass))
                launch("scan_tables", (count,), (*pairs.plain, self.bins, *args, value, feature))
        return self._sums(value), cp.asnumpy(feature)

    def _filled(self, units: Units, begin: int, end: int) -> Array:
        """Fill the tables of pairs begin .. end, in units, on the device."""
        out = self._cp.zeros(int(self._range(begin, end).start[-1]), dtype=self._cp.int64)
        groups = self._groups(begin, end, units.limbs)
        if groups.count:
            shares, together = self._shares(units, groups.count)
            kind, u = units.as_short
            rows = (self.codes, self.stride, u, self._rows, together)
            args = (*rows, groups.first, *groups.pairs, self.bins, *units.cut, out)
            launch("pair_tables" + kind, (groups.count, shares), args, groups.shared)
        if groups.large:
            count = len(groups.large[0])
            args = (self.codes, self.stride, units.u, self._rows, *groups.large, self.bins, out)
            launch("large_tables", (count, self._shares(units, count)[0]), args)
        return out

    def feature_sums(self, units: Units) -> tuple[Floats, Floats]:
        """Sums of u and, if there are categories, of |u| by the bins of each feature."""
        cells, layout = self._bins + 1, (self._feature_starts, self.bins)
        return self._both_sums("feature_sums", units, layout, cells)

    def side_sums(self, units: Units, roots: tuple[Array, Array, Array]) -> Floats:
        """Sums of u and, if there are categories, of |u| below roots, as native/survey.hpp has them."""
        nodes, sets, children = roots
        cells = (self._bins[children] + 1).reshape(-1, 2).sum(axis=1)
        start = self._start(cells)
        *layout, there = sent(records(nodes), children.astype(np.int32), start[:-1], words(sets))
        layout += [self.bins, self.missing, there]
        both = self._both_sums("side_sums", units, layout, cells)
        # Root by root: the sums on both sides, then those of |u|.
        parts = (np.split(sums, start[1:-1]) for sums in both)
        return np.concatenate([each for root in zip(*parts, strict=True) for each in root])

    def _both_sums(
        self, name: str, units: Units, layout: Sequence[Array], cells: Array
    ) -> tuple[Floats, Floats]:
        """The sums of u and of |u| by a kernel; `cells` has the number of cells of each of its blocks."""
        (kind, u), count = units.as_short, int(cells.sum())
        shares, together = self._shares(units, len(cells))
        rows = (self.codes, self.stride, u, self._rows, together)

        def summed(absolute: int) -> Floats:
            out = self._cp.zeros(count, dtype=self._cp.int64)
            args = (*rows, *layout, *units.cut, np.int32(absolute), out)
            launch(name + kind, (len(cells), shares), args, int(cells.max()) * 4 * units.limbs)
            return self._sums(out)

        return summed(0), summed(1) if self._categories.any() else np.zeros(count)

    def forest(self, forest: Forest) -> tuple[Array, ...]:
        """The arguments of kernels that walk trees: nodes, roots, bins, missing values and sets."""
        nodes, roots, sets = sent(records(forest.nodes), forest.roots, words(forest.sets))
        return nodes, roots, self.bins, self.missing, sets


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of set flags: the first place of each, and the place behind its last."""
    changes = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    return [(int(first), int(last)) for first, last in changes.reshape(-1, 2)]
