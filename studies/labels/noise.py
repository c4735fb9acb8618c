"""Kinds of noise: which labels are changed, and to which other labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from frankboost.typing import Floats, Indices

Labels = NDArray[np.intp]  # from 0
Draw = Callable[[float, Labels, Floats, np.random.Generator], Labels]

MAX_SHARE = 0.4  # of the rows of a class
DECAY = 4.0  # how fast the probability of a change falls with the distance from the boundary


def symmetric(share: float, y: Labels, probabilities: Floats, rng: np.random.Generator) -> Labels:
    """Random rows get any other label."""
    count = int(y.max()) + 1
    rows = rng.choice(len(y), round(share * len(y)), replace=False)
    return _replace(y, rows, (y[rows] + rng.integers(1, count, len(rows))) % count)


def one_sided(share: float, y: Labels, probabilities: Floats, rng: np.random.Generator) -> Labels:
    """Rows of the last class get the label of the first class."""
    pool = np.flatnonzero(y == y.max())
    rows = rng.choice(pool, min(round(share * len(y)), round(MAX_SHARE * len(pool))), replace=False)
    return _replace(y, rows, np.zeros(len(rows), dtype=np.intp))


def by_class(share: float, y: Labels, probabilities: Floats, rng: np.random.Generator) -> Labels:
    """Each class has its own rate of changes, and its own shares of the other labels."""
    count = int(y.max()) + 1
    rate = rng.random(count)
    rate = np.minimum(rate * share / rate[y].mean(), MAX_SHARE)
    found = y.copy()
    for k in range(count):
        rows = np.flatnonzero((y == k) & (rng.random(len(y)) < rate[k]))
        others = np.delete(np.arange(count), k)
        found[rows] = rng.choice(others, len(rows), p=rng.dirichlet(np.full(count - 1, 0.5)))
    return found


def near_boundary(share: float, y: Labels, probabilities: Floats, rng: np.random.Generator) -> Labels:
    """Rows whose two most probable classes are about as probable get the other one of these labels."""
    best = np.argsort(probabilities, axis=1)[:, ::-1]
    ordered = np.sort(probabilities, axis=1)
    close = np.exp(-DECAY * (ordered[:, -1] - ordered[:, -2]))
    rows = rng.choice(len(y), round(share * len(y)), replace=False, p=close / close.sum())
    return _replace(y, rows, np.where(best[rows, 0] == y[rows], best[rows, 1], best[rows, 0]))


NOISES: dict[str, tuple[Draw, float]] = {
    "5 %": (symmetric, 0.05),
    "10 %": (symmetric, 0.1),
    "20 %": (symmetric, 0.2),
    "one-sided": (one_sided, 0.1),
    "by class": (by_class, 0.12),
    "near the boundary": (near_boundary, 0.1),
    "none": (symmetric, 0.0),
}


def add_noise(
    name: str, y: Labels, X: Floats, other: tuple[Floats, Labels], rng: np.random.Generator
) -> Labels:
    """Add noise to labels; a random forest learns the boundary between the classes from other rows."""
    draw, share = NOISES[name]
    probabilities = np.zeros((len(y), 0))
    if draw is near_boundary:
        probabilities = RandomForestClassifier(random_state=0).fit(*other).predict_proba(X)
    return draw(share, y, probabilities, rng)


def _replace(y: Labels, rows: Indices, labels: Labels) -> Labels:
    found = y.copy()
    found[rows] = labels
    return found
