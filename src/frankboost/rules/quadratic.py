"""Small convex quadratic programs, solved by native/quadratic.cpp: an active set with a warm start."""

from __future__ import annotations

import numpy as np

from frankboost import native
from frankboost.typing import Floats


def maximise_on_simplex(slope: Floats, H: Floats, start: Floats, pull: float = 1e-6) -> Floats:
    """argmax of slope.(v - start) - (v - start).H(v - start) / 2 over v >= 0, sum v = 1.

    Each pass solves the problem on the support. If a coordinate would turn negative, the pass stops where the
    first one does, and drops it. Otherwise it adds the coordinate with the largest gain to the support. Each
    pass ends at a better point of a new support, so that the passes end; a start near the answer needs few.

    H may be singular (fewer free rows than columns) and of single precision. `pull` times the mean diagonal
    entry is added to the diagonal, which pulls the answer towards the start. The pull vanishes if the answer
    is the start, so that Newton's method ends at the same point as without it.
    """
    v = _maximise(slope, H, start, pull, simplex=True)
    return v / float(v.sum())


def maximise_on_orthant(slope: Floats, H: Floats, start: Floats, pull: float = 1e-6) -> Floats:
    """Maximise the quadratic function over v >= 0."""
    return _maximise(slope, H, start, pull, simplex=False)


def _maximise(slope: Floats, H: Floats, start: Floats, pull: float, *, simplex: bool) -> Floats:
    least = max(1e-12, pull * float(np.trace(H)) / len(slope))
    # Columns that are added together may be nearly dependent; only a strong pull keeps their factor accurate.
    batch = 8 if pull >= 1e-7 and not simplex else 1
    return native.maximise_quadratic(H, slope, start, least, simplex, batch)
