"""Small convex quadratic programs, by a warm-started active set."""

from __future__ import annotations

import numpy as np

from frankboost import native
from frankboost.typing import Floats


def maximise_on_simplex(slope: Floats, H: Floats, start: Floats, pull: float = 1e-6) -> Floats:
    """argmax of slope.(v - start) - (v - start).H(v - start) / 2 over v >= 0, sum v = 1.

    Solve on the support; step back to the first coordinate that would turn negative and drop it; when
    none does, bring in the coordinate with the largest gain. Each pass ends at a better point of a new
    support, so it stops; started near the answer it needs few passes.

    H may be singular (fewer free rows than columns) and of single precision. `pull`, a share of its mean
    diagonal entry, is added to its diagonal as a pull towards the start: it is gone when the answer is the
    start, so that Newton's method has the same end as without it.
    """
    v = _maximise(slope, H, start, pull, simplex=True)
    return v / float(v.sum())


def maximise_on_orthant(slope: Floats, H: Floats, start: Floats, pull: float = 1e-6) -> Floats:
    """Maximise the quadratic function over v >= 0."""
    return _maximise(slope, H, start, pull, simplex=False)


def _maximise(slope: Floats, H: Floats, start: Floats, pull: float, *, simplex: bool) -> Floats:
    least = max(1e-12, pull * float(np.trace(H)) / len(slope))
    # Coordinates that come in together may nearly cancel; only a strong pull keeps their factor accurate.
    batch = 8 if pull >= 1e-7 and not simplex else 1
    return native.maximise_quadratic(H, slope, start, least, simplex, batch)
