"""The rows of a training set on a device; it answers what `rooms.part.LocalPart` answers, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.cuda.device import SHARES, cupy, launch
from frankboost.cuda.tables import Tables, Units
from frankboost.grid import UNITS, cap_units, exact_dot, magics_for, total_parts
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest
from frankboost.rooms.distributions import Distributions, Placed
from frankboost.rooms.margin_matrix import centred, picked_roots
from frankboost.rooms.part import Cut
from frankboost.typing import Floats, Indices

MANY = 2**30  # bytes


@dataclass(eq=False)
class _Begun(Placed):
    """One whose d is still to come from its keys: start - eta margin, less a shift."""

    eta: float = 0.0
    shift: float = 0.0


class CudaPart(Distributions):
    """Rows on the current device.

    Parameters
    ----------
    features : BinnedFeatures
        Their bin codes, on the host or on the device.
    y, sample_weight : arrays with one entry per row
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
        *,
        members: Indices | int = 1,
        weight_error: float = 0.0,
        threads: int = 1,
    ) -> None:
        self._cp = cp = cupy()
        self._threads = threads
        self._positive = cp.asarray(y) > 0.0
        weight = cp.ascontiguousarray(cp.asarray(sample_weight, dtype=cp.float64))
        self._ones = bool((weight == 1.0).all()) and np.ndim(members) == 0
        # One entry stands for all, in prior and caps too.
        super().__init__(cp, weight[:1].copy() if self._ones else weight, len(y))
        self._members, self._error = cp.asarray(members), weight_error
        self._tables = Tables(features)
        self._asked: dict[int, Units] = {}

    @property
    def _step(self) -> int:
        """From the weight of one row to that of the next."""
        return 0 if self._ones else 1

    # Weights and caps

    def weigh(self, coarse: float, fine: float) -> tuple[float, float]:
        """The sum of the weights, in two exact parts."""
        return (float(self._rows), 0.0) if self._ones else total_parts(self._weight, coarse, fine)

    def cap(self, nu: float, total: float) -> tuple[float, float, float, Fraction]:
        """Set the caps, see `LocalPart.cap`."""
        cp = self._cp
        self._start_key = native.log(nu)
        self._prior = self._weight / total
        self._caps = self._prior / nu
        self._units = cap_units(self._caps, self._members, self._error)
        density = float((cp.minimum(self._caps, 1.0) / self._prior).max())
        units = float(self._units.sum()) * (self._rows if self._ones else 1)
        whole = Fraction(self._rows) if self._ones else self._exact(self._weight, cp.ones(self._rows))
        return density, float(self._prior.min()), units, whole

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

    # Distributions

    def start(self, number: int, multipliers: Floats, eta: float, stride: int) -> dict[str, Any]:
        """Margins and keys of a distribution to be, see `LocalPart.start`."""
        return self._begin(number, self._margins(multipliers), eta, stride)

    def start_along(
        self, number: int, line: tuple[int, int, float], eta: float, stride: int
    ) -> dict[str, Any]:
        """The same for a point of a line."""
        base, change, step = line
        return self._begin(
            number, self._placed[base].margins + step * self._placed[change].margins, eta, stride
        )

    def _begin(self, number: int, margins: Any, eta: float, stride: int) -> dict[str, Any]:
        self._placed[number] = _Begun(margins, eta=eta)
        low, high = float(margins.min()), float(margins.max())
        some = self._cp.asnumpy(margins[::stride])
        return {
            "low": low,
            "high": high,
            "largest": max(abs(self._start_key - eta * low), abs(self._start_key - eta * high)),
            "key": self._start_key - eta * some,
            "weight": np.ones(len(some)) if self._ones else self._cp.asnumpy(self._weight[::stride]),
        }

    def _margins(self, weights: Floats) -> Any:
        cp = self._cp
        groups = -(-len(weights) // 8)
        out = cp.empty(self._rows)
        args = (self._signs, cp.asarray(_tables_of(weights, groups)), np.int32(groups), self._rows, out)
        launch("margins", (8 * SHARES,), args)
        return out

    def sums(
        self, number: int, shift: float | None, limit: float, coarse: float, fine: float
    ) -> tuple[float, ...]:
        """What `native.projection_sums` says."""
        at = self._placed[number]
        at.shift = at.shift if shift is None else shift
        out = self._cp.zeros((SHARES, 6))
        args = (
            at.margins,
            self._weight,
            self._step,
            self._rows,
            self._start_key,
            at.eta,
            at.shift,
            limit,
            coarse,
            fine,
            out,
        )
        launch("projection_sums", (SHARES,), args)
        return self._numbers(out)[:5]

    def fill(
        self, number: int, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        """The distribution, rounded down to the grid: what was paid for it, and its sum."""
        at = self._placed[number]
        at.d = self._cp.empty(self._rows)
        out = self._cp.zeros((SHARES, 6))
        keys, mass = magics_for(largest, rows), magics_for(1.0, rows)
        found = (
            at.margins,
            self._caps,
            self._units,
            self._step,
            self._rows,
            self._start_key,
            at.eta,
            at.shift,
            limit,
            scale,
        )
        launch("fill", (SHARES,), (*found, *keys, *mass, at.d, out))
        *paid, given = self._numbers(out)
        return tuple(paid), given

    def _numbers(self, out: Any) -> tuple[float, ...]:
        blocks = self._cp.asnumpy(out)
        sums = blocks.sum(axis=0)
        sums[4] = blocks[:, 4].max()
        return tuple(sums.tolist())

    # What a distribution tells

    def edges(self, number: int, first: int) -> Floats:
        """A^T d from column `first`, a multiple of eight, on."""
        groups = -(-(self._columns - first) // 8)
        blocks = max(8, 4 * SHARES // max(1, groups))
        out = self._cp.empty((8 * groups, blocks))
        args = (self._signs[first // 8 :], self._placed[number].d, self._rows, out)
        launch("edges", (blocks, groups), args)
        edges: Floats = self._cp.asnumpy(out.sum(axis=1))[: self._columns - first]
        return edges

    def buckets(self, number: int, cut: Cut) -> Floats:
        """The weight in each bucket of margins."""
        cp, margins = self._cp, self._placed[number].margins
        least, most, factor, magic, _ = cut
        out = cp.zeros(1024, dtype=cp.uint32 if self._ones else cp.float64)
        if self._ones:
            launch("count_buckets", (SHARES,), (margins, self._rows, least, most, factor, out))
        else:
            launch(
                "weigh_buckets",
                (SHARES,),
                (margins, self._weight, self._rows, least, most, factor, magic, out),
            )
        buckets: Floats = cp.asnumpy(out).astype(np.float64)
        return buckets

    def in_bucket(self, number: int, cut: Cut, bucket: int) -> tuple[float, float, float]:
        """What is paid in the buckets before one, and its least and its largest margin."""
        least, most, factor, _, magic = cut
        out = self._cp.empty((SHARES, 3))
        args = (
            self._placed[number].margins,
            self._weight,
            self._step,
            self._rows,
            least,
            most,
            factor,
            magic,
        )
        launch("in_bucket", (SHARES,), (*args, np.int32(bucket), out))
        paid, lowest, highest = self._cp.asnumpy(out).T
        return float(paid.sum()), float(lowest.min()), float(highest.max())

    def covariance(
        self, number: int, least: float, stride: int, columns: Indices, sample: tuple[int, float, Any]
    ) -> Floats:
        """Of columns over every so many of the rows that can move, which stand for a weight in all."""
        cp, (step, weight, dtype) = self._cp, sample
        rows = cp.ascontiguousarray(self._free(number, least, stride)[::step])
        d = cp.asnumpy(self._placed[number].d[rows])
        mass = d * (stride * weight / d.sum())
        picks, pieces, root = picked_roots(mass, dtype)
        rows = rows if picks is None else rows[cp.asarray(picks)]
        count, width = len(pieces), -(-len(rows) // len(pieces))
        scaled = cp.empty((count, len(columns) + 1, width), dtype=dtype)
        with_ones = cp.asarray(np.append(columns, -1), dtype=cp.int32)
        name = "scale_columns_32" if dtype == np.float32 else "scale_columns_64"
        picked = (self._signs, self._rows, rows, np.int32(len(rows)), with_ones, cp.asarray(root))
        launch(name, (8, len(with_ones)), (*picked, np.int32(count), np.int32(width), scaled))
        covariance: Floats = cp.asnumpy(centred(_products(scaled), mass))
        return covariance

    def margins(self, number: int, weights: Floats) -> float:
        """Keep the margins A w, of which the largest in size is told."""
        self._placed[number] = Placed(self._margins(weights))
        return float(abs(self._placed[number].margins).max())

    def proof(self, number: int, t: int) -> Fraction:
        """sum_i s_i max(t - margin_i, 0) in units of the grid, exactly."""
        cp = self._cp
        units = cp.floor(self._placed[number].margins * UNITS)
        below = units < t
        return self._exact(self._weight if self._ones else self._weight[below], t - units[below])

    def _exact(self, weight: Any, units: Any) -> Fraction:
        """sum_i weight_i units_i."""
        if not self._ones:
            return exact_dot(self._cp.asnumpy(weight), self._cp.asnumpy(units))
        whole = units.astype(self._cp.int64)
        high, low = int((whole >> 27).sum()), int((whole & (2**27 - 1)).sum())
        return Fraction((high << 27) + low)

    # The search

    def feature_sums(self, number: int) -> tuple[Floats, Floats]:
        """Sums of u and of |u| by the bins of each feature."""
        return self._tables.feature_sums(self._u(number))

    def pair_tables(self, number: int, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs of features."""
        return self._tables.pair_tables(self._u(number), begin, end)

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


def _products(pieces: Any) -> Any:
    """The sum of B B^T over pieces B, each product exact; some at a time, for want of memory."""
    count, size, _ = pieces.shape
    together = max(1, MANY // 16 // size**2)
    batches = (pieces[k : k + together] for k in range(0, count, together))
    return sum((batch @ batch.transpose(0, 2, 1)).sum(axis=0, dtype=np.float64) for batch in batches)


def _tables_of(weights: Floats, groups: int) -> Floats:
    """What eight columns do to a row, for each pattern of signs, added up as native/sign_matrix.cpp does."""
    padded = np.concatenate([weights, np.zeros(8 * groups - len(weights))]).reshape(groups, 8)
    tables = np.zeros((groups, 256))
    for j in range(8):
        tables[:, 0] -= padded[:, j]
    for j in range(8):
        size = 2**j
        tables[:, size : 2 * size] = tables[:, :size] + 2.0 * padded[:, j : j + 1]
    return tables
