"""Some of the rows of a training set, and every question that a room may ask of them.

A distribution d over the examples lies in

    P = {d : 0 <= d_i <= c_i, sum d = 1},   c_i = q_i / nu,

where q is the prior (the sample weights divided by their sum) and nu the fraction of the examples that may
fall short of the margin. With equal weights this is the paper's P_nu.

Every answer is small and combines with those of other parts: sums that are exact in any order (see
native/projection.hpp), extremes, or entries in the order of the rows. Distributions stay where the rows are,
each under a number that the room gives it.
"""

# mypy: disable-error-code="empty-body"
# ruff: noqa: B024, B027

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from frankboost.rooms.picked import Picked, PickedDifferences
from frankboost.rooms.questions import Number, question
from frankboost.typing import Array, Flags, Floats, Indices, Precision

Pair = tuple[float, float]
Counted = tuple[float, float, float]
Terms = tuple[Counted, Counted]  # of rows at their caps, and of those below, see native/projection.hpp
Cut = tuple[float, float, float, float, float, float]  # see native/soft_margin.hpp
Takers = str  # "with_weight", "below_their_caps" or "all": which rows may take what rounding left


class Keys(NamedTuple):
    """The extremes of the margins, the largest key ln nu - eta margin in size, and the keys and weights of
    some rows."""

    low: float
    high: float
    largest: float
    key: Floats
    weight: Floats


def largest_key(start: float, eta: float, low: float, high: float) -> float:
    """The largest of the keys start - eta margin in size, for margins between two extremes."""
    return max(abs(start - eta * each) for each in (low, high))


Sums = tuple[float, ...]  # five: what `native.projection_sums` says
Filled = tuple[tuple[float, ...], float]
Some = tuple[Floats, Floats] | None  # a number and the weight of each of some rows, if a part tells them


class Near(NamedTuple):
    """Sums over rows, without some whose keys and weights stand beside them."""

    sums: Sums
    rows: Some


class Bucket(NamedTuple):
    """A bucket of margins: the sum over all buckets before it, its extremes, its margins and weights."""

    paid: float
    low: float
    high: float
    rows: Some


