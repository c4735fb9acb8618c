"""Data sets that scikit-learn brings along."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

from frankboost.datasets.base import Dataset


def breast_cancer() -> Dataset:
    """scikit-learn's Wisconsin breast cancer data, 569 rows and 30 features; +1 is benign.

    Its name is "wisconsin", since the paper's breast-cancer is another set (Ljubljana, 263 rows).

    >>> breast_cancer().X.shape
    (569, 30)
    """
    X, y = load_breast_cancer(return_X_y=True)
    return Dataset("wisconsin", np.asarray(X, dtype=np.float64), np.where(y == 1, 1, -1))


def digits() -> Dataset:
    """scikit-learn's digits, 1797 rows and 64 features; +1 is 5 to 9.

    >>> digits().X.shape
    (1797, 64)
    """
    X, y = load_digits(return_X_y=True)
    return Dataset("digits", np.asarray(X, dtype=np.float64), np.where(y >= 5, 1, -1))
