"""Distributions over some of the rows, each under a number, with the functions of any array module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.arrays import here
from frankboost.grid import CAPPED, UNITS, total_parts
from frankboost.typing import Floats, Indices

Pair = tuple[float, float]
Counted = tuple[float, float, float]  # see `Terms` in native/projection.hpp
Terms = tuple[Counted, Counted]  # of rows at their caps, and of those below
Takers = str  # "with_weight", "below_their_caps" or "all": which rows may take what rounding left


@dataclass(eq=False)
class Placed:
    """A distribution on its way: margins, then d on the grid."""

    margins: Any
    d: Any = None


class Distributions:
    """Rows of weights and caps, with the distributions and the columns over them.

    Weights, prior, caps and units may have one entry that stands for all rows. No sum depends on its order:
    all are of multiples of a power of two.

    Parameters
    ----------
    arrays : module
        NumPy, or one with the same functions whose arrays are elsewhere.
    weight : array of that module
    rows : int
    first : int
        How many rows the parts before this one have.
    """

    _prior: Any
    _caps: Any
    _units: Any

    def __init__(self, arrays: Any, weight: Any, rows: int, first: int = 0) -> None:
        self._arrays = arrays
        self._weight = weight
        self._rows = rows
        self._first = first
        self._signs = arrays.zeros((0, rows), dtype=np.uint8)  # columns, eight to a byte
        self._columns = 0
        self._placed: dict[int, Any] = {}

    def size(self) -> int:
        """How many rows there are."""
        return self._rows

    def least_weight(self) -> float:
        """Of a row."""
        return float(self._weight.min())

    def drop(self, columns: int) -> None:
        """Forget all columns from a number on."""
        group, bit = divmod(columns, 8)
        self._signs[group:] &= np.uint8((1 << bit) - 1)
        self._signs[group + 1 :] = 0
        self._columns = columns

    # New ones

    def place(self, number: int, d: Floats) -> None:
        """Take in numbers that are to be a distribution."""
        self._placed[number] = Placed(self._nothing(), self._arrays.asarray(np.clip(d, 0.0, None)))

    def prior(self, number: int) -> float:
        """The prior as a distribution, rounded down; its sum."""
        return self._round_down(number, self._nothing(), self._of_each(self._prior))

    def nearest_sums(self, number: int, coarse: float, fine: float) -> tuple[float, ...]:
        """Of a distribution within the caps as they are now, and of the room below; each in two parts."""
        caps, inside = self._inside(number)
        return *total_parts(inside, coarse, fine), *total_parts(caps - inside, coarse, fine)

    def nearest(self, number: int, of: int, divisor: float, share: float) -> float:
        """A distribution within the caps next to another, rounded down; its sum."""
        caps, inside = self._inside(of)
        return self._round_down(number, self._nothing(), inside / divisor + (caps - inside) * share)

    def _inside(self, number: int) -> tuple[Any, Any]:
        """Caps of at most 1, beside which no other drowns, and a distribution cut there."""
        caps = self._arrays.minimum(self._caps, 1.0)
        return caps, self._arrays.minimum(self._placed[number].d, caps)

    def _round_down(self, number: int, margins: Any, d: Any) -> float:
        """Keep a distribution, each entry rounded down to the grid; its sum."""
        exact = self._arrays.minimum(d, 1.0)
        near = (exact + 1.0) - 1.0
        below = self._arrays.where(near > exact, near - 1.0 / UNITS, near)
        self._placed[number] = at = Placed(margins, self._arrays.minimum(below, self._units / UNITS))
        return float(at.d.sum())

    def forget(self, numbers: Sequence[int]) -> None:
        """Distributions that nobody will ask about."""
        for number in numbers:
            self._placed.pop(number, None)

    # Units that rounding left

    def open(self, number: int, takers: Takers) -> int:
        """How many rows may take more."""
        return int(self._arrays.count_nonzero(self._room(number, takers) > 0.0))

    def give(self, number: int, takers: Takers, share: float) -> float:
        """Up to a share for every row that may take more; what was given."""
        more = self._arrays.minimum(self._room(number, takers), share)
        self._placed[number].d += more
        return float(more.sum())

    def give_first(self, number: int, takers: Takers, count: int) -> None:
        """A unit for each of the first rows that may take more."""
        rows = self._arrays.flatnonzero(self._room(number, takers) > 0.0)[:count]
        self._placed[number].d[rows] += 1.0 / UNITS

    def _room(self, number: int, takers: Takers) -> Any:
        d = self._placed[number].d
        if takers == "all":
            return self._arrays.ones(self._rows)
        room = self._units / UNITS - d
        return room if takers == "below_their_caps" else self._arrays.where(d > 0.0, room, 0.0)

    def take(self, number: int, share: float) -> float:
        """Up to a share from every row; what was taken."""
        less = self._arrays.minimum(self._placed[number].d, share)
        self._placed[number].d -= less
        return float(less.sum())

    def take_first(self, number: int, count: int) -> None:
        """A unit from each of the first rows that have weight."""
        rows = self._arrays.flatnonzero(self._placed[number].d)[:count]
        self._placed[number].d[rows] -= 1.0 / UNITS

    # What they tell

    def weighty(self, number: int) -> int:
        """How many rows have weight."""
        return int(self._arrays.count_nonzero(self._placed[number].d))

    def distribution(self, number: int) -> Floats:
        """d, and it leaves the part."""
        return here(self._placed[number].d)

    def capped(self, number: int) -> NDArray[np.bool_]:
        """Which rows are as heavy as they may be."""
        return here(self._placed[number].d >= CAPPED * self._caps)

    def largest(self, number: int, stride: int) -> Pair:
        """The largest d/q and the largest d of every `stride`-th row."""
        some = slice(-self._first % stride, None, stride)
        d = self._placed[number].d[some]
        density = d / self._of_each(self._prior)[some]
        return (float(density.max()), float(d.max())) if len(d) else (0.0, 0.0)

    def free(self, number: int, least: Pair, stride: int) -> tuple[int, float]:
        """How many rows can move, and their weight, see `CappedSimplex.free`."""
        rows = self._free(number, least, stride)
        return len(rows), float(self._placed[number].d[rows].sum())

    def _free(self, number: int, least: Pair, stride: int) -> Indices:
        begin, (density, mass) = -self._first % stride, least
        per_row = (self._placed[number].d, self._of_each(self._prior), self._of_each(self._caps))
        d, prior, caps = (each[begin::stride] for each in per_row)
        least_mass = self._arrays.minimum(density * prior, mass)
        free: Indices = self._arrays.flatnonzero((d < CAPPED * caps) & (d > least_mass))
        return begin + stride * free

    def slope(self, number: int, change: int, coarse: float) -> float:
        """d . A direction."""
        terms = self._placed[number].d * self._placed[change].margins
        return float(((terms + coarse) - coarse).sum())

    def _of_each(self, values: Any) -> Any:
        return self._arrays.broadcast_to(values, (self._rows,))

    def _nothing(self) -> Any:
        return self._arrays.zeros(self._rows)

    # Those of which a part may tell rows, if they are few

    def sums(self, number: int, shift: float | None, limit: float, terms: Terms) -> tuple[float, ...]:
        """What `native.projection_sums` says; with a new shift the powers are computed first."""
        raise NotImplementedError

    def sums_near(
        self, number: int, shift: float | None, near: Pair, terms: Terms, most: int
    ) -> tuple[Any, ...]:
        """The sums at the upper end of `near`.

        Or those of the rows whose keys do not lie in it; then the keys of those that do, and their weights,
        if a part tells them and they are at most so many.
        """
        return self.sums(number, shift, near[1], terms)

    def in_bucket(self, number: int, cut: Any, bucket: int) -> tuple[float, float, float]:
        """What is paid in the buckets before one, and its least and its largest margin."""
        raise NotImplementedError

    def within_bucket(self, number: int, cut: Any, bucket: int, most: int) -> tuple[Any, ...]:
        """What `in_bucket` says; then its margins and weights, if a part tells them and they are few."""
        return self.in_bucket(number, cut, bucket)