class Part(ABC):
    """Rows, and what a room asks of them. A question has no body here: who has the rows, answers."""

    # Rows and weights

    @question()
    def size(self) -> int:
        """How many rows there are."""

    @question()
    def weigh(self) -> tuple[Fraction, float]:
        """The sum of the sample weights, exactly, and the least of them."""

    @question(changes=True)
    def cap(self, nu: float, total: float) -> Pair:
        """Set the caps c for nu; the largest min(c, 1) / q, and the sum of c in units of the grid."""

    # Columns of the margin matrix

    @question(changes=True)
    def take(self, hypotheses: Any) -> list[bytes]:
        """Compute the columns of hypotheses; returns a digest of each. `keep` says which of them stay."""

    @question()
    def taken_edges(self, number: Number) -> tuple[Floats, float]:
        """The edges of the columns computed last; the largest of any but signs, and what rounding may add."""

    @question(changes=True)
    def keep(self, which: Sequence[int]) -> None:
        """Append these of the columns that were computed last; forget the others."""

    @question()
    def are_signs(self, columns: Indices) -> bool:
        """Whether all entries of these columns are -1 and +1."""

    @question(optional=True)
    def column(self, j: int) -> Floats:
        """Column j: an entry per example, or a row of them per example in a game of many classes."""

    @question(optional=True)
    def caps(self) -> Floats:
        """The largest weight of each entry of a column."""

    @question(changes=True)
    def margins(self, number: Number, weights: Floats) -> None:
        """Keep the margins A w."""

    @question(changes=True)
    def vote(self, number: Number, hypotheses: Any, weights: Floats) -> None:
        """Keep the margins of a vote of hypotheses in [-1, 1], whose columns need not be known."""

    @question(changes=True)
    def margins_along(self, number: Number, start: Number, change: Number, step: float) -> None:
        """Keep the margins start + step * change."""

    @question()
    def extremes(self, number: Number) -> Pair:
        """The least and the largest margin."""

    @question()
    def size_of_margins(self, number: Number) -> float:
        """The largest entry of A w in size."""

    @question(optional=True)
    def soft_margin(self, number: Number) -> Pair:
        """The soft margin, and the margin up to which rows count in it, of a part that has all rows."""

    @question(adds=True)
    def buckets(self, number: Number, cut: Cut) -> Floats:
        """The weight in each bucket of margins, see native/soft_margin.hpp."""

    @question()
    def within_bucket(self, number: Number, cut: Cut, bucket: int, most: int) -> Bucket:
        """The content of a bucket; also its rows, if the part tells them and there are at most `most`."""

    @question()
    def proof(self, number: Number, t: int, error: float) -> tuple[Fraction, int]:
        """sum_i s_i max(t - margin_i, 0) and the least margin, of margins less an error, in whole units."""

    # Distributions

    @question(changes=True, optional=True)
    def project(self, number: Number, eta: float) -> float:
        """The distribution of a part that has all rows; min over d of d . margins + KL(d || prior) / eta."""

    @question(changes=True)
    def keys(self, number: Number, eta: float, stride: int) -> Keys:
        """Keep the keys; tell those of every `stride`-th row."""

    @question(changes=True)
    def sums_near(self, number: Number, shift: float | None, near: Pair, terms: Terms, most: int) -> Near:
        """What `native.projection_sums` says at the upper end of `near`; a new shift makes new powers.

        Rows whose keys lie in `near` may be told instead, if they are at most `most`.
        """

    @question(changes=True)
    def fill(self, number: Number, limit: float, scale: float, largest: float, rows: int) -> Filled:
        """The distribution, rounded down to the grid: what was paid for it, and its sum."""

    @question(changes=True)
    def place(self, d: Floats, number: Number) -> None:
        """Take in numbers that are to be a distribution."""

    @question(changes=True)
    def prior(self, number: Number) -> float:
        """The prior as a distribution, rounded down; its sum."""

    @question()
    def nearest_sums(self, number: Number, coarse: float, fine: float) -> tuple[float, ...]:
        """The sums of d cut at the caps, and of what is left below the caps; each in two parts."""

    @question(changes=True)
    def nearest(self, number: Number, of: Number, divisor: float, share: float) -> float:
        """A distribution within the caps next to another, rounded down; its sum."""

    @question(changes=True)
    def forget(self, numbers: Sequence[Number]) -> None:
        """Forget distributions that no question will need."""

    # Units that rounding left

    @question()
    def open(self, number: Number, takers: Takers) -> int:
        """How many rows may take more."""

    @question(changes=True)
    def give(self, number: Number, takers: Takers, share: float) -> float:
        """Up to a share for every row that may take more; what was given."""

    @question(changes=True)
    def give_first(self, count: int, number: Number, takers: Takers) -> None:
        """A unit for each of the first `count` rows that may take more."""

    @question()
    def weighty(self, number: Number) -> int:
        """How many rows have weight."""

    @question(changes=True)
    def take_back(self, number: Number, share: float) -> float:
        """Up to a share from every row; what was taken."""

    @question(changes=True)
    def take_first(self, count: int, number: Number) -> None:
        """A unit from each of the first `count` rows that have weight."""

    # What a distribution tells

    @question(adds=True)
    def edges(self, number: Number, known: int) -> Floats:
        """A^T d, without the first `known` entries."""

    @question()
    def slope(self, number: Number, change: Number, magic: float) -> float:
        """d . margins, where the margins are those of another number."""

    @question()
    def largest(self, number: Number, stride: int) -> Pair:
        """The largest d/q and the largest d of every `stride`-th row."""

    @question()
    def free(self, number: Number, least: Pair, stride: int) -> tuple[int, float]:
        """How many of every `stride`-th row are below their caps and above the least d/q or d; their d."""

    @question()
    def picked(
        self, sample: tuple[int, int], number: Number, least: Pair, stride: int, groups: Indices
    ) -> Picked | PickedDifferences:
        """A sample of the rows that can move: their d, and groups of eight columns of signs."""

    @question(optional=True)
    def moving(self, number: Number, least: Pair, stride: int) -> tuple[int, float, Array]:
        """What `free` tells, and the rows; these stay where the part is."""

    @question(optional=True)
    def covariance(
        self, number: Number, rows: Array, columns: Indices, weight: float, dtype: Precision
    ) -> Floats:
        """The covariance of columns over rows that `moving` returned, which stand for a total weight."""

    @question()
    def distribution(self, number: Number) -> Floats:
        """d, and it leaves the part."""

    @question()
    def capped(self, number: Number) -> Flags:
        """Which rows are as heavy as they may be."""

    @question(optional=True)
    def signed(self, number: Number) -> Floats:
        """u, the signed example weights for a weak learner; they leave the part."""
