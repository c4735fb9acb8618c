"""The largest edge over a declared class of trees of depth 3, as far as a claim needs it.

With D(S) the most that a tree of depth 2 pays on the rows S, a root that sends S left and T right pays
D(S) + D(T). A row that changes sides changes either by at most its |u|. So what is known of two cuts of a
feature bounds all cuts between them, and those that cannot exceed the claim are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from frankboost.typing import Flags, Floats
from frankboost.verification.cells import Feature, grouped_features
from frankboost.verification.search import largest_edge, root_sets


@dataclass(frozen=True)
class _Known:
    """What both sides of a root pay, or at most pay, and the weight of its left side."""

    left: float
    right: float
    moved: float


def deep_edge(
    X: Floats, u: Floats, thresholds: Sequence[Floats], categories: Sequence[int], limit: float
) -> float:
    """No tree of depth 3 pays more; if it is above the limit, a tree pays it."""
    rows = np.flatnonzero(u)
    X, u = X[rows], u[rows]

    def pays(side: Flags) -> float:
        return largest_edge(X[side], u[side], thresholds, 2, categories)

    everything, total = pays(np.ones(len(u), dtype=bool)), float(np.abs(u).sum())
    ends = _Known(0.0, everything, 0.0), _Known(everything, 0.0, total)
    best = everything
    for feature in grouped_features(X, thresholds, categories):
        for left, moved in _roots(feature, np.abs(u)):
            todo = [(-1, len(left), *ends)]
            while todo:
                first, last, a, b = todo.pop()
                bounds = _between(moved[first + 1 : last], a, b)
                if bounds.size == 0 or bounds.max() <= limit:
                    best = max(best, min(limit, float(bounds.max(initial=0.0))))
                    continue
                at = first + 1 + int(bounds.argmax())
                here = _Known(pays(left[at]), pays(~left[at]), float(moved[at]))
                best = max(best, here.left + here.right)
                if best > limit:
                    return best
                todo += [(first, at, a, here), (at, last, here, b)]
    return best


def _between(moved: Floats, a: _Known, b: _Known) -> Floats:
    """What roots between two known ones pay at most."""
    from_a, from_b = moved - a.moved, b.moved - moved
    left = np.minimum(a.left + from_a, b.left + from_b)
    right = np.minimum(a.right + from_a, b.right + from_b)
    return left + right


def _roots(feature: Feature, mass: Floats) -> Iterator[tuple[Flags, Floats]]:
    """Roots on a feature in orders in which rows only ever move to the left: its cuts, or one set alone.

    Each with the rows that the roots send left, and the weight of these.
    """
    if feature.categorical:
        for goes in root_sets(feature.groups):
            left = goes[feature.group].astype(bool)[None, :]
            yield left, left @ mass
        return
    missing = feature.group == feature.groups
    cuts = feature.group <= np.arange(feature.cuts)[:, None]
    yield cuts, cuts @ mass
    if missing.any():
        yield cuts | missing, (cuts | missing) @ mass
