"""Rows of many classes in one game: the mass of a row is divided among the other classes.

The distribution has an entry d_ik for each row i and each class k other than its own. The caps hold for the
masses of the rows, d_i = sum_k d_ik, which a room projects as it does for two classes: the entropy is the
entropy of the masses plus those within the rows. So the margins of a row count as one number, their soft
minimum, and d_ik is d_i times a softmax of them (docs/theory/many-classes.md).
"""

# mypy: disable-error-code="empty-body"
# A question has no body: who has rows, answers.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from frankboost.arrays import here
from frankboost.grid import CAPPED, weight_shares
from frankboost.rooms.distributions import Distributions, Placed, strided
from frankboost.rooms.margins import JointMargins
from frankboost.rooms.part import Keys, Pair, Part
from frankboost.rooms.picked import PickedDifferences
from frankboost.rooms.questions import Number, question
from frankboost.typing import Array, Floats, Indices


class ClassRows(Part):
    """The question that a search for one hypothesis per class asks of the rows of a part."""

    @question(changes=True)
    def of_class(self, number: Number, of: Number, code: int) -> None:
        """Keep the signed weights g_c of one class c, such that the edge is half the sum over all classes."""


@dataclass(eq=False)
class _Shared:
    """The division of the masses of rows among classes, in proportion to `shares`."""

    shares: Array
    votes: Array = None  # the votes from which the margins and the shares were computed
    halves: Array = None  # the result of `JointMargins.signed`, once the masses are on the grid


class JointRows(Distributions, ClassRows):
    """What a part of rows of two classes answers otherwise if its examples have `JointMargins`.

    The votes of a hypothesis are a column of its matrix, the rows of a class after those of the class before.
    """

    _threads: int

    def __init__(self, examples: Any, *args: Any, **named: Any) -> None:
        self._margins: JointMargins = examples.margins
        self._shared: dict[int, _Shared] = {}
        super().__init__(examples, *args, **named)

    def cap(self, nu: float, total: float) -> Pair:
        density, units = super().cap(nu, total)
        return density * self._margins.others, units

    def _played(self, number: Number) -> Array:
        at = self._shared[number]
        if at.halves is None:
            at.halves = self._margins.signed(self._placed[number].d, at.shares, self._threads)
        return at.halves

    def _masses(self, number: Number) -> Array:
        """d_ik, one row of the table per class."""
        return self._margins.masses(self._played(number))

    # Margins

    def margins(self, number: Number, weights: Floats) -> None:
        self._vote(number, self._product(weights))

    def margins_along(self, number: Number, start: Number, change: Number, step: float) -> None:
        self._vote(number, self._shared[start].votes + step * self._shared[change].votes)

    def _vote(self, number: Number, votes: Array) -> None:
        self._placed[number] = Placed(self._margins.least(votes, self._threads))
        self._shared[number] = _Shared(None, votes)

    def size_of_margins(self, number: Number) -> float:
        return float(abs(self._pairs(number)).max())

    def _pairs(self, number: Number) -> Array:
        """The margins of all rows over all classes."""
        return self._margins.pairs(self._shared[number].votes)

    # New distributions

    def _soften(self, number: Number, eta: float) -> Array:
        """Replace the margins of a row by their soft minimum; returns the least margin."""
        at, placed = self._shared[number], self._placed[number]
        least = placed.margins
        placed.margins, at.shares = self._margins.soft(at.votes, eta, self._threads)
        return least

    def keys(self, number: Number, eta: float, stride: int) -> Keys:
        least = self._soften(number, eta)
        found = super().keys(number, eta, stride)
        self._placed[number].margins = least
        return found._replace(low=float(least.min()), high=float(least.max()))

    def place(self, d: Floats, number: Number) -> None:
        inside = d.clip(0.0, None)
        super().place(inside.sum(axis=1), number)
        self._shared[number] = _Shared(self._arrays.asarray(np.ascontiguousarray(inside.T).ravel()))

    def prior(self, number: Number) -> float:
        self._shared[number] = _Shared(self._arrays.ones(self._rows * self._margins.classes))
        return super().prior(number)

    def nearest(self, number: Number, of: Number, divisor: float, share: float) -> float:
        self._shared[number] = _Shared(self._shared[of].shares)
        return super().nearest(number, of, divisor, share)

    def forget(self, numbers: Sequence[Number]) -> None:
        super().forget(numbers)
        for number in numbers:
            self._shared.pop(number, None)

    # Results of a distribution

    def of_class(self, number: Number, of: Number, code: int) -> None:
        begin = code * self._rows
        self._placed[number] = Placed(None, 2.0 * self._played(of)[begin : begin + self._rows])

    def weigh_rows(self, number: Number, whole: float) -> None:
        """The sample weights as the signed weights of a class, see `TreeRows.weigh_rows`."""
        self._placed[number] = Placed(None, self._of_each(weight_shares(self._weight, whole)))

    def distribution(self, number: Number) -> Floats:
        return np.ascontiguousarray(here(self._masses(number)).T)

    def slope(self, number: Number, change: Number, magic: float) -> float:
        terms = self._masses(number) * self._pairs(change)
        return float(((terms + magic) - magic).sum())

    def largest(self, number: Number, stride: int) -> Pair:
        some = strided(self._first, stride)
        d, prior = self._masses(number)[:, some], self._of_each(self._prior)[some] / self._margins.others
        return (float((d / prior).max()), float(d.max())) if d.size else (0.0, 0.0)

    def free(self, number: Number, least: Pair, stride: int) -> tuple[int, float]:
        """The same for pairs of a row and a class in place of rows."""
        pairs = self._free(number, least, stride)
        return len(pairs), float(self._masses(number).ravel()[pairs].sum())

    def _free(self, number: Number, least: Pair, stride: int) -> Array:
        """The free pairs, row by row; a pair is its place in a vector that has one class after the other."""
        some, (density, mass) = strided(self._first, stride), least
        prior = self._of_each(self._prior)[some]
        enough = self._arrays.minimum(density * prior / self._margins.others, mass)
        row, code = self._arrays.nonzero((self._masses(number)[:, some] > enough).T)
        return code * self._rows + (-self._first % stride + stride * row)

    def picked(
        self, sample: tuple[int, int], number: Number, least: Pair, stride: int, groups: Indices
    ) -> PickedDifferences:
        """Mass of a row below its cap can move to any row; mass of a row at its cap moves within the row."""
        arrays, (first, step) = self._arrays, sample
        places = self._free(number, least, stride)[first::step]
        code, row = places // self._rows, places % self._rows
        d, masses = self._masses(number), self._placed[number].d[row]
        kept = masses >= CAPPED * self._of_each(self._caps)[row]
        own, factor = self._margins.code[row], arrays.ones(len(row))
        if kept.any():
            own[kept], factor[kept] = self._within(d[:, row[kept]] / masses[kept])
        factor[own == code] = 0.0
        some = arrays.asarray(groups)[:, None]
        more, less = (self._packed[some, each * self._rows + row] for each in (own, code))
        return PickedDifferences(*map(here, (d[code, row], factor, ~kept, more, less)))

    def _within(self, parts: Array) -> tuple[Array, Array]:
        """Of rows at their caps: the class of the largest part, and the factors of differences from it, which
        scale them to the whole variance."""
        most = self._arrays.maximum(1.0 - parts.max(axis=0), 2.0**-52)
        squares = reduce(add, (each * each for each in parts))  # in this order, whatever the number of rows
        return parts.argmax(axis=0), (1.0 - squares) / (2.0 * most)
