"""Some of the rows of a training set, and every question that a room may ask of them.

A distribution d over the examples lies in

    P = {d : 0 <= d_i <= c_i, sum d = 1},   c_i = q_i / nu,

where q is the prior (the sample weights divided by their sum) and nu the fraction of the examples that may
fall short of the margin. With equal weights this is the paper's P_nu.

An answer is small, and the answers of all parts combine: sums that are exact in any order (see
native/projection.hpp), extremes, or entries in the order of the rows. Distributions stay in the parts, each
under a number that the room chooses. "Keep X" in a docstring means: store X under the given number.
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
SumTerms = tuple[float, float, float]
Terms = tuple[SumTerms, SumTerms]  # for capped rows and for free rows, see native/projection.hpp
Cut = tuple[float, float, float, float, float, float]  # the buckets of native/soft_margin.hpp
Takers = str  # "with_weight", "below_their_caps" or "all": the rows that may take left-over units


class Keys(NamedTuple):
    """The least and the largest margin, the largest |key| where key = ln nu - eta margin, and the keys and
    weights of a sample of the rows."""

    low: float
    high: float
    largest: float
    key: Floats
    weight: Floats


def largest_key(start: float, eta: float, low: float, high: float) -> float:
    """The largest |start - eta margin| of margins between two extremes."""
    return max(abs(start - eta * margin) for margin in (low, high))


Sums = tuple[float, ...]  # the five results of `native.projection_sums`
RowValues = tuple[Floats, Floats] | None  # a number and a weight per row of some rows; None if not sent


class Near(NamedTuple):
    """Sums over the rows of a part, without some rows whose keys and weights it sends instead."""

    sums: Sums
    rows: RowValues


class Bucket(NamedTuple):
    """A bucket of margins: the sum of s_i margin_i over all buckets before it, the least and the largest
    margin in it, and its margins and weights."""

    paid: float
    low: float
    high: float
    rows: RowValues


class Part(ABC):
    """Base class of parts: the questions that a room asks. Subclasses hold rows and answer the questions."""

    # Rows and weights

    @question()
    def size(self) -> int:
        """How many rows there are."""

    @question()
    def weigh(self) -> tuple[Fraction, float]:
        """The exact sum of the sample weights, and the least of them."""

    @question(changes=True)
    def cap(self, nu: float, total: float) -> Pair:
        """Set the caps c for nu; the largest min(c, 1) / q, and the sum of c in units of the grid."""

    # Columns of the margin matrix

    @question(changes=True)
    def take(self, hypotheses: Any) -> list[bytes]:
        """Compute the columns of hypotheses, until `keep` chooses among them; returns a digest of each."""

    @question()
    def taken_edges(self, number: Number) -> tuple[Floats, float]:
        """The edges of the columns computed last; and the largest edge, rounded up, of those that are not
        signs."""

    @question(changes=True)
    def keep(self, which: Sequence[int]) -> None:
        """Append some of the columns that were computed last to the margin matrix; drop the others."""

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
        """Keep the margins of a weighted vote of hypotheses with values in [-1, 1], known or not."""

    @question(changes=True)
    def margins_along(self, number: Number, start: Number, change: Number, step: float) -> None:
        """Keep the margins start + step * change, where both are numbers of margins."""

    @question()
    def extremes(self, number: Number) -> Pair:
        """The least and the largest margin."""

    @question()
    def size_of_margins(self, number: Number) -> float:
        """The largest |margin|."""

    @question(optional=True)
    def soft_margin(self, number: Number) -> Pair:
        """The soft margin, and the largest margin that counts in it; only of a part that has all rows."""

    @question(adds=True)
    def buckets(self, number: Number, cut: Cut) -> Floats:
        """The weight in each bucket of margins, see native/soft_margin.hpp."""

    @question()
    def within_bucket(self, number: Number, cut: Cut, bucket: int, most: int) -> Bucket:
        """A bucket; with its rows, if these are at most `most` and the part sends rows at all."""

    @question()
    def proof(self, number: Number, t: int, error: float) -> tuple[Fraction, int]:
        """sum_i s_i max(t - margin_i, 0) and the least margin, after `error` is subtracted from each margin;
        margins and t are whole units of the grid."""

    # Distributions

    @question(changes=True, optional=True)
    def project(self, number: Number, eta: float) -> float:
        """Keep the d in P that minimises d . margins + KL(d || prior) / eta; returns the minimum. Only of a
        part that has all rows."""

    @question(changes=True)
    def keys(self, number: Number, eta: float, stride: int) -> Keys:
        """Keep the keys ln nu - eta margin, the first step of a projection; send those of every `stride`-th
        row."""

    @question(changes=True)
    def sums_near(self, number: Number, shift: float | None, near: Pair, terms: Terms, most: int) -> Near:
        """`native.projection_sums` at the limit that is the upper end of `near`; computes the powers again if
        `shift` is not None.

        If at most `most` keys lie in `near`, the part may leave these rows out of the sums and send them.
        """

    @question(changes=True)
    def fill(
        self, number: Number, limit: float, scale: float, largest: float, rows: int
    ) -> tuple[tuple[float, ...], float]:
        """Keep the distribution, rounded down to the grid: the last step of a projection. Returns the sums
        from which the minimum follows (`ProjectionSteps.value`), and the sum of d."""

    @question(changes=True)
    def place(self, d: Floats, number: Number) -> None:
        """Keep a vector that comes from outside, of which `nearest` makes a distribution."""

    @question(changes=True)
    def prior(self, number: Number) -> float:
        """Keep the prior as a distribution, rounded down to the grid; returns its sum."""

    @question()
    def nearest_sums(self, number: Number, coarse: float, fine: float) -> tuple[float, ...]:
        """The sums of min(d, c) and of c - min(d, c), each in two exact parts."""

    @question(changes=True)
    def nearest(self, number: Number, of: Number, divisor: float, share: float) -> float:
        """Keep b / divisor + share (c - b) with b = min(d, c), rounded down to the grid; returns its sum. d
        is the distribution `of`."""

    @question(changes=True)
    def forget(self, numbers: Sequence[Number]) -> None:
        """Free distributions that no later question will name."""

    # Units of the grid that rounding left over

    @question()
    def open(self, number: Number, takers: Takers) -> int:
        """The number of rows that may take more weight."""

    @question(changes=True)
    def give(self, number: Number, takers: Takers, share: float) -> float:
        """Give up to `share` to each row that may take more; returns the sum of what was given."""

    @question(changes=True)
    def give_first(self, count: int, number: Number, takers: Takers) -> None:
        """Give one unit to each of the first `count` rows that may take more."""

    @question()
    def weighty(self, number: Number) -> int:
        """The number of rows with weight."""

    @question(changes=True)
    def take_back(self, number: Number, share: float) -> float:
        """Take up to `share` from each row; returns the sum of what was taken."""

    @question(changes=True)
    def take_first(self, count: int, number: Number) -> None:
        """Take one unit from each of the first `count` rows with weight."""

    # Results of a distribution

    @question(adds=True)
    def edges(self, number: Number, known: int) -> Floats:
        """The edges A^T d, without the first `known` entries."""

    @question()
    def slope(self, number: Number, change: Number, magic: float) -> float:
        """d . margins, with the margins kept under `change`; `magic` rounds each term, so that the sum is
        exact."""

    @question()
    def largest(self, number: Number, stride: int) -> Pair:
        """The largest d/q and the largest d, over every `stride`-th row."""

    @question()
    def free(self, number: Number, least: Pair, stride: int) -> tuple[int, float]:
        """The number of free rows among every `stride`-th row, and the sum of their d.

        A row is free, its weight can move, if it is below its cap and its d/q or its d is above `least`.
        """

    @question()
    def picked(
        self, sample: tuple[int, int], number: Number, least: Pair, stride: int, groups: Indices
    ) -> Picked | PickedDifferences:
        """A sample of the free rows: their d, and their signs in some groups of eight columns. `sample` is
        the first of the free rows to send, and the step to the next."""

    @question(optional=True)
    def moving(self, number: Number, least: Pair, stride: int) -> tuple[int, float, Array]:
        """The answer to `free`, and the numbers of the free rows in the memory of the part."""

    @question(optional=True)
    def covariance(
        self, number: Number, rows: Array, columns: Indices, weight: float, dtype: Precision
    ) -> Floats:
        """The covariance of columns over rows that `moving` returned, with masses in proportion to d that sum
        to `weight`."""

    @question()
    def distribution(self, number: Number) -> Floats:
        """The distribution d, one entry per row."""

    @question()
    def capped(self, number: Number) -> Flags:
        """Which rows have d at their cap."""

    @question(optional=True)
    def signed(self, number: Number) -> Floats:
        """The signed example weights u for a weak learner, one entry per row."""
