"""A small convex quadratic program on the simplex, by a warm-started active set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

Floats = NDArray[np.float64]


def maximise_on_simplex(c: Floats, H: Floats, start: Floats) -> Floats:
    """argmax of c.v - v.Hv / 2 over v >= 0, sum v = 1, for positive semidefinite H.

    Solve on the support; step back to the first coordinate that would turn negative and drop it; when
    none does, bring in the coordinate with the largest gain. Each pass ends at a better point of a new
    support, so it stops; started at the last answer it needs few passes.
    """
    # Fewer free rows than columns make H singular; this much is far below what a step can see.
    H = H + np.eye(len(c)) * max(1e-12, 1e-10 * float(np.trace(H)) / len(c))
    v = start.copy()
    support = v > 0.0
    scale = 1e-12 * (1.0 + float(np.abs(c).max()))
    for _ in range(20 * len(c) + 20):
        target, price = _on_support(c, H, support)
        negative = support & (target <= 0.0)
        if negative.any():
            ratio = v[negative] / np.maximum(v[negative] - target[negative], 1e-300)
            step = min(1.0, float(ratio.min()))
            v = np.maximum(v + step * (target - v), 0.0)
            gone = np.flatnonzero(negative)[ratio <= step]
            v[gone] = 0.0
            support[gone] = False
            continue
        v = target
        gain = np.where(support, -np.inf, c - H @ v - price)
        newcomer = int(np.argmax(gain))
        if gain[newcomer] <= scale:
            break
        support[newcomer] = True
    return v / v.sum()


def _on_support(c: Floats, H: Floats, support: NDArray[np.bool_]) -> tuple[Floats, float]:
    """The maximiser with sum 1 over the supported coordinates, and the price of that sum."""
    inside = np.flatnonzero(support)
    factor = cho_factor(H[np.ix_(inside, inside)], lower=True, check_finite=False)
    pull, ones = cho_solve(factor, np.column_stack([c[inside], np.ones(len(inside))])).T
    price = (pull.sum() - 1.0) / ones.sum()
    target = np.zeros(len(c))
    target[inside] = pull - price * ones
    return target, float(price)
