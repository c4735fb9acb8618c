"""The margins that labels define, as two adjoint maps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.typing import AnyArray, Floats


@dataclass(frozen=True, eq=False)
class BinaryMargins:
    """Two classes: the margin of a row is y h(x), with y = -1 or +1."""

    y: Floats

    def columns(self, values: AnyArray) -> AnyArray:
        """The columns y h(x) of A for hypotheses with these votes; int8 if all entries are -1 and +1."""
        if bool((np.abs(values) == 1).all()):
            return values.astype(np.int8, copy=False) * self._signs
        return values * self.y

    def signed(self, d: Floats) -> Floats:
        """The signed weights u = d y: sum_i u_i h(x_i) is the edge (A^T d)_h."""
        return d * self.y

    @cached_property
    def _signs(self) -> NDArray[np.int8]:
        return self.y.astype(np.int8)


@dataclass(frozen=True, eq=False)
class JointMargins:
    """Many classes in one game: the margins of a row i of class y are (h_y(x_i) - h_k(x_i)) / 2, k != y.

    A hypothesis is a tuple (h_1, ..., h_K), one per class. A vector with an entry per row and class has all
    rows of the first class first, then all rows of the second, and so on.
    """

    code: NDArray[np.int64]  # the number of each row's class
    classes: int  # how many there are

    @property
    def others(self) -> int:
        """The classes other than a row's own."""
        return self.classes - 1

    def least(self, votes: Floats, threads: int) -> Floats:
        """The least margin of each row."""
        return native.class_margins(votes, self.code, self.classes, threads)

    def soft(self, votes: Floats, eta: float, threads: int) -> tuple[Floats, Floats]:
        """For each row, min over p of sum_k p_k margin_k + KL(p || uniform) / eta; and p, not scaled to sum
        1."""
        return native.soft_class_margins(votes, self.code, self.classes, eta, threads)

    def signed(self, d: Floats, shares: Floats, threads: int) -> Floats:
        """The signed weights g / 2: sum_c sum_i g_ic h_c(x_i) / 2 is the edge of (h_1, ..., h_K).

        g_ic is d_i for a row's own class c. For any other class it is minus the part of d_i that the class
        gets, in whole units of the grid and in proportion to the shares.
        """
        return native.dealt_to_classes(shares, d, self.code, self.classes, threads)

    def pairs(self, votes: Floats) -> Floats:
        """The margins of each row over each class, one row of the table per class; 0 for the row's own
        class."""
        table = votes.reshape(self.classes, -1)
        own = table[self.code, np.arange(table.shape[1])]
        return (own - table) / 2.0

    def masses(self, halves: Floats) -> Floats:
        """The parts of d that `signed` dealt out, one row of the table per class."""
        return np.maximum(-2.0 * halves, 0.0).reshape(self.classes, -1)
