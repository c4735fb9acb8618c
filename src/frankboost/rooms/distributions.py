"""Distributions over a part of the rows, each under a number: what NumPy and CuPy compute alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from frankboost.arrays import here
from frankboost.grid import CAPPED, UNITS, total_parts
from frankboost.rooms.part import Pair, Part, Takers
from frankboost.rooms.questions import Number
from frankboost.typing import Array, Flags, Floats


@dataclass(eq=False)
class Placed:
    """What a part keeps under a number: margins first, then the distribution d on the grid."""

    margins: Array
    d: Array = None


class Distributions(Part):
    """A part that keeps distributions as arrays of NumPy or of a module with the same functions.

    Weights, prior, caps and units have one entry per row, or a single entry that holds for all rows. All
    terms of a sum are multiples of the same power of two, so that no sum depends on its order. The parts
    before this one have `first` rows.
    """

    _prior: Array
    _caps: Array
    _units: Array
    _packed: Array  # columns of signs, eight to a byte, see `rooms.margin_matrix.SignBlock`

    def __init__(self, arrays: ModuleType, weight: Array, rows: int, first: int = 0) -> None:
        self._arrays = arrays
        self._weight = weight
        self._rows = rows
        self._first = first
        self._placed: dict[int, Any] = {}

    def size(self) -> int:
        return self._rows

    # Margins

    @abstractmethod
    def _product(self, weights: Floats) -> Array:
        """A w."""

    def _played(self, number: Number) -> Array:
        """The vector whose product with a column is its edge: d."""
        return self._placed[number].d

    def margins(self, number: Number, weights: Floats) -> None:
        self._placed[number] = Placed(self._product(weights))

    def margins_along(self, number: Number, start: Number, change: Number, step: float) -> None:
        self._placed[number] = Placed(self._placed[start].margins + step * self._placed[change].margins)

    def extremes(self, number: Number) -> Pair:
        margins = self._placed[number].margins
        return float(margins.min()), float(margins.max())

    def size_of_margins(self, number: Number) -> float:
        return max(map(abs, self.extremes(number)))

    # New distributions

    def place(self, d: Floats, number: Number) -> None:
        self._placed[number] = Placed(None, self._arrays.asarray(d).clip(0.0, None))

    def prior(self, number: Number) -> float:
        return self._round_down(number, self._of_each(self._prior))

    def nearest_sums(self, number: Number, coarse: float, fine: float) -> tuple[float, ...]:
        caps, inside = self._inside(number)
        return *total_parts(inside, coarse, fine), *total_parts(caps - inside, coarse, fine)

    def nearest(self, number: Number, of: Number, divisor: float, share: float) -> float:
        caps, inside = self._inside(of)
        return self._round_down(number, inside / divisor + (caps - inside) * share)

    def _inside(self, number: Number) -> tuple[Array, Array]:
        """min(c, 1), so that a huge cap does not drown the others in rounding, and min(d, c)."""
        caps = self._arrays.minimum(self._caps, 1.0)
        return caps, self._arrays.minimum(self._placed[number].d, caps)

    def _round_down(self, number: Number, d: Array) -> float:
        """Keep a distribution with each entry rounded down to the grid; returns its sum."""
        exact = self._arrays.minimum(d, 1.0)
        near = (exact + 1.0) - 1.0
        below = self._arrays.where(near > exact, near - 1.0 / UNITS, near)
        self._placed[number] = at = Placed(None, self._arrays.minimum(below, self._units / UNITS))
        return float(at.d.sum())

    def forget(self, numbers: Sequence[Number]) -> None:
        for number in numbers:
            self._placed.pop(number, None)

    # Units of the grid that rounding left over

    def give(self, number: Number, takers: Takers, share: float) -> float:
        more = self._arrays.minimum(self._most_more(number, takers), share)
        self._placed[number].d += more
        return float(more.sum())

    def _most_more(self, number: Number, takers: Takers) -> Array:
        """The largest amount that each row may take."""
        d = self._placed[number].d
        if takers == "all":
            return self._arrays.ones(self._rows)
        room = self._units / UNITS - d
        return room if takers == "below_their_caps" else self._arrays.where(d > 0.0, room, 0.0)

    def take_back(self, number: Number, share: float) -> float:
        less = self._arrays.minimum(self._placed[number].d, share)
        self._placed[number].d -= less
        return float(less.sum())

    def take_first(self, count: int, number: Number) -> None:
        rows = self._arrays.flatnonzero(self._placed[number].d)[:count]
        self._placed[number].d[rows] -= 1.0 / UNITS

    # Results of a distribution

    def weighty(self, number: Number) -> int:
        return int(self._arrays.count_nonzero(self._placed[number].d))

    def distribution(self, number: Number) -> Floats:
        return here(self._placed[number].d)

    def capped(self, number: Number) -> Flags:
        return here(self._placed[number].d >= CAPPED * self._caps)

    def slope(self, number: Number, change: Number, magic: float) -> float:
        terms = self._placed[number].d * self._placed[change].margins
        return float(((terms + magic) - magic).sum())

    def _of_each(self, values: Array) -> Array:
        return self._arrays.broadcast_to(values, (self._rows,))


def strided(first: int, stride: int) -> slice:
    """Every `stride`-th row of all parts, as a slice of a part before whose rows there are `first` others."""
    return slice(-first % stride, None, stride)
