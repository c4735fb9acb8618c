"""Data sets that scikit-learn brings along."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer

from frankboost.datasets.base import Dataset


def breast_cancer() -> Dataset:
    """scikit-learn's Wisconsin breast cancer data, 569 rows and 30 features; +1 is benign."""
    X, y = load_breast_cancer(return_X_y=True)
    return Dataset("breast-cancer", np.asarray(X, dtype=np.float64), np.where(y == 1, 1, -1))
