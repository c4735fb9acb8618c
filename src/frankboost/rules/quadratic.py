"""A small convex quadratic program, by a warm-started active set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from frankboost import native

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
    v = native.maximise_quadratic(H + pull * np.eye(len(c)), c + pull * start, start, True)
    return v / float(v.sum())
