"""Small convex quadratic programs, by a warm-started active set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from frankboost import native

Floats = NDArray[np.float64]


def maximise_on_simplex(slope: Floats, H: Floats, start: Floats) -> Floats:
    """argmax of slope.(v - start) - (v - start).H(v - start) / 2 over v >= 0, sum v = 1.

    Solve on the support; step back to the first coordinate that would turn negative and drop it; when
    none does, bring in the coordinate with the largest gain. Each pass ends at a better point of a new
    support, so it stops; started near the answer it needs few passes.
    """
    v = _maximise(slope, H, start, simplex=True)
    return v / float(v.sum())


def maximise_on_orthant(slope: Floats, H: Floats, start: Floats) -> Floats:
    """The same over v >= 0 alone."""
    return _maximise(slope, H, start, simplex=False)


def _maximise(slope: Floats, H: Floats, start: Floats, *, simplex: bool) -> Floats:
    # Fewer free rows than columns make H singular. A faint pull towards the start mends that, and is gone
    # when the answer is the start, so that Newton's method has the same end as without it.
    pull = max(1e-12, 1e-10 * float(np.trace(H)) / len(slope))
    H = H + pull * np.eye(len(slope))
    return native.maximise_quadratic(H, slope + H @ start, start, simplex)
