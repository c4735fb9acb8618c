"""Distributions over rows on a device, bit for bit those of `rooms.part.LocalPart`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.cuda.covariances import covariance
from frankboost.cuda.device import SHARES, cupy, launch
from frankboost.grid import UNITS, cap_units, exact_dot, exact_sum, magics_for
from frankboost.rooms.distributions import Distributions, Pair, Placed, Takers, Terms
from frankboost.rooms.part import Cut
from frankboost.typing import Floats, Indices

TAKERS = {"with_weight": np.int32(0), "below_their_caps": np.int32(1), "all": np.int32(2)}  # as in units.cu


@dataclass(eq=False)
class _Begun(Placed):
    """One whose d is still to come from its keys: start - eta margin, less a shift."""

    eta: float = 0.0
    shift: float = 0.0


class CudaDistributions(Distributions):
    """Weights, caps, columns and distributions on the current device.

    Parameters
    ----------
    sample_weight : array with one entry per row
    members, weight_error : array or int, float
        As in `Examples`.
    first : int
        How many rows the parts before this one have.
    """

    def __init__(
        self, sample_weight: Floats, members: Indices | int, weight_error: float, first: int
    ) -> None:
        self._cp = cp = cupy()
        weight = cp.ascontiguousarray(cp.asarray(sample_weight, dtype=cp.float64))
        self._ones = bool((weight == 1.0).all()) and np.ndim(members) == 0
        # One entry stands for all, in prior and caps too.
        super().__init__(cp, weight[:1].copy() if self._ones else weight, len(sample_weight), first)
        self._members, self._error = cp.asarray(members), weight_error

    @property
    def _step(self) -> int:
        """From the weight of one row to that of the next."""
        return 0 if self._ones else 1

    # Weights and caps

    def weigh(self) -> Fraction:
        """The sum of the weights, exactly."""
        return Fraction(self._rows) if self._ones else exact_sum(self._cp.asnumpy(self._weight))

    def cap(self, nu: float, total: float) -> tuple[float, float, float]:
        """Set the caps, see `LocalPart.cap`."""
        cp = self._cp
        self._start_key = native.log(nu)
        self._prior = self._weight / total
        self._caps = self._prior / nu
        self._units = cap_units(self._caps, self._members, self._error)
        density = float((cp.minimum(self._caps, 1.0) / self._prior).max())
        units = float(self._units.sum()) * (self._rows if self._ones else 1)
        return density, float(self._prior.min()), units

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
        begin, count = self._strided(stride)
        seen = self._cp.empty(2 * SHARES + count)
        launch("look_at", (SHARES,), (margins, self._rows, begin, stride, seen, seen[2 * SHARES :]))
        found = self._cp.asnumpy(seen)
        extremes, some = found[: 2 * SHARES], found[2 * SHARES :]
        low, high = float(extremes[::2].min()), float(extremes[1::2].max())
        return {
            "low": low,
            "high": high,
            "largest": max(abs(self._start_key - eta * low), abs(self._start_key - eta * high)),
            "key": self._start_key - eta * some,
            "weight": np.ones(len(some)) if self._ones else self._cp.asnumpy(self._weight[begin::stride]),
        }

    def _strided(self, stride: int) -> tuple[int, int]:
        """Of every `stride`-th row of all parts the first one here, and how many there are."""
        begin = -self._first % stride
        return begin, max(0, -(-(self._rows - begin) // stride))

    def _margins(self, weights: Floats) -> Any:
        cp, groups = self._cp, -(-len(weights) // 8)
        tables, out = cp.empty((groups, 256)), cp.empty(self._rows)
        if groups:
            padded = np.concatenate([weights, np.zeros(8 * groups - len(weights))])
            launch("sign_tables", (groups,), (cp.asarray(padded), tables))
        launch("margins", (8 * SHARES,), (self._signs, tables, np.int32(groups), self._rows, out))
        return out

    def sums(self, number: int, shift: float | None, limit: float, terms: Terms) -> tuple[float, ...]:
        """What `native.projection_sums` says."""
        at = self._placed[number]
        at.shift = at.shift if shift is None else shift
        out = self._cp.zeros((SHARES, 6))
        launch(
            "projection_sums",
            (SHARES,),
            (at.margins, self._weight, *self._keys(at, limit), *terms[0], *terms[1], out),
        )
        return self._numbers(out)[:5]

    def fill(
        self, number: int, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        """The distribution, rounded down to the grid: what was paid for it, and its sum."""
        at = self._placed[number]
        at.d = self._cp.empty(self._rows)
        out = self._cp.zeros((SHARES, 6))
        rows_and_caps = (at.margins, self._caps, self._units)
        magics = (*magics_for(largest, rows), *magics_for(1.0, rows))
        launch("fill", (SHARES,), (*rows_and_caps, *self._keys(at, limit), scale, *magics, at.d, out))
        *paid, given = self._numbers(out)
        return tuple(paid), given

    def _keys(self, at: _Begun, limit: float) -> tuple[Any, ...]:
        """What tells the key of a row from its margin, and which rows are at their caps."""
        return self._step, self._rows, self._start_key, at.eta, at.shift, limit

    def open(self, number: int, takers: Takers) -> int:
        """How many rows may take more."""
        return int(self._cp.asnumpy(self._open(number, takers)).sum())

    def _open(self, number: int, takers: Takers) -> Any:
        """The same by stretches of the rows."""
        out = self._cp.empty(SHARES)
        launch("count_open", (SHARES,), (*self._filled(number), TAKERS[takers], out))
        return out

    def give_first(self, number: int, takers: Takers, count: int) -> None:
        """A unit for each of the first rows that may take more."""
        open_rows = self._open(number, takers)
        args = (*self._filled(number), TAKERS[takers], open_rows, float(count))
        launch("give_first", (SHARES,), args)

    def _filled(self, number: int) -> tuple[Any, ...]:
        """d, and what a row may have, in units."""
        return self._placed[number].d, self._units, self._step, self._rows

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
        edges: Floats = self._cp.asnumpy(out).sum(axis=1)[: self._columns - first]
        return edges

    def buckets(self, number: int, cut: Cut) -> Floats:
        """The weight in each bucket of margins."""
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

    def in_bucket(self, number: int, cut: Cut, bucket: int) -> tuple[float, float, float]:
        """What is paid in the buckets before one, and its least and its largest margin."""
        least, most, factor, _, magic, _ = cut
        out = self._cp.empty((SHARES, 3))
        rows = (self._placed[number].margins, self._weight, self._step, self._rows)
        launch("in_bucket", (SHARES,), (*rows, least, most, factor, magic, np.int32(bucket), out))
        paid, lowest, highest = self._cp.asnumpy(out).T
        return float(paid.sum()), float(lowest.min()), float(highest.max())

    def largest(self, number: int, stride: int) -> Pair:
        """The largest d/q and the largest d of every `stride`-th row."""
        out = self._cp.empty((SHARES, 2))
        d = self._placed[number].d
        begin, _ = self._strided(stride)
        launch("largest", (SHARES,), (d, self._prior, self._step, self._rows, begin, stride, out))
        density, mass = self._cp.asnumpy(out).max(axis=0).tolist()
        return density, mass

    def free(self, number: int, least: Pair, stride: int) -> tuple[int, float]:
        """How many rows can move, and their weight."""
        _, found = self._count_moving(number, least, stride)
        count, weight = self._cp.asnumpy(found).sum(axis=0).tolist()
        return int(count), weight

    def moving(self, number: int, least: Pair, stride: int) -> tuple[int, float, Any]:
        """The same, and which they are; these stay on the device."""
        which, found = self._count_moving(number, least, stride)
        count, weight = self._cp.asnumpy(found).sum(axis=0).tolist()
        rows = self._cp.empty(int(count), dtype=self._cp.int64)
        launch("list_moving", (SHARES,), (*which, found, rows))
        return len(rows), weight, rows

    def _count_moving(self, number: int, least: Pair, stride: int) -> tuple[tuple[Any, ...], Any]:
        """What tells the rows that can move; by stretches of rows, how many these are and their weight."""
        per_row = (self._placed[number].d, self._prior, self._caps, self._step, self._rows)
        which, found = (*per_row, self._strided(stride)[0], stride, *least), self._cp.empty((SHARES, 2))
        launch("count_moving", (SHARES,), (*which, found))
        return which, found

    def picked(
        self, number: int, least: Pair, stride: int, groups: Indices, sample: tuple[int, int]
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """Of the rows that can move every so many from the first of a sample on: d, and groups of columns."""
        cp, (first, step) = self._cp, sample
        rows = self.moving(number, least, stride)[2][first::step]
        signs = self._signs[cp.asarray(groups)[:, None], rows[None]]
        return cp.asnumpy(self._placed[number].d[rows]), cp.asnumpy(signs)

    def covariance(self, number: int, rows: Any, columns: Indices, sample: tuple[float, Any]) -> Floats:
        """Of columns over rows on the device, which stand for a weight in all."""
        weight, dtype = sample
        d = self._cp.asnumpy(self._placed[number].d[rows])
        return covariance(self._signs, rows, columns, d * (weight / d.sum()), dtype)

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
