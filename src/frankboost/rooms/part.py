"""Some of the rows of a training set, and every question that a room may ask of them.

A distribution d over the examples lies in

    P = {d : 0 <= d_i <= c_i, sum d = 1},   c_i = q_i / nu,

where q is the prior (the sample weights divided by their sum) and nu the fraction of the examples that may
fall short of the margin. With equal weights this is the paper's P_nu.

Every answer is small and combines with those of other parts: sums that are exact in any order (see
native/projection.hpp), extremes, or entries in the order of the rows. Distributions stay where the rows are,
each under a number that the room gives it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from frankboost.rooms.questions import Number, question
from frankboost.typing import AnyArray, Array, Flags, Floats, Indices, Precision

Pair = tuple[float, float]
Counted = tuple[float, float, float]  # see `Terms` in native/projection.hpp
Terms = tuple[Counted, Counted]  # of rows at their caps, and of those below
Cut = tuple[float, float, float, float, float, float]  # see native/soft_margin.hpp
Takers = str  # "with_weight", "below_their_caps" or "all": which rows may take what rounding left


class Caps(NamedTuple):
    """What the caps of a part are like: the largest min(c, 1) / q, and the sum of c in units of the grid."""

    density: float
    units: float


class Keys(NamedTuple):
    """The extremes of the margins, and of some rows the key ln nu - eta margin and the weight."""

    low: float
    high: float
    key: Floats
    weight: Floats


Sums = tuple[float, ...]  # five: what `native.projection_sums` says
Some = tuple[Floats, Floats] | None  # a number and the weight of each of some rows, if a part tells them


class Near(NamedTuple):
    """Sums over rows, without some whose keys and weights stand beside them."""

    sums: Sums
    rows: Some


class Bucket(NamedTuple):
    """What is paid in the buckets before one, its extremes, and its margins and weights."""

    paid: float
    low: float
    high: float
    rows: Some


class Part(ABC):
    """Rows, and what a room asks of them."""

    # Rows and weights

    @question()
    @abstractmethod
    def size(self) -> int:
        """How many rows there are."""

    @question()
    @abstractmethod
    def weigh(self) -> Fraction:
        """The sum of the sample weights, exactly."""

    @question()
    @abstractmethod
    def least_weight(self) -> float:
        """The least sample weight."""

    @question(changes=True)
    @abstractmethod
    def cap(self, nu: float, total: float) -> Caps:
        """Set the caps for nu, where all sample weights sum to `total`."""

    # Columns of the margin matrix

    @question(changes=True)
    @abstractmethod
    def take(self, hypotheses: Any) -> list[bytes]:
        """Compute the columns of hypotheses; what tells each from others. `keep` says which of them stay."""

    @question()
    @abstractmethod
    def rounded_edge(self, number: Number) -> float:
        """The largest edge of the columns that were computed last, and what rounding can do to it.

        Edges of columns of -1 and +1 are exact, so these do not count: -inf if all are such.
        """

    @question(changes=True)
    @abstractmethod
    def keep(self, which: Sequence[int]) -> None:
        """Append these of the columns that were computed last; forget the others."""

    @question()
    @abstractmethod
    def are_signs(self, columns: Indices) -> bool:
        """Whether all entries of these columns are -1 and +1."""

    @question(optional=True)
    def column(self, j: int) -> Floats:
        """Column j."""
        raise NotImplementedError

    @question(optional=True)
    def caps(self) -> Floats:
        """The cap of each row."""
        raise NotImplementedError

    # Margins

    @question(changes=True)
    @abstractmethod
    def margins(self, number: Number, weights: Floats) -> None:
        """Keep the margins A w."""

    @question(changes=True)
    @abstractmethod
    def margins_along(self, number: Number, start: Number, change: Number, step: float) -> None:
        """Keep the margins start + step * change."""

    @question()
    @abstractmethod
    def extremes(self, number: Number) -> Pair:
        """The least and the largest margin."""

    @question(optional=True)
    def soft_margin(self, number: Number) -> Pair:
        """The soft margin, and the margin up to which rows count in it, of a part that has all rows."""
        raise NotImplementedError

    @question(adds=True)
    @abstractmethod
    def buckets(self, number: Number, cut: Cut) -> Floats:
        """The weight in each bucket of margins, see native/soft_margin.hpp."""

    @question()
    @abstractmethod
    def within_bucket(self, number: Number, cut: Cut, bucket: int, most: int) -> Bucket:
        """What is in a bucket; its rows, if the part tells them and they are at most `most`."""

    @question()
    @abstractmethod
    def proof(self, number: Number, t: int, error: float) -> tuple[Fraction, int]:
        """sum_i s_i max(t - margin_i, 0) and the least margin, in units of the grid, exactly.

        The margins are those that are kept, less an error, rounded down.
        """

    # From margins to a distribution

    @question(changes=True, optional=True)
    def project(self, number: Number, eta: float) -> float:
        """The distribution of a part that has all rows; min over d of d . margins + KL(d || prior) / eta."""
        raise NotImplementedError

    @question(changes=True)
    @abstractmethod
    def keys(self, number: Number, eta: float, stride: int) -> Keys:
        """Keep the keys; tell those of every `stride`-th row."""

    @question(changes=True)
    @abstractmethod
    def sums_near(self, number: Number, shift: float | None, near: Pair, terms: Terms, most: int) -> Near:
        """What `native.projection_sums` says at the upper end of `near`; a new shift makes new powers.

        Rows whose keys lie in `near` may be told instead, if they are at most `most`.
        """

    @question(changes=True)
    @abstractmethod
    def fill(
        self, number: Number, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        """The distribution, rounded down to the grid: what was paid for it, and its sum."""

    # Other distributions

    @question(changes=True)
    @abstractmethod
    def place(self, d: Floats, number: Number) -> None:
        """Take in numbers that are to be a distribution."""

    @question(changes=True)
    @abstractmethod
    def prior(self, number: Number) -> float:
        """The prior as a distribution, rounded down; its sum."""

    @question()
    @abstractmethod
    def nearest_sums(self, number: Number, coarse: float, fine: float) -> tuple[float, ...]:
        """The sums of d cut at the caps, and of what is left below the caps; each in two parts."""

    @question(changes=True)
    @abstractmethod
    def nearest(self, number: Number, of: Number, divisor: float, share: float) -> float:
        """A distribution within the caps next to another, rounded down; its sum."""

    @question(changes=True)
    @abstractmethod
    def forget(self, numbers: Sequence[Number]) -> None:
        """Distributions that nobody will ask about."""

    # Units that rounding left

    @question()
    @abstractmethod
    def open(self, number: Number, takers: Takers) -> int:
        """How many rows may take more."""

    @question(changes=True)
    @abstractmethod
    def give(self, number: Number, takers: Takers, share: float) -> float:
        """Up to a share for every row that may take more; what was given."""

    @question(changes=True)
    @abstractmethod
    def give_first(self, count: int, number: Number, takers: Takers) -> None:
        """A unit for each of the first `count` rows that may take more."""

    @question()
    @abstractmethod
    def weighty(self, number: Number) -> int:
        """How many rows have weight."""

    @question(changes=True)
    @abstractmethod
    def take_back(self, number: Number, share: float) -> float:
        """Up to a share from every row; what was taken."""

    @question(changes=True)
    @abstractmethod
    def take_first(self, count: int, number: Number) -> None:
        """A unit from each of the first `count` rows that have weight."""

    # What a distribution tells

    @question(adds=True)
    @abstractmethod
    def edges(self, number: Number, known: int) -> Floats:
        """A^T d, without the first `known` entries."""

    @question()
    @abstractmethod
    def slope(self, number: Number, change: Number, magic: float) -> float:
        """d . margins, where the margins are those of another number."""

    @question()
    @abstractmethod
    def largest(self, number: Number, stride: int) -> Pair:
        """The largest d/q and the largest d of every `stride`-th row."""

    @question()
    @abstractmethod
    def free(self, number: Number, least: Pair, stride: int) -> tuple[int, float]:
        """How many of every `stride`-th row can move, and their weight.

        Those are below their cap, and d/q or d is above the least.
        """

    @question()
    @abstractmethod
    def picked(
        self, sample: tuple[int, int], number: Number, least: Pair, stride: int, groups: Indices
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """Of the rows that can move, some from a first on: d, and groups of eight columns of signs."""

    @question(optional=True)
    def moving(self, number: Number, least: Pair, stride: int) -> tuple[int, float, Array]:
        """What `free` tells, and the rows; these stay where the part is."""
        raise NotImplementedError

    @question(optional=True)
    def covariance(
        self, number: Number, rows: Array, columns: Indices, weight: float, dtype: Precision
    ) -> Floats:
        """Of columns over rows that `moving` told, which stand for a weight in all."""
        raise NotImplementedError

    @question()
    @abstractmethod
    def distribution(self, number: Number) -> Floats:
        """d, and it leaves the part."""

    @question()
    @abstractmethod
    def capped(self, number: Number) -> Flags:
        """Which rows are as heavy as they may be."""

    @question(optional=True)
    def signed(self, number: Number) -> Floats:
        """u, the signed example weights for a weak learner; they leave the part."""
        raise NotImplementedError

    # Tables for the search for trees, from the bins of the rows

    @question(adds=True, optional=True)
    def feature_sums(self, number: Number) -> Floats:
        """Sums of u, then of |u|, by the bins of each feature."""
        raise NotImplementedError

    @question(adds=True, optional=True)
    def pair_tables(self, number: Number, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs of features."""
        raise NotImplementedError

    @question(optional=True)
    def pair_children(self, number: Number, begin: int, end: int) -> tuple[Floats, NDArray[np.int32]]:
        """The best children of every root split on one feature of these pairs, of all rows."""
        raise NotImplementedError

    @question(adds=True, optional=True)
    def side_sums(self, number: Number, nodes: AnyArray, sets: AnyArray, children: AnyArray) -> Floats:
        """Sums of u below roots by the bins of their children."""
        raise NotImplementedError

    @question(optional=True)
    def rows(self, number: Number) -> tuple[AnyArray, Floats]:
        """The codes and u of the rows that have weight."""
        raise NotImplementedError

    @question(adds=True, optional=True)
    def leaf_sums(self, number: Number, forest: Any) -> Floats:
        """The sum of u over the rows that reach each leaf."""
        raise NotImplementedError
