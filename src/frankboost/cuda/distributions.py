"""Distributions over rows on a device, with the same bits as those of `rooms.local_parts.TreePart`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from frankboost import native
from frankboost.cuda.covariances import covariance
from frankboost.cuda.device import SHARES, cupy, launch
from frankboost.grid import UNITS, cap_units, exact_dot, exact_sum, magics_for
from frankboost.rooms.distributions import Distributions, Placed, strided
from frankboost.rooms.host_part import Examples
from frankboost.rooms.part import Bucket, Cut, Keys, Near, Pair, Takers, Terms, largest_key
from frankboost.rooms.picked import Picked, PickedDifferences
from frankboost.rooms.questions import Number
from frankboost.typing import Array, Floats, Indices, Precision

TAKERS = {"with_weight": np.int32(0), "below_their_caps": np.int32(1), "all": np.int32(2)}  # as in units.cu


@dataclass(eq=False)
class _Begun(Placed):
    """A distribution that is not finished: d will follow from the keys start - eta margin, and the shift.

    The keys are those of the margins `keyed`; with many classes these are soft minima, and `margins` are not.
    """

    keyed: Array = None
    eta: float = 0.0
    shift: float = 0.0


class CudaDistributions(Distributions):
    """A part that keeps weights, caps, columns and distributions on the current device."""

    def __init__(self, examples: Examples, first: int) -> None:
        self._cp = cp = cupy()
        weight = cp.ascontiguousarray(cp.asarray(examples.sample_weight, dtype=cp.float64))
        self._ones = bool((weight == 1.0).all()) and np.ndim(examples.members) == 0
        # A single entry stands for all rows; prior and caps then have one entry as well.
        super().__init__(cp, weight[:1].copy() if self._ones else weight, len(weight), first)
        self._members, self._error = cp.asarray(examples.members), examples.weight_error
        self._each: int = examples.margins.members  # trees of a hypothesis
        self._packed = cp.zeros((0, self._rows * self._each), dtype=np.uint8)
        self._columns = 0

    @property
    def _step(self) -> int:
        """The step from a row's entry to the next row's in an array of weights: 0 if all rows share one."""
        return 0 if self._ones else 1

    # Weights and caps

    def weigh(self) -> tuple[Fraction, float]:
        total = Fraction(self._rows) if self._ones else exact_sum(self._cp.asnumpy(self._weight))
        return total, float(self._weight.min())

    def cap(self, nu: float, total: float) -> Pair:
        cp = self._cp
        self._start_key = native.log(nu)
        self._prior = self._weight / total
        self._caps = self._prior / nu
        self._units = cap_units(self._caps, self._members, self._error)
        density = float((cp.minimum(self._caps, 1.0) / self._prior).max())
        units = float(self._units.sum()) * (self._rows if self._ones else 1)
        return density, units

    # Distributions

    def _product(self, weights: Floats) -> Array:
        cp, groups, entries = self._cp, -(-len(weights) // 8), self._packed.shape[1]
        tables, out = cp.empty((groups, 256)), cp.empty(entries)
        if groups:
            padded = np.concatenate([weights, np.zeros(8 * groups - len(weights))])
            launch("sign_tables", (groups,), (cp.asarray(padded), tables))
        launch("margins", (8 * SHARES,), (self._packed, tables, np.int32(groups), entries, out))
        return out

    def keys(self, number: Number, eta: float, stride: int) -> Keys:
        margins = self._placed[number].margins
        self._placed[number] = _Begun(margins, keyed=margins, eta=eta)
        some = strided(self._first, stride)
        begin, count = some.start, len(range(self._rows)[some])
        seen = self._cp.empty(2 * SHARES + count)
        launch("look_at", (SHARES,), (margins, self._rows, begin, stride, seen, seen[2 * SHARES :]))
        found = self._cp.asnumpy(seen)
        extremes, margins = found[: 2 * SHARES], found[2 * SHARES :]
        weight = np.ones(count) if self._ones else self._cp.asnumpy(self._weight[some])
        low, high = float(extremes[::2].min()), float(extremes[1::2].max())
        largest = largest_key(self._start_key, eta, low, high)
        return Keys(low, high, largest, self._start_key - eta * margins, weight)

    def sums_near(self, number: Number, shift: float | None, near: Pair, terms: Terms, most: int) -> Near:
        at = self._placed[number]
        at.shift = at.shift if shift is None else shift
        out = self._cp.zeros((SHARES, 6))
        launch(
            "projection_sums",
            (SHARES,),
            (at.keyed, self._weight, *self._keys(at, near[1]), *terms[0], *terms[1], out),
        )
        return Near(self._numbers(out)[:5], None)

    def fill(
        self, number: Number, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        at, d = self._placed[number], self._cp.empty(self._rows)
        out = self._cp.zeros((SHARES, 6))
        rows_and_caps = (at.keyed, self._caps, self._units)
        magics = (*magics_for(largest, rows), *magics_for(1.0, rows))
        launch("fill", (SHARES,), (*rows_and_caps, *self._keys(at, limit), scale, *magics, d, out))
        self._placed[number] = Placed(at.margins, d)
        *paid, given = self._numbers(out)
        return tuple(paid), given

    def _keys(self, at: _Begun, limit: float) -> tuple[Array, ...]:
        """The arguments from which a kernel computes a row's key, and whether the row is at its cap."""
        return self._step, self._rows, self._start_key, at.eta, at.shift, limit

    def open(self, number: Number, takers: Takers) -> int:
        return int(self._cp.asnumpy(self._open(number, takers)).sum())

    def _open(self, number: Number, takers: Takers) -> Array:
        """The number of open rows in each stretch of the rows."""
        out = self._cp.empty(SHARES)
        launch("count_open", (SHARES,), (*self._filled(number), TAKERS[takers], out))
        return out

    def give_first(self, count: int, number: Number, takers: Takers) -> None:
        open_rows = self._open(number, takers)
        args = (*self._filled(number), TAKERS[takers], open_rows, float(count))
        launch("give_first", (SHARES,), args)

    def _filled(self, number: Number) -> tuple[Array, ...]:
        """The arguments of kernels that hand out units: d, and the caps in units."""
        return self._placed[number].d, self._units, self._step, self._rows

    def _numbers(self, out: Array) -> tuple[float, ...]:
        blocks = self._cp.asnumpy(out)
        sums = blocks.sum(axis=0)
        sums[4] = blocks[:, 4].max()
        return tuple(sums.tolist())

    # Results of a distribution

    def edges(self, number: Number, known: int) -> Floats:
        first = known // 8 * 8
        groups = -(-(self._columns - first) // 8)
        blocks = max(8, 4 * SHARES // max(1, groups))
        out = self._cp.empty((8 * groups, blocks))
        args = (self._packed[first // 8 :], self._played(number), self._packed.shape[1], out)
        launch("edges", (blocks, groups), args)
        edges: Floats = self._cp.asnumpy(out).sum(axis=1)[known - first : self._columns - first]
        return edges

    def buckets(self, number: Number, cut: Cut) -> Floats:
        cp, margins = self._cp, self._placed[number].margins
        least, most, factor, magic, _, heaviest = cut
        out = cp.zeros(1024, dtype=cp.uint32 if self._ones else cp.float64)
        if self._ones:
            launch("count_buckets", (SHARES,), (margins, self._rows, least, most, factor, out))
        else:
            launch(
                "weigh_buckets",
                (SHARES,),
                (margins, self._weight, self._rows, least, most, factor, heaviest, magic, out),
            )
        buckets: Floats = cp.asnumpy(out).astype(np.float64)
        return buckets

    def within_bucket(self, number: Number, cut: Cut, bucket: int, most: int) -> Bucket:
        low, high, factor, _, magic, _ = cut
        out = self._cp.empty((SHARES, 3))
        rows = (self._placed[number].margins, self._weight, self._step, self._rows)
        launch("in_bucket", (SHARES,), (*rows, low, high, factor, magic, np.int32(bucket), out))
        paid, lowest, highest = self._cp.asnumpy(out).T
        return Bucket(float(paid.sum()), float(lowest.min()), float(highest.max()), None)

    def largest(self, number: Number, stride: int) -> Pair:
        out = self._cp.empty((SHARES, 2))
        d = self._placed[number].d
        begin = strided(self._first, stride).start
        launch("largest", (SHARES,), (d, self._prior, self._step, self._rows, begin, stride, out))
        density, mass = self._cp.asnumpy(out).max(axis=0).tolist()
        return density, mass

    def free(self, number: Number, least: Pair, stride: int) -> tuple[int, float]:
        _, found = self._count_moving(number, least, stride)
        count, weight = self._cp.asnumpy(found).sum(axis=0).tolist()
        return int(count), weight

    def moving(self, number: Number, least: Pair, stride: int) -> tuple[int, float, Array]:
        which, found = self._count_moving(number, least, stride)
        count, weight = self._cp.asnumpy(found).sum(axis=0).tolist()
        rows = self._cp.empty(int(count), dtype=self._cp.int64)
        launch("list_moving", (SHARES,), (*which, found, rows))
        return len(rows), weight, rows

    def _count_moving(self, number: Number, least: Pair, stride: int) -> tuple[tuple[Array, ...], Array]:
        """The arguments that tell free rows; and, for each stretch of the rows, their number and weight."""
        per_row = (self._placed[number].d, self._prior, self._caps, self._step, self._rows)
        begin = strided(self._first, stride).start
        which, found = (*per_row, begin, stride, *least), self._cp.empty((SHARES, 2))
        launch("count_moving", (SHARES,), (*which, found))
        return which, found

    def picked(
        self, sample: tuple[int, int], number: Number, least: Pair, stride: int, groups: Indices
    ) -> Picked | PickedDifferences:
        cp, (first, step) = self._cp, sample
        rows = self.moving(number, least, stride)[2][first::step]
        signs = self._packed[cp.asarray(groups)[:, None], rows[None]]
        return Picked(cp.asnumpy(self._placed[number].d[rows]), cp.asnumpy(signs))

    def covariance(
        self, number: Number, rows: Any, columns: Indices, weight: float, dtype: Precision
    ) -> Floats:
        d = self._cp.asnumpy(self._placed[number].d[rows])
        return covariance(self._packed, rows, columns, d * (weight / d.sum()), dtype)

    def proof(self, number: Number, t: int, error: float) -> tuple[Fraction, int]:
        units = self._cp.floor((self._placed[number].margins - error) * UNITS)
        below = units < t
        short = t - units[below]
        if self._ones:  # all weights are 1, so that the sum is computed on the device
            return exact_dot(np.ones(1), short), int(units.min())
        weight = self._cp.asnumpy(self._weight[below])
        return exact_dot(weight, self._cp.asnumpy(short)), int(units.min())
