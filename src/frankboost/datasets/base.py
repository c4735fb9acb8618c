"""What a data set is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows X with labels y, -1 or +1."""

    name: str
    X: Floats
    y: Ints
