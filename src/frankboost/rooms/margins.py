"""The margins that labels define, as two adjoint maps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.arrays import module_of
from frankboost.typing import AnyArray, Array, Floats


@dataclass(frozen=True, eq=False)
class BinaryMargins:
    """Two classes: the margin of a row is y h(x), with y = -1 or +1."""

    y: AnyArray  # in int8, but for rows in parts
    members = 1  # hypotheses with values for the rows that one hypothesis has

    @property
    def as_they_vote(self) -> Array:
        """For which rows a column has the votes themselves; for the others their negatives."""
        return self.y > 0.0

    def columns(self, values: AnyArray) -> AnyArray:
        """The columns y h(x) of A for hypotheses with these votes; int8 if all entries are -1 and +1."""
        if all(bool((np.abs(each) == 1).all()) for each in values):
            return values.astype(np.int8, copy=False) * self._signs
        return values * self.y.astype(np.float64)

    def signed(self, d: Floats) -> Floats:
        """The signed weights u = d y: sum_i u_i h(x_i) is the edge (A^T d)_h."""
        u: Floats = d * self.y
        return u

    @cached_property
    def _signs(self) -> NDArray[np.int8]:
        return self.y.astype(np.int8, copy=False)


@dataclass(frozen=True, eq=False)
class JointMargins:
    """Many classes in one game: the margins of a row i of class y are (h_y(x_i) - h_k(x_i)) / 2, k != y.

    A hypothesis is a tuple (h_1, ..., h_K), one per class. A vector with an entry per row and class has all
    rows of the first class first, then all rows of the second, and so on.
    """

    code: Array  # the number of each row's class
    classes: int  # how many there are

    @property
    def members(self) -> int:
        """The hypotheses that one hypothesis has, one of each class."""
        return self.classes

    @property
    def as_they_vote(self) -> Array:
        """All rows: a column has the votes of a hypothesis."""
        return module_of(self.code).ones(len(self.code), dtype=bool)

    @property
    def others(self) -> int:
        """The classes other than a row's own."""
        return self.classes - 1

    def least(self, votes: Array, threads: int) -> Array:
        """The least margin of each row."""
        return native.class_margins(votes, self.code, self.classes, threads)

    def soft(self, votes: Array, eta: float, threads: int) -> tuple[Array, Array]:
        """For each row, min over p of sum_k p_k margin_k + KL(p || uniform) / eta; and p, not scaled to sum
        1."""
        return native.soft_class_margins(votes, self.code, self.classes, eta, threads)

    def signed(self, d: Array, shares: Array, threads: int) -> Array:
        """The signed weights g / 2: sum_c sum_i g_ic h_c(x_i) / 2 is the edge of (h_1, ..., h_K).

        g_ic is d_i for a row's own class c. For any other class it is minus the part of d_i that the class
        gets, in whole units of the grid and in proportion to the shares.
        """
        return native.dealt_to_classes(shares, d, self.code, self.classes, threads)

    def pairs(self, votes: Array) -> Array:
        """The margins of each row over each class, one row of the table per class; 0 for the row's own
        class."""
        table = votes.reshape(self.classes, -1)
        own = table[self.code, module_of(votes).arange(table.shape[1])]
        return (own - table) / 2.0

    def masses(self, halves: Array) -> Array:
        """The parts of d that `signed` dealt out, one row of the table per class."""
        return module_of(halves).maximum(-2.0 * halves, 0.0).reshape(self.classes, -1)
