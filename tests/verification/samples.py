"""Small data with ties and gaps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROWS = 60


def xor_data(rows: int = ROWS, missing: float = 0.0, seed: int = 0) -> tuple[Floats, NDArray[np.int64]]:
    """Four features with ties, a noisy label that needs two of them, NaN at random."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rows, 4)), 1)
    y = np.where(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=rows) > 0.0, 1, -1)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y
