"""The rows from which a curvature is computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.typing import Precision


@dataclass(frozen=True)
class Sample:
    """Which rows count, and how many of them.

    Twenty rows per column tell as much as a million; of more, every k-th stands for its neighbours. A rough
    sample has fewer rows and is of single precision.
    """

    share: float  # of the largest density: rows below it are left out
    enough: int  # rows
    stride: int  # from one row that is looked at to the next
    dtype: Precision

    @classmethod
    def of(cls, columns: int, rows: int, *, rough: bool) -> Sample:
        """For so many columns, of so many rows."""
        enough = max(20 * columns, 8192 if rough else 65536)
        stride = max(1, rows // (4 * enough))
        return cls(1e-2 if rough else 1e-7, enough, stride, np.float32 if rough else np.float64)
