"""Labels turned wrong: which rows, and what they become."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from frankboost.typing import Floats, Indices

Labels = NDArray[np.intp]  # from 0
Draw = Callable[[float, Labels, Floats, np.random.Generator], Labels]

MOST = 0.4  # of a class
NEAR = 4.0  # how fast the chance of a row falls with its distance from the boundary


def symmetric(share: float, y: Labels, chances: Floats, rng: np.random.Generator) -> Labels:
    """A share of the rows, each with any other label."""
    count = int(y.max()) + 1
    rows = rng.choice(len(y), round(share * len(y)), replace=False)
    return _with(y, rows, (y[rows] + rng.integers(1, count, len(rows))) % count)


def one_sided(share: float, y: Labels, chances: Floats, rng: np.random.Generator) -> Labels:
    """Rows of the last class alone, which get the label of the first."""
    pool = np.flatnonzero(y == y.max())
    rows = rng.choice(pool, min(round(share * len(y)), round(MOST * len(pool))), replace=False)
    return _with(y, rows, np.zeros(len(rows), dtype=np.intp))


def by_class(share: float, y: Labels, chances: Floats, rng: np.random.Generator) -> Labels:
    """Every class has a rate of its own, and its own shares of the other labels."""
    count = int(y.max()) + 1
    rate = rng.random(count)
    rate = np.minimum(rate * share / rate[y].mean(), MOST)
    found = y.copy()
    for k in range(count):
        rows = np.flatnonzero((y == k) & (rng.random(len(y)) < rate[k]))
        others = np.delete(np.arange(count), k)
        found[rows] = rng.choice(others, len(rows), p=rng.dirichlet(np.full(count - 1, 0.5)))
    return found


def near(share: float, y: Labels, chances: Floats, rng: np.random.Generator) -> Labels:
    """Rows whose two largest chances are close, which get the other of the two labels."""
    best = np.argsort(chances, axis=1)[:, ::-1]
    ordered = np.sort(chances, axis=1)
    close = np.exp(-NEAR * (ordered[:, -1] - ordered[:, -2]))
    rows = rng.choice(len(y), round(share * len(y)), replace=False, p=close / close.sum())
    return _with(y, rows, np.where(best[rows, 0] == y[rows], best[rows, 1], best[rows, 0]))


NOISES: dict[str, tuple[Draw, float]] = {
    "5 %": (symmetric, 0.05),
    "10 %": (symmetric, 0.1),
    "20 %": (symmetric, 0.2),
    "one-sided": (one_sided, 0.1),
    "by class": (by_class, 0.12),
    "near the boundary": (near, 0.1),
    "none": (symmetric, 0.0),
}


def turned(name: str, y: Labels, X: Floats, other: tuple[Floats, Labels], rng: np.random.Generator) -> Labels:
    """The labels with some noise; what the boundary is, a forest learns from other rows."""
    draw, share = NOISES[name]
    chances = np.zeros((len(y), 0))
    if draw is near:
        chances = RandomForestClassifier(random_state=0).fit(*other).predict_proba(X)
    return draw(share, y, chances, rng)


def _with(y: Labels, rows: Indices, labels: Labels) -> Labels:
    found = y.copy()
    found[rows] = labels
    return found
