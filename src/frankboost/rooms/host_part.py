"""Rows in the memory of this process."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from frankboost import native
from frankboost.grid import CAPPED, UNITS, cap_units, exact_dot, exact_sum
from frankboost.rooms.distributions import Distributions, Placed, strided
from frankboost.rooms.margin_matrix import MarginMatrix, digests
from frankboost.rooms.part import Bucket, Cut, Keys, Near, Pair, Sums, Takers, Terms, largest_key
from frankboost.rooms.picked import Groups, Picked, PickedDifferences
from frankboost.rooms.questions import Number
from frankboost.threads import mapped
from frankboost.typing import AnyArray, Array, Floats, Indices

NONE: Indices = np.zeros(0, dtype=np.intp)
MANY_ROWS = 2**16  # for which a thread is worth starting


@dataclass(frozen=True, eq=False)
class Examples:
    """The rows of a game: weights, margins and table."""

    X: Any  # a table, or what a weak learner takes
    margins: Any  # the margins that the labels define: BinaryMargins or JointMargins
    sample_weight: Floats  # all positive
    members: Indices | int = 1  # how many equal examples each row stands for
    weight_error: float = 0.0  # the largest relative error of a sum of the weights of equal examples


@dataclass(eq=False)
class _Begun(Placed):
    """A distribution that is not finished: d will follow from the keys and their powers."""

    key: Array = None
    power: Array = None


class HostPart(Distributions):
    """Rows in the memory of this process; the parts before this one have `first` rows."""

    def __init__(self, examples: Examples, first: int = 0, *, threads: int = 1) -> None:
        weight = np.ascontiguousarray(examples.sample_weight, dtype=np.float64)
        super().__init__(np, weight, len(weight), first)
        self._examples = examples
        self._threads = threads
        self._matrix = self._no_columns()
        self._computed: list[AnyArray] = []  # columns that may be kept, one row of an array each

    def _no_columns(self) -> MarginMatrix:
        return MarginMatrix(self._rows, self._threads)

    def _product(self, weights: Floats) -> Floats:
        return self._matrix.margins(weights)

    @property
    def _packed(self) -> Groups:
        return self._matrix.signs

    # Weights and caps

    def weigh(self) -> tuple[Fraction, float]:
        return exact_sum(self._weight), float(self._weight.min())

    def cap(self, nu: float, total: float) -> Pair:
        self._nu, self._total = nu, total
        prior = self._prior
        self._caps = prior / nu
        self._units = cap_units(self._caps, self._examples.members, self._examples.weight_error)
        density = float((np.minimum(self._caps, 1.0) / prior).max())
        return density, float(self._units.sum())

    @property
    def _prior(self) -> Floats:  # not kept, to save memory
        prior: Floats = self._weight / self._total
        return prior

    # Columns

    @abstractmethod
    def _values(self, hypotheses: Any) -> Iterable[AnyArray]:
        """The votes of each hypothesis for the rows; an array of int8 if all are -1 and +1."""

    def take(self, hypotheses: Any) -> list[bytes]:
        self._computed = []
        return [key for some in self._few_at_a_time(hypotheses) for key in self._take(self._values(some))]

    def _few_at_a_time(self, hypotheses: Any) -> Iterable[Any]:
        """The hypotheses in parts, so that the votes and the columns of all need not be there at once."""
        return [hypotheses]

    def _take(self, values: Iterable[AnyArray]) -> list[bytes]:
        """Compute the columns of votes; returns a digest of each."""
        threads = self._threads if self._rows > MANY_ROWS else 1
        if isinstance(values, np.ndarray) and values.dtype == np.int8:
            some = np.array_split(values, min(threads, len(values)))
        else:
            some = [np.asarray(each)[None] for each in values]
        columns = mapped(self._columns, some, threads)
        self._computed += columns
        return [key for keys in mapped(digests, columns, threads) for key in keys]

    def _columns(self, values: AnyArray) -> AnyArray:
        """The columns of votes, one row of the array each."""
        columns: AnyArray = self._examples.margins.columns(values)
        return columns

    def taken_edges(self, number: Number) -> tuple[Floats, float]:
        d, taken = self._played(number), self._no_columns()
        for each in self._computed:
            taken.extend(each)
        rounded = [float((d * each).sum(axis=1).max()) for each in self._computed if each.dtype != np.int8]
        return taken.edges(d), max(rounded, default=-np.inf) + len(d) * 2.0**-52

    def keep(self, which: Sequence[int]) -> None:
        ends = np.cumsum([len(each) for each in self._computed])
        kept = np.zeros(ends[-1], dtype=np.bool_)
        kept[list(which)] = True
        for columns, some in zip(self._computed, np.split(kept, ends[:-1]), strict=True):
            self._matrix.extend(columns if some.all() else columns[some])
        self._computed = []

    def are_signs(self, columns: Indices) -> bool:
        return self._matrix.are_signs(columns)

    # Margins

    def vote(self, number: Number, hypotheses: Any, weights: Floats) -> None:
        self._placed[number] = Placed(self._examples.margins.signed(self._votes(hypotheses, weights)))

    @abstractmethod
    def _votes(self, hypotheses: Any, weights: Floats) -> Floats:
        """The weighted sum of the hypotheses' votes for the rows."""

    def buckets(self, number: Number, cut: Cut) -> Floats:
        return native.soft_margin_buckets(self._placed[number].margins, self._weight, cut)

    def within_bucket(self, number: Number, cut: Cut, bucket: int, most: int) -> Bucket:
        margins = self._placed[number].margins
        paid, low, high = native.soft_margin_in_bucket(margins, self._weight, cut, bucket)
        rows = np.flatnonzero((margins >= low) & (margins <= high))
        few = (margins[rows], self._weight[rows]) if len(rows) <= most else None
        return Bucket(paid, low, high, few)

    def proof(self, number: Number, t: int, error: float) -> tuple[Fraction, int]:
        units = np.floor((self._placed[number].margins - error) * UNITS)
        below = units < t
        return exact_dot(self._weight[below], t - units[below]), int(units.min())

    # From margins to a distribution

    def keys(self, number: Number, eta: float, stride: int) -> Keys:
        margins = self._placed[number].margins
        key, low, high = native.projection_keys(margins, self._nu, eta, self._threads)
        self._placed[number] = _Begun(margins, key=key)
        some, largest = strided(self._first, stride), largest_key(native.log(self._nu), eta, low, high)
        return Keys(low, high, largest, key[some].copy(), self._weight[some].copy())  # views would hold all

    def sums_near(self, number: Number, shift: float | None, near: Pair, terms: Terms, most: int) -> Near:
        (low, limit), key = near, self._placed[number].key
        rows = np.flatnonzero((key >= low) & (key < limit)) if low < limit else NONE
        if len(rows) > most:
            return Near(self._sums(number, shift, limit, terms), None)
        capped, rest, *below = self._sums(number, shift, low, terms)
        key, weight = key[rows], self._weight[rows]
        high, fraction, *_ = native.projection_sums(key, key, weight, low, *terms, 1)
        return Near((capped - high, rest - fraction, *below), (key, weight))

    def _sums(self, number: Number, shift: float | None, limit: float, terms: Terms) -> Sums:
        """`native.projection_sums`; if `shift` is not None, the powers are computed again with it."""
        at = self._placed[number]
        if shift is not None:
            at.power = native.projection_powers(at.key, shift, self._threads)
        return native.projection_sums(at.key, at.power, self._weight, limit, *terms, self._threads)

    def fill(
        self, number: Number, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        at = self._placed[number]
        d, paid, total = native.projection_distribution(
            at.key, at.power, self._caps, self._units, limit, scale, largest, rows, self._threads
        )
        self._placed[number] = Placed(at.margins, d)
        return paid, total

    # Units of the grid that rounding left over

    def open(self, number: Number, takers: Takers) -> int:
        return native.open_rows(self._placed[number].d, self._units, takers)

    def give(self, number: Number, takers: Takers, share: float) -> float:
        return native.give_each(self._placed[number].d, self._units, takers, share)

    def give_first(self, count: int, number: Number, takers: Takers) -> None:
        native.give_first(self._placed[number].d, self._units, takers, count)

    # Results of a distribution

    def edges(self, number: Number, known: int) -> Floats:
        return self._matrix.edges(self._played(number), known)

    def largest(self, number: Number, stride: int) -> Pair:
        some = strided(self._first, stride)
        d, prior = self._placed[number].d[some], self._weight[some] / self._total
        return (float((d / prior).max()), float(d.max())) if len(d) else (0.0, 0.0)

    def free(self, number: Number, least: Pair, stride: int) -> tuple[int, float]:
        rows = self._free(number, least, stride)
        return len(rows), float(self._placed[number].d[rows].sum())

    def _free(self, number: Number, least: Pair, stride: int) -> Indices:
        some, (density, mass) = strided(self._first, stride), least
        d, weight, caps = (each[some] for each in (self._placed[number].d, self._weight, self._caps))
        free: Indices = np.flatnonzero(
            (d < CAPPED * caps) & (d > np.minimum(density * (weight / self._total), mass))
        )
        return -self._first % stride + stride * free

    def picked(
        self, sample: tuple[int, int], number: Number, least: Pair, stride: int, groups: Indices
    ) -> Picked | PickedDifferences:
        first, step = sample
        rows = self._free(number, least, stride)[first::step]
        return Picked(self._placed[number].d[rows], self._packed[groups[:, None], rows])

    def signed(self, number: Number) -> Floats:
        u: Floats = self._examples.margins.signed(self._placed[number].d)
        return u
