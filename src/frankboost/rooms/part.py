"""Some of the rows of a training set, and what a room over many such parts asks of them.

Every answer is small and combines with those of other parts: sums that are exact in any order (see
native/projection.hpp), extremes, or entries in the order of the rows. Distributions stay where the rows are,
each under a number that the room gives it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.grid import UNITS, cap_units, exact_dot, total_parts
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest
from frankboost.typing import Floats, Indices

Cut = tuple[float, float, float, float, float]  # see native/soft_margin.hpp
Takers = str  # "with_weight", "below_their_caps" or "all": which rows may take what rounding left


@dataclass(eq=False)
class _Placed:
    """A distribution on its way: margins, keys, powers, then d and d on the grid."""

    margins: Floats
    key: Floats = field(default_factory=lambda: np.zeros(0))
    power: Floats = field(default_factory=lambda: np.zeros(0))
    d: Floats = field(default_factory=lambda: np.zeros(0))


class LocalPart:
    """Rows in this process.

    Parameters
    ----------
    features : BinnedFeatures
        Their bin codes; bins, thresholds and missing values are those of all rows.
    y, sample_weight : arrays with one entry per row
    first : int
        How many rows the parts before this one have.
    members, weight_error : array or int, float
        As in `Examples`.
    threads : int
        To work with; no answer depends on it.
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
        self._features = features
        self._search = features.search()
        self._y = np.ascontiguousarray(y, dtype=np.float64)
        self._weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
        self._first = first
        self._members, self._error = members, weight_error
        self._threads = threads
        self._signs = np.zeros((0, len(self._y)), dtype=np.uint8)  # columns, eight to a byte
        self._columns = 0
        self._placed: dict[int, _Placed] = {}

    # Weights and caps

    def largest_weight(self) -> float:
        """Of a row."""
        return float(self._weight.max())

    def weigh(self, coarse: float, fine: float) -> tuple[float, float]:
        """The sum of the weights, in two exact parts."""
        return total_parts(self._weight, coarse, fine)

    def cap(self, nu: float, total: float) -> tuple[float, float, float, Fraction]:
        """Set the caps; the largest min(c, 1) / q, the least q, and sums of caps in units and of weights."""
        self._nu = nu
        self._prior = self._weight / total
        self._caps = self._prior / nu
        self._units = cap_units(self._caps, self._members, self._error)
        density = float((np.minimum(self._caps, 1.0) / self._prior).max())
        weight = exact_dot(self._weight, np.ones(len(self._weight)))
        return density, float(self._prior.min()), float(self._units.sum()), weight

    # Columns

    def add(self, forest: Forest) -> list[bytes]:
        """Take in the columns of trees that vote -1 and +1; what tells each from others."""
        votes = self._search.votes(forest.nodes, forest.roots, forest.sets, self._threads)
        right = [(vote > 0) == (self._y > 0.0) for vote in votes]
        for each in right:
            group, bit = divmod(self._columns, 8)
            if group == len(self._signs):
                more = np.zeros((max(2, group // 4), len(self._y)), dtype=np.uint8)
                self._signs = np.concatenate([self._signs, more])
            self._signs[group] |= each.view(np.uint8) << np.uint8(bit)
            self._columns += 1
        return [blake2b(np.packbits(each).data, digest_size=16).digest() for each in right]

    def drop(self, columns: int) -> None:
        """Forget all columns from a number on."""
        group, bit = divmod(columns, 8)
        self._signs[group:] &= np.uint8((1 << bit) - 1)
        self._signs[group + 1 :] = 0
        self._columns = columns

    # Distributions

    def start(self, number: int, multipliers: Floats, eta: float, stride: int) -> dict[str, Any]:
        """Margins and keys of a distribution to be; their extremes, and every `stride`-th key."""
        return self._start(number, native.margins(self._signs, multipliers, self._threads), eta, stride)

    def start_along(
        self, number: int, line: tuple[int, int, float], eta: float, stride: int
    ) -> dict[str, Any]:
        """The same for a point of a line: margins that are kept, others, and how often these are added."""
        base, change, step = line
        margins = self._placed[base].margins + step * self._placed[change].margins
        return self._start(number, margins, eta, stride)

    def _start(self, number: int, margins: Floats, eta: float, stride: int) -> dict[str, Any]:
        key = native.log(self._nu) - eta * margins
        self._placed[number] = _Placed(margins, key)
        some = slice(-self._first % stride, None, stride)
        return {
            "low": float(margins.min()),
            "high": float(margins.max()),
            "largest": float(np.abs(key).max()),
            "key": key[some],
            "weight": self._weight[some],
        }

    def sums(
        self, number: int, shift: float | None, limit: float, coarse: float, fine: float
    ) -> tuple[float, ...]:
        """What `native.projection_sums` says; with a new shift the powers are computed first."""
        at = self._placed[number]
        if shift is not None:
            at.power = native.projection_powers(at.key, shift, self._threads)
        return native.projection_sums(at.key, at.power, self._weight, limit, coarse, fine, self._threads)

    def fill(
        self, number: int, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        """The distribution, rounded down to the grid: what was paid for it, and its sum."""
        at = self._placed[number]
        d, paid = native.projection_distribution(
            at.key, at.power, self._caps, limit, scale, largest, rows, self._threads
        )
        at.key = at.power = np.zeros(0)
        return paid, self._round_down(at, d)

    def prior(self, number: int) -> float:
        """The prior as a distribution, rounded down; its sum."""
        self._placed[number] = at = _Placed(np.zeros(len(self._y)))
        return self._round_down(at, self._prior)

    def size(self) -> int:
        """How many rows there are."""
        return len(self._y)

    def place(self, number: int, d: Floats) -> None:
        """Take in numbers that are to be a distribution."""
        self._placed[number] = _Placed(np.zeros(len(self._y)), d=np.clip(d, 0.0, None))

    def nearest_sums(self, number: int, coarse: float, fine: float) -> tuple[float, ...]:
        """Of a distribution within the caps as they are now, and of the room below; each in two parts."""
        inside = np.minimum(self._placed[number].d, self._caps)
        return *total_parts(inside, coarse, fine), *total_parts(self._caps - inside, coarse, fine)

    def nearest(self, number: int, of: int, divisor: float, share: float) -> float:
        """A distribution within the caps next to another, rounded down; its sum."""
        inside = np.minimum(self._placed[of].d, self._caps)
        self._placed[number] = at = _Placed(np.zeros(len(self._y)))
        return self._round_down(at, inside / divisor + (self._caps - inside) * share)

    def _round_down(self, at: _Placed, d: Floats) -> float:
        exact = np.minimum(d, 1.0)
        near = (exact + 1.0) - 1.0
        at.d = np.minimum(np.where(near > exact, near - 1.0 / UNITS, near), self._units / UNITS)
        return float(at.d.sum())

    def open(self, number: int, takers: Takers) -> int:
        """How many rows may take more."""
        return int(np.count_nonzero(self._room(number, takers) > 0.0))

    def give(self, number: int, takers: Takers, share: float) -> float:
        """Up to a share for every row that may take more; what was given."""
        more = np.minimum(self._room(number, takers), share)
        self._placed[number].d += more
        return float(more.sum())

    def give_first(self, number: int, takers: Takers, count: int) -> None:
        """A unit for each of the first rows that may take more."""
        rows = np.flatnonzero(self._room(number, takers) > 0.0)[:count]
        self._placed[number].d[rows] += 1.0 / UNITS

    def _room(self, number: int, takers: Takers) -> Floats:
        d = self._placed[number].d
        if takers == "all":
            return np.ones(len(d))
        room: Floats = self._units / UNITS - d
        return room if takers == "below_their_caps" else np.where(d > 0.0, room, 0.0)

    def take(self, number: int, share: float) -> float:
        """Up to a share from every row; what was taken."""
        less = np.minimum(self._placed[number].d, share)
        self._placed[number].d -= less
        return float(less.sum())

    def weighty(self, number: int) -> int:
        """How many rows have weight."""
        return int(np.count_nonzero(self._placed[number].d))

    def take_first(self, number: int, count: int) -> None:
        """A unit from each of the first rows that have weight."""
        rows = np.flatnonzero(self._placed[number].d)[:count]
        self._placed[number].d[rows] -= 1.0 / UNITS

    def forget(self, numbers: list[int]) -> None:
        """Distributions that nobody will ask about."""
        for number in numbers:
            self._placed.pop(number, None)

    def distribution(self, number: int) -> Floats:
        """d, and it leaves the part."""
        return self._placed[number].d

    def capped(self, number: int) -> NDArray[np.bool_]:
        """Which rows are as heavy as they may be."""
        capped: NDArray[np.bool_] = self._placed[number].d >= (1.0 - 1e-9) * self._caps
        return capped

    # What a distribution tells

    def edges(self, number: int, first: int) -> Floats:
        """A^T d from column `first`, a multiple of eight, on."""
        return native.edges(
            self._signs[first // 8 :], self._columns - first, self._placed[number].d, self._threads
        )

    def buckets(self, number: int, cut: Cut) -> Floats:
        """The weight in each bucket of margins, see native/soft_margin.hpp."""
        return native.soft_margin_buckets(self._placed[number].margins, self._weight, cut)

    def in_bucket(self, number: int, cut: Cut, bucket: int) -> tuple[float, float, float]:
        """What is paid in the buckets before one, and its least and its largest margin."""
        return native.soft_margin_in_bucket(self._placed[number].margins, self._weight, cut, bucket)

    def densest(self, number: int, stride: int) -> float:
        """The largest d/q of every `stride`-th row."""
        some = slice(-self._first % stride, None, stride)
        density = self._placed[number].d[some] / self._prior[some]
        return float(density.max()) if len(density) else 0.0

    def free(self, number: int, least: float, stride: int) -> tuple[int, float]:
        """How many rows can move, and their weight, see `CappedSimplex.free`."""
        rows = self._free(number, least, stride)
        return len(rows), float(self._placed[number].d[rows].sum())

    def picked(
        self, number: int, least: float, stride: int, groups: Indices, sample: tuple[int, int]
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """Of the rows that can move every so many from the first of a sample on: d, and groups of columns."""
        first, step = sample
        rows = self._free(number, least, stride)[first::step]
        return self._placed[number].d[rows], self._signs[np.ix_(groups, rows)]

    def _free(self, number: int, least: float, stride: int) -> Indices:
        begin = -self._first % stride
        d, prior, caps = (each[begin::stride] for each in (self._placed[number].d, self._prior, self._caps))
        return begin + stride * np.flatnonzero((d < (1.0 - 1e-9) * caps) & (d > least * prior))

    def margins(self, number: int, weights: Floats) -> float:
        """Keep the margins A w, of which the largest in size is told."""
        self._placed[number] = _Placed(native.margins(self._signs, weights, self._threads))
        return float(np.abs(self._placed[number].margins).max())

    def slope(self, number: int, change: int, coarse: float) -> float:
        """d . A direction."""
        return _rounded_sum(self._placed[number].d * self._placed[change].margins, coarse)

    def proof(self, number: int, t: int) -> Fraction:
        """sum_i s_i max(t - margin_i, 0) in units of the grid, exactly."""
        units = np.floor(self._placed[number].margins * UNITS)
        below = units < t
        return exact_dot(self._weight[below], t - units[below])

    # The search

    def feature_sums(self, number: int) -> tuple[Floats, Floats]:
        """Sums of u and of |u| by the bins of each feature."""
        return self._search.feature_sums(self._u(number), self._threads)

    def pair_tables(self, number: int, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs of features."""
        return self._search.pair_tables(self._u(number), begin, end, self._threads)

    def side_sums(self, number: int, nodes: Any, sets: Any, children: Any) -> Floats:
        """Sums of u below roots by the bins of their children."""
        return self._search.side_sums(self._u(number), nodes, sets, children)

    def rows(self, number: int) -> tuple[NDArray[Any], Floats]:
        """The codes and u of the rows that have weight."""
        u = self._u(number)
        kept = np.flatnonzero(u)
        return np.ascontiguousarray(self._features.codes[:, kept]), u[kept]

    def leaf_sums(self, number: int, forest: Forest) -> Floats:
        """The sum of u over the rows that reach each leaf."""
        return self._search.sums(forest.nodes, forest.roots, forest.sets, self._u(number), self._threads)

    def _u(self, number: int) -> Floats:
        return self._placed[number].d * self._y


def _rounded_sum(terms: Floats, coarse: float) -> float:
    return float(((terms + coarse) - coarse).sum())
