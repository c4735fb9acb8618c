"""A problem of some hundred rows, which takes a moment to fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_info

import frankboost as fb


def sample(rows: int, features: int = 6, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Noisy rows of two classes."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, features))
    y = (X[:, 0] * X[:, 1] + 0.5 * rng.standard_normal(rows) > 0).astype(np.intp)
    y[:2] = 0, 1
    return X, y


def digest(model: Any) -> tuple[Any, ...]:
    """What two equal models share, to the last bit."""
    weights, d = model.estimator_weights_, model.distribution_
    return (model.certificate_, weights.tobytes(), d.tobytes())


def check(model: Any, X: Any, y: Any) -> None:
    """Raise unless the certificate of a fitted model holds and it predicts classes."""
    fb.verify(model, X, y)
    if not np.isin(model.predict(X), model.classes_).all():
        raise ValueError("a label that is no class")


def blas_threads() -> list[tuple[str, int]]:
    """How many threads each BLAS of the process has."""
    return sorted(
        (each["filepath"], each["num_threads"]) for each in threadpool_info() if each["user_api"] == "blas"
    )
