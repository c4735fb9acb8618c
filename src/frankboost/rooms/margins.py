"""What labels mean to the game: two adjoint maps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from frankboost.typing import AnyArray, Floats


@dataclass(frozen=True, eq=False)
class BinaryMargins:
    """Two classes: the margin of a row is y h(x), with y = -1 or +1."""

    y: Floats

    def column(self, values: AnyArray) -> AnyArray:
        """The column y h(x) of A of a hypothesis with these values; int8 if all its entries are -1 and +1."""
        if bool((np.abs(values) == 1).all()):
            return values.astype(np.int8, copy=False) * self._signs
        return values * self.y

    def signed(self, d: Floats) -> Floats:
        """u = d y, under which the learner's edge sum u_i h(x_i) is (A^T d)_h."""
        return d * self.y

    @cached_property
    def _signs(self) -> NDArray[np.int8]:
        return self.y.astype(np.int8)
