"""Rows of many classes in one game: the mass of a row is divided among the other classes.

The distribution has an entry d_ik for each row i and each class k other than its own. The caps hold for the
masses of the rows, d_i = sum_k d_ik, which a room projects as it does for two classes: the entropy is the
entropy of the masses plus those within the rows. So the margins of a row count as one number, their soft
minimum, and d_ik is d_i times a softmax of them (docs/theory/many-classes.md).
"""

# mypy: disable-error-code="empty-body"
# A question has no body: who has rows, answers.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from frankboost.grid import CAPPED
from frankboost.rooms.distributions import Placed, strided
from frankboost.rooms.host_part import HostPart
from frankboost.rooms.margin_matrix import MarginMatrix
from frankboost.rooms.margins import JointMargins
from frankboost.rooms.part import Keys, Pair, Part
from frankboost.rooms.picked import PickedDifferences
from frankboost.rooms.questions import Number, question
from frankboost.rooms.tree_part import TreePart
from frankboost.rooms.whole_part import WholePart
from frankboost.typing import AnyArray, Floats, Indices


class ClassRows(Part):
    """The question that a search for one hypothesis per class asks of the rows of a part."""

    @question(changes=True)
    def of_class(self, number: Number, of: Number, code: int) -> None:
        """Keep the signed weights g_c of one class c, such that the edge is half the sum over all classes."""


@dataclass(eq=False)
class _Shared:
    """The division of the masses of rows among classes, in proportion to `shares`."""

    shares: Floats
    votes: Floats | None = None  # the votes from which the margins and the shares were computed
    halves: Floats | None = None  # the result of `JointMargins.signed`, once the masses are on the grid


class JointRows(HostPart, ClassRows):
    """Rows in this process whose examples have `JointMargins`."""

    _examples: Any

    def __init__(self, *args: Any, **named: Any) -> None:
        self._shared: dict[int, _Shared] = {}
        super().__init__(*args, **named)

    @property
    def _margins(self) -> JointMargins:
        margins: JointMargins = self._examples.margins
        return margins

    def _no_columns(self) -> MarginMatrix:
        return MarginMatrix(self._rows * self._margins.classes, self._threads)

    def cap(self, nu: float, total: float) -> Pair:
        density, units = super().cap(nu, total)
        return density * self._margins.others, units

    # Columns

    def _of_all(self, values: Iterable[AnyArray]) -> AnyArray:
        """The votes of the hypotheses of all classes for the rows, class by class."""
        return np.array(list(values), dtype=np.int8).reshape(-1, self._matrix.rows)

    def _columns(self, values: AnyArray) -> AnyArray:
        return values

    def _played(self, number: Number) -> Floats:
        at = self._shared[number]
        if at.halves is None:
            at.halves = self._margins.signed(self._placed[number].d, at.shares, self._threads)
        return at.halves

    def _masses(self, number: Number) -> Floats:
        """d_ik, one row of the table per class."""
        return self._margins.masses(self._played(number))

    # Margins

    def margins(self, number: Number, weights: Floats) -> None:
        self._vote(number, self._matrix.margins(weights))

    def margins_along(self, number: Number, start: Number, change: Number, step: float) -> None:
        votes, more = self._shared[start].votes, self._shared[change].votes
        assert votes is not None
        assert more is not None
        self._vote(number, votes + step * more)

    def _vote(self, number: Number, votes: Floats) -> None:
        self._placed[number] = Placed(self._margins.least(votes, self._threads))
        self._shared[number] = _Shared(np.zeros(0), votes)

    def size_of_margins(self, number: Number) -> float:
        return float(np.abs(self._pairs(number)).max())

    def _pairs(self, number: Number) -> Floats:
        """The margins of all rows over all classes."""
        votes = self._shared[number].votes
        assert votes is not None
        return self._margins.pairs(votes)

    # New distributions

    def _soften(self, number: Number, eta: float) -> Floats:
        """Replace the margins of a row by their soft minimum; returns the least margin."""
        at, placed = self._shared[number], self._placed[number]
        least: Floats = placed.margins
        assert at.votes is not None
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
        self._shared[number] = _Shared(np.ascontiguousarray(inside.T).ravel())

    def prior(self, number: Number) -> float:
        self._shared[number] = _Shared(np.ones(self._rows * self._margins.classes))
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

    def signed(self, number: Number) -> Floats:
        """The signed weights of a class, see `of_class`."""
        u: Floats = self._placed[number].d
        return u

    def distribution(self, number: Number) -> Floats:
        return np.ascontiguousarray(self._masses(number).T)

    def slope(self, number: Number, change: Number, magic: float) -> float:
        terms = self._masses(number) * self._pairs(change)
        return float(((terms + magic) - magic).sum())

    def largest(self, number: Number, stride: int) -> Pair:
        some = strided(self._first, stride)
        d, prior = self._masses(number)[:, some], self._prior[some] / self._margins.others
        return (float((d / prior).max()), float(d.max())) if d.size else (0.0, 0.0)

    def free(self, number: Number, least: Pair, stride: int) -> tuple[int, float]:
        """The same for pairs of a row and a class in place of rows."""
        pairs = self._free(number, least, stride)
        return len(pairs), float(self._masses(number).ravel()[pairs].sum())

    def _free(self, number: Number, least: Pair, stride: int) -> Indices:
        """The free pairs, row by row; a pair is its place in a vector that has one class after the other."""
        some, (density, mass) = strided(self._first, stride), least
        enough = np.minimum(density * self._prior[some] / self._margins.others, mass)
        row, code = np.nonzero((self._masses(number)[:, some] > enough).T)
        return code * self._rows + (-self._first % stride + stride * row)

    def picked(
        self, sample: tuple[int, int], number: Number, least: Pair, stride: int, groups: Indices
    ) -> PickedDifferences:
        """Mass of a row below its cap can move to any row; mass of a row at its cap moves within the row."""
        first, step = sample
        code, row = np.divmod(self._free(number, least, stride)[first::step], self._rows)
        d, masses = self._masses(number), self._placed[number].d[row]
        kept = masses >= CAPPED * self._caps[row]
        own, factor = self._margins.code[row], np.ones(len(row))
        # Within a row: differences from the class of the largest part, scaled to the whole variance.
        within = d[:, row[kept]] / masses[kept]
        top = within.argmax(axis=0)
        rest = np.maximum(1.0 - within.max(axis=0), 2.0**-52)
        squares = reduce(add, (each**2 for each in within))  # in this order, whatever the number of rows
        own[kept], factor[kept] = top, (1.0 - squares) / (2.0 * rest)
        factor[own == code] = 0.0
        more, less = (self._matrix.signs[np.ix_(groups, each * self._rows + row)] for each in (own, code))
        return PickedDifferences(d[code, row], factor, ~kept, more, less)


class JointPart(JointRows, WholePart):
    """All rows of many classes in this process, with a weak learner whose hypotheses vote -1 and +1."""

    column = Part.column  # a linear program has no caps on masses of rows
    moving, covariance = Part.moving, Part.covariance

    def _values(self, hypotheses: Any) -> Iterable[AnyArray]:
        return self._of_all(WholePart._values(self, hypotheses))

    def project(self, number: Number, eta: float) -> float:
        least = self._soften(number, eta)
        value = super().project(number, eta)
        self._placed[number].margins = least
        return value


class JointTreePart(JointRows, TreePart):
    """Some rows of many classes, by their bin codes."""

    def _values(self, hypotheses: Any) -> Iterable[AnyArray]:
        return self._of_all(TreePart._values(self, hypotheses))
