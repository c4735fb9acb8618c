"""Small fitted models of each kind."""

import functools

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris

from frankboost import SoftMarginClassifier
from frankboost.learners.thresholds import PRESENT


def rows_with_missing(X, seed=0):
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    return X


@functools.cache
def two_classes():
    X, y = load_breast_cancer(return_X_y=True)
    X, y = rows_with_missing(X[::2, :8]), np.array(["benign", "malignant"])[y[::2]]
    return SoftMarginClassifier(0.05).fit(X, y), X, y


@functools.cache
def three_classes():
    X, y = load_iris(return_X_y=True)
    X = rows_with_missing(X)
    return SoftMarginClassifier(0.1, 0.02, calibration=2).fit(X, y), X, y


def strange_rows(model, X, count=10_000):
    """Rows on thresholds, next to them, around the training rows, and missing."""
    rng = np.random.default_rng(1)
    rows = X[rng.integers(len(X), size=count)]
    classes = model.hypothesis_class_
    thresholds = (classes[0] if isinstance(classes, list) else classes).thresholds
    for f, cuts in enumerate(thresholds):
        between = cuts[cuts < PRESENT]
        cut = between[rng.integers(len(between), size=count)]
        near = np.stack([cut, np.nextafter(cut, np.inf), np.nextafter(cut, -np.inf), rows[:, f]])
        rows[:, f] = near[rng.integers(4, size=count), np.arange(count)]
    return rows_with_missing(rows)
