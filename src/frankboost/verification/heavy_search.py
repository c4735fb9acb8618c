"""The largest edge over trees each of whose leaves holds some weight of the rows, by exhaustive search.

Sums of u and of the rows' weights are made alike, for all splits of a root and all of a child. A split of the
class has two sides that weigh enough. At the last level, categories that weigh less, of the rows that are
there, are one: they go one way together, with missing values if these weigh less.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from frankboost.constraints import Constraints
from frankboost.typing import Floats
from frankboost.verification.cells import Feature, grouped_features
from frankboost.verification.search import edge_over
from frankboost.verification.tree_walk import Splits


def heavy_edge(X: Floats, u: Floats, weight: Floats, splits: Splits, constraints: Constraints) -> float:
    """max over the trees h of depth 1 or 2 of sum_i u_i h(x_i)."""
    features = grouped_features(X, splits.thresholds, splits.categories)
    stumps = partial(heavy_stumps, least=constraints.least)
    return edge_over(features, (u, weight), splits.max_depth, constraints, stumps)


def heavy_stumps(profiles: Sequence[Floats], child: Feature, least: float) -> Floats:
    """The best that a stump or a leaf pays on each set of rows; -infinity on those that weigh too little."""
    of_kind = _category_stumps if child.categorical else _number_stumps
    total = profiles[1].sum(axis=1) if child.categorical else profiles[1][:, -2:].sum(axis=1)
    return np.where(total >= least, of_kind(profiles, child, least), -np.inf)


def _number_stumps(profiles: Sequence[Floats], child: Feature, least: float) -> Floats:
    u, weight = profiles
    sums, weights = (each[:, -2] + each[:, -1] for each in profiles)
    best = np.abs(sums)
    for side in (0.0, 1.0):  # of missing values
        left, mass = (each[:, : child.cuts] + side * each[:, -1:] for each in (u, weight))
        kept = (mass >= least) & (weights[:, None] - mass >= least)
        pays = np.where(kept, np.abs(2.0 * left - sums[:, None]), 0.0)
        best = np.maximum(best, pays.max(axis=1, initial=0.0))
    return best


def _category_stumps(profiles: Sequence[Floats], child: Feature, least: float) -> Floats:
    """Each heavy category goes where it pays, and the light ones together.

    If these are alone on a side, and too light for a leaf, the heavy category that loses least joins them.
    """
    u, weight = profiles
    heavy = weight >= least
    light, mass = (np.where(heavy, 0.0, each).sum(axis=1) for each in (u, weight))
    free = np.where(heavy, np.abs(u), 0.0).sum(axis=1) + np.abs(light)
    leaf = np.abs(u.sum(axis=1))
    side = np.where(light > 0.0, 1.0, -1.0)[:, None]
    alone = ~(heavy & (np.where(u > 0.0, 1.0, -1.0) == side)).any(axis=1) & (mass < least)
    loss = np.where(heavy, np.abs(u), np.inf).min(axis=1)
    joined = np.where(heavy.sum(axis=1) > 1, free - 2.0 * loss, -np.inf)
    best: Floats = np.maximum(leaf, np.where(alone, joined, free))
    return best
