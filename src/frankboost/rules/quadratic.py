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
    # Fewer free rows than columns make H singular. A faint pull towards the start mends that, and is gone
    # when the answer is the start, so that Newton's method has the same end as without it.
    pull = max(1e-12, 1e-10 * float(np.trace(H)) / len(c))
    H, c = H + pull * np.eye(len(c)), c + pull * start
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
    return np.asarray(v / v.sum())


def _on_support(c: Floats, H: Floats, support: NDArray[np.bool_]) -> tuple[Floats, float]:
    """The maximiser with sum 1 over the supported coordinates, and the price of that sum."""
    inside = np.flatnonzero(support)
    block, ones = H[np.ix_(inside, inside)], np.ones(len(inside))
    factor = cho_factor(block, lower=True, check_finite=False)
    spread = cho_solve(factor, ones)
    v, price = np.zeros(len(inside)), 0.0
    # The second pass repairs what the first loses where H is nearly singular.
    for _ in range(2):
        pull = cho_solve(factor, c[inside] - block @ v - price)
        change = (pull.sum() + v.sum() - 1.0) / spread.sum()
        v, price = v + pull - change * spread, price + change
    target = np.zeros(len(c))
    target[inside] = v
    return target, float(price)
