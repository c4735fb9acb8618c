"""Some of the rows of a training set, and what a room over many such parts asks of them.

Every answer is small and combines with those of other parts: sums that are exact in any order (see
native/projection.hpp), extremes, or entries in the order of the rows. Distributions stay where the rows are,
each under a number that the room gives it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.grid import UNITS, cap_units, exact_dot, exact_sum
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest
from frankboost.rooms.distributions import Distributions, Pair, Placed, Takers, Terms
from frankboost.typing import Floats, Indices

NONE: Indices = np.zeros(0, dtype=np.intp)
Cut = tuple[float, float, float, float, float, float]  # see native/soft_margin.hpp


@dataclass(eq=False)
class _Begun(Placed):
    """One whose d is still to come from its keys and their powers."""

    key: Any = None
    power: Any = None


class LocalPart(Distributions):
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
        self._positive = self._y > 0.0
        super().__init__(np, np.ascontiguousarray(sample_weight, dtype=np.float64), len(self._y), first)
        self._members, self._error = members, weight_error
        self._threads = threads
        self._searched: tuple[int, native.WeightedRows] | None = None

    def stow(self, kept: Callable[[NDArray[Any]], NDArray[Any]]) -> None:
        """Put every array that stays where `kept` puts it, and forget what can be computed again."""
        self._searched = None
        for holder in (self, *self._placed.values()):
            for name, value in vars(holder).items():
                if isinstance(value, np.ndarray):
                    setattr(holder, name, kept(value))

    # Weights and caps

    def weigh(self) -> Fraction:
        """The sum of the weights, exactly."""
        return exact_sum(self._weight)

    def cap(self, nu: float, total: float) -> tuple[float, float, float]:
        """Set the caps; the largest min(c, 1) / q, the least q, and the sum of the caps in units."""
        self._nu = nu
        self._prior = self._weight / total
        self._caps = self._prior / nu
        self._units = cap_units(self._caps, self._members, self._error)
        density = float((np.minimum(self._caps, 1.0) / self._prior).max())
        return density, float(self._prior.min()), float(self._units.sum())

    # Columns

    def add(self, forest: Forest) -> list[bytes]:
        """Take in the columns of trees that vote -1 and +1; what tells each from others."""
        votes = self._search.votes(forest.nodes, forest.roots, forest.sets, self._threads)
        right = [(vote > 0) == self._positive for vote in votes]
        for each in right:
            group, bit = divmod(self._columns, 8)
            if group == len(self._signs):
                more = np.zeros((max(2, group // 4), len(self._y)), dtype=np.uint8)
                self._signs = np.concatenate([self._signs, more])
            self._signs[group] |= each.view(np.uint8) << np.uint8(bit)
            self._columns += 1
        return [blake2b(np.packbits(each).data, digest_size=16).digest() for each in right]

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
        key, low, high = native.projection_keys(margins, self._nu, eta, self._threads)
        self._placed[number] = _Begun(margins, key=key)
        some = slice(-self._first % stride, None, stride)
        start = native.log(self._nu)
        return {
            "low": low,
            "high": high,
            "largest": max(abs(start - eta * low), abs(start - eta * high)),
            "key": key[some].copy(),  # a view would hold all
            "weight": self._weight[some].copy(),
        }

    def sums(self, number: int, shift: float | None, limit: float, terms: Terms) -> tuple[float, ...]:
        """What `native.projection_sums` says; with a new shift the powers are computed first."""
        at = self._placed[number]
        if shift is not None:
            at.power = native.projection_powers(at.key, shift, self._threads)
        return native.projection_sums(at.key, at.power, self._weight, limit, *terms, self._threads)

    def sums_near(
        self, number: int, shift: float | None, near: Pair, terms: Terms, most: int
    ) -> tuple[Any, ...]:
        """The sums of the rows whose keys do not lie in `near`, and the keys and weights of the others.

        If these are more than so many, the sums of all at its upper end.
        """
        (low, limit), key = near, self._placed[number].key
        rows = np.flatnonzero((key >= low) & (key < limit)) if low < limit else NONE
        if len(rows) > most:
            return self.sums(number, shift, limit, terms)
        capped, rest, *below = self.sums(number, shift, low, terms)
        key, weight = key[rows], self._weight[rows]
        high, fraction, *_ = native.projection_sums(key, key, weight, low, *terms, 1)
        return capped - high, rest - fraction, *below, key, weight

    def fill(
        self, number: int, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        """The distribution, rounded down to the grid: what was paid for it, and its sum."""
        at = self._placed[number]
        d, paid, total = native.projection_distribution(
            at.key, at.power, self._caps, self._units, limit, scale, largest, rows, self._threads
        )
        self._placed[number] = Placed(at.margins, d)
        return paid, total

    def open(self, number: int, takers: Takers) -> int:
        """How many rows may take more."""
        return native.open_rows(self._placed[number].d, self._units, takers)

    def give(self, number: int, takers: Takers, share: float) -> float:
        """Up to a share for every row that may take more; what was given."""
        return native.give_each(self._placed[number].d, self._units, takers, share)

    def give_first(self, number: int, takers: Takers, count: int) -> None:
        """A unit for each of the first rows that may take more."""
        native.give_first(self._placed[number].d, self._units, takers, count)

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

    def within_bucket(self, number: int, cut: Cut, bucket: int, most: int) -> tuple[Any, ...]:
        """The same; then its margins and their weights, if they are at most so many."""
        told, margins = self.in_bucket(number, cut, bucket), self._placed[number].margins
        rows = np.flatnonzero((margins >= told[1]) & (margins <= told[2]))
        return (*told, margins[rows], self._weight[rows]) if len(rows) <= most else told

    def picked(
        self, number: int, least: Pair, stride: int, groups: Indices, sample: tuple[int, int]
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """Of the rows that can move every so many from the first of a sample on: d, and groups of columns."""
        first, step = sample
        rows = self._free(number, least, stride)[first::step]
        return self._placed[number].d[rows], self._signs[np.ix_(groups, rows)]

    def margins(self, number: int, weights: Floats) -> float:
        """Keep the margins A w, of which the largest in size is told."""
        self._placed[number] = Placed(native.margins(self._signs, weights, self._threads))
        return float(np.abs(self._placed[number].margins).max())

    def proof(self, number: int, t: int) -> Fraction:
        """sum_i s_i max(t - margin_i, 0) in units of the grid, exactly."""
        units = np.floor(self._placed[number].margins * UNITS)
        below = units < t
        return exact_dot(self._weight[below], t - units[below])

    # The search

    def feature_sums(self, number: int) -> tuple[Floats, Floats]:
        """Sums of u and of |u| by the bins of each feature."""
        return self._search.feature_sums(self._rows_with_weight(number), self._threads)

    def pair_tables(self, number: int, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs of features."""
        return self._search.pair_tables(self._rows_with_weight(number), begin, end, self._threads)

    def add_pair_tables(self, number: int, begin: int, end: int, tables: Floats) -> None:
        """The same, added to those of other parts."""
        self._search.add_pair_tables(self._rows_with_weight(number), begin, end, tables, self._threads)

    def side_sums(self, number: int, nodes: Any, sets: Any, children: Any) -> Floats:
        """Sums of u below roots by the bins of their children."""
        weighty = self._rows_with_weight(number)
        sums = self._search.side_sums(weighty, nodes, sets, children, self._threads)
        self._searched = None  # nothing else is asked in a search
        return sums

    def _rows_with_weight(self, number: int) -> native.WeightedRows:
        """For all questions of a search."""
        if self._searched is None or self._searched[0] != number:
            self._searched = number, self._search.weighted(self._u(number))
        return self._searched[1]

    def rows(self, number: int) -> tuple[NDArray[Any], Floats]:
        """The codes and u of the rows that have weight."""
        u = self._u(number)
        kept = np.flatnonzero(u)
        return np.ascontiguousarray(self._features.codes[:, kept]), u[kept]

    def leaf_sums(self, number: int, forest: Forest) -> Floats:
        """The sum of u over the rows that reach each leaf."""
        return self._search.sums(forest.nodes, forest.roots, forest.sets, self._u(number), self._threads)

    def _u(self, number: int) -> Floats:
        u: Floats = self._placed[number].d * self._y
        return u
