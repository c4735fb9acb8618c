"""Tables of the tree search on a device, in whole units of the grid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from frankboost.cuda.device import SHARES, cupy, launch
from frankboost.grid import UNITS
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest
from frankboost.typing import Floats

TOGETHER = 32768  # rows between two flushes, as in kernels.cu
MOST_SHARED = 200 * 1024  # bytes of shared memory for a table


@dataclass(frozen=True, eq=False)
class Units:
    """u as whole numbers, and how many limbs of 16 bits they take; as int32 too, if that is two."""

    u: Any
    short: Any
    limbs: int


class Tables:
    """The bin codes on the device, and sums of u over them."""

    def __init__(self, features: BinnedFeatures) -> None:
        self._cp = cp = cupy()
        if features.codes.dtype != np.uint8:
            raise ValueError('device="cuda" needs max_bins of at most 255; got None')
        self.codes = cp.ascontiguousarray(cp.asarray(features.codes))
        self.bins = cp.asarray(features.bins, dtype=cp.int32)
        self.missing = cp.asarray(features.missing, dtype=cp.uint8)
        self._bins = features.bins.astype(np.int64)
        self._categorical = any(n > 0 for n in features.categories)
        few = replace(features, codes=cp.asnumpy(self.codes[:, :1]))
        self._f, self._g = few.search().survey().pair_features().reshape(-1, 2).T
        self._pinned = np.zeros(0)

    def _start(self, cells: Any) -> Any:
        return np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)

    def units(self, d: Any, positive: Any) -> Units:
        """u for a distribution d."""
        cp, rows = self._cp, len(d)
        largest = int(float(d.max()) * UNITS)
        limbs = next(n for n in range(2, 5) if largest <= 2 ** (16 * n - 1))
        u, short = cp.empty(rows, dtype=cp.int64), None
        launch("signed_units", (SHARES,), (d, positive, rows, u))
        if limbs == 2:
            short = cp.empty(rows, dtype=cp.int32)
            launch("signed_units_32", (SHARES,), (d, positive, rows, short))
        return Units(u, short, limbs)

    def _shares(self, blocks: int) -> int:
        """How many blocks share the rows of each table."""
        return max(1, min(-(-int(self.codes.shape[1]) // TOGETHER), 32 * SHARES // max(1, blocks)))

    def _sums(self, out: Any, *, keep: bool = False) -> Floats:
        """On the host, as doubles; `keep`: until the next sums are asked for."""
        # Through memory that the system may not move: several times faster.
        if len(self._pinned) < len(out):
            import cupyx  # noqa: PLC0415

            self._pinned = cupyx.empty_pinned(len(out), dtype=np.float64)
        sums: Floats = (out / UNITS).get(out=self._pinned[: len(out)])
        return sums if keep else sums.copy()

    def pair_tables(self, units: Units, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs begin .. end, in the order of native/table_survey.hpp."""
        cp, u, limbs = self._cp, units.u, units.limbs
        f, g = self._f[begin:end], self._g[begin:end]
        cells = (self._bins[f] + 1) * (self._bins[g] + 1)
        start = self._start(cells)
        out = cp.zeros(int(start[-1]), dtype=cp.int64)
        small = cells * 4 * limbs <= MOST_SHARED
        for fits in (True, False):
            some = np.flatnonzero(small == fits)
            if len(some) == 0:
                continue
            places = tuple(cp.asarray(each[some], dtype=cp.int32) for each in (f, g))
            args = (u.shape[0], *places, cp.asarray(start[some]), self.bins)
            grid = (len(some), self._shares(len(some)))
            if not fits:
                launch("large_tables", grid, (self.codes, u, *args, out))
            elif units.short is None:
                shared = int(cells[some].max()) * 4 * limbs
                launch("pair_tables", grid, (self.codes, u, *args, np.int32(limbs), out), shared)
            else:
                shared = int(cells[some].max()) * 4 * limbs
                launch("pair_tables_32", grid, (self.codes, units.short, *args, np.int32(limbs), out), shared)
        return self._sums(out, keep=True)

    def feature_sums(self, units: Units) -> tuple[Floats, Floats]:
        """Sums of u and, if there are categories, of |u| by the bins of each feature."""
        u, limbs = units.u, units.limbs
        start = self._start(self._bins + 1)
        found = []
        for absolute in (0, 1):
            out = self._cp.zeros(int(start[-1]), dtype=self._cp.int64)
            if not absolute or self._categorical:
                grid = (len(self._bins), self._shares(len(self._bins)))
                shared = int(self._bins.max() + 1) * 4 * limbs
                args = (self.codes, u, len(u), self._cp.asarray(start[:-1]), self.bins)
                launch("feature_sums", grid, (*args, np.int32(limbs), np.int32(absolute), out), shared)
            found.append(self._sums(out))
        return found[0], found[1]

    def side_sums(self, units: Units, roots: tuple[Any, Any, Any]) -> Floats:
        """Sums of u and, if there are categories, of |u| below roots, as native/survey.hpp has them."""
        cp, (nodes, sets, children) = self._cp, roots
        u, limbs = units.u, units.limbs
        cells = (self._bins[children] + 1).reshape(-1, 2).sum(axis=1)
        start = self._start(cells)
        records = cp.asarray(np.ascontiguousarray(nodes).view(np.uint8))
        words = cp.asarray(sets if len(sets) else np.zeros((1, 4), dtype=np.uint64))
        found = []
        for absolute in (0, 1):
            out = cp.zeros(int(start[-1]), dtype=cp.int64)
            if not absolute or self._categorical:
                grid = (len(nodes), self._shares(len(nodes)))
                args = (self.codes, u, len(u), records, cp.asarray(children, dtype=cp.int32))
                layout = (cp.asarray(start[:-1]), self.bins, self.missing, words)
                shared = int(cells.max()) * 4 * limbs
                launch("side_sums", grid, (*args, *layout, np.int32(limbs), np.int32(absolute), out), shared)
            found.append(np.split(self._sums(out), start[1:-1]))
        # Root by root: the sums on both sides, then those of |u|.
        return np.concatenate([part for both in zip(*found, strict=True) for part in both])

    def leaf_sums(self, units: Units, forest: Forest) -> Floats:
        """The sum of u over the rows that reach each leaf, one entry per node."""
        u, limbs = units.u, units.limbs
        nodes, roots, sizes, *layout = self.forest(forest)
        out = self._cp.zeros(len(forest.nodes), dtype=self._cp.int64)
        grid = (len(forest.roots), self._shares(len(forest.roots)))
        args = (self.codes, u, len(u), nodes, roots, sizes, *layout, np.int32(limbs), out)
        launch("leaf_sums", grid, args, int(sizes.max()) * 4 * limbs)
        return self._sums(out)

    def forest(self, forest: Forest) -> tuple[Any, ...]:
        """Trees as the kernels take them: nodes, roots, sizes, bins, missing values and sets."""
        cp = self._cp
        sizes = np.diff(forest.roots, append=len(forest.nodes)).astype(np.int32)
        nodes = cp.asarray(np.ascontiguousarray(forest.nodes).view(np.uint8))
        sets = forest.sets if len(forest.sets) else np.zeros((1, 4), dtype=np.uint64)
        return nodes, cp.asarray(forest.roots), cp.asarray(sizes), self.bins, self.missing, cp.asarray(sets)
