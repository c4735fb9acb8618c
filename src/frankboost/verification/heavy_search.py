"""The largest edge over trees each of whose leaves holds some weight of the rows, by exhaustive search.

Sums of u and of the rows' weights are made alike, for all splits of a root and all of a child. A split of the
class has two sides that weigh enough. At the last level, categories that weigh less, of the rows that are
there, are one: they go one way together, with missing values if these weigh less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from frankboost.constraints import Constraints
from frankboost.typing import Floats
from frankboost.verification.cells import Feature, grouped_features
from frankboost.verification.heavy_order import heavy_pairs
from frankboost.verification.search import AnyLeaves, edge_over
from frankboost.verification.tree_walk import Splits


def heavy_edge(X: Floats, u: Floats, weight: Floats, splits: Splits, constraints: Constraints) -> float:
    """max over the trees h of depth 1 or 2 of sum_i u_i h(x_i)."""
    features = grouped_features(X, splits.thresholds, splits.categories, constraints)
    return edge_over(features, (u, weight), splits.max_depth, constraints, HeavyLeaves(constraints.least))


@dataclass(frozen=True)
class HeavyLeaves(AnyLeaves):
    """Leaves that weigh enough; what would have others pays -infinity."""

    least: float

    def stumps(self, profiles: Sequence[Floats], child: Feature) -> Floats:
        of_kind = _category_stumps if child.categorical else _number_stumps
        weight = profiles[1]
        total = weight.sum(axis=1) if child.categorical else weight[:, -2:].sum(axis=1)
        return np.where(total >= self.least, of_kind(profiles, child, self.least), -np.inf)

    def leaf(self, side: Sequence[Floats], vote: int) -> Floats:
        (numbers, weight), (missing, mass) = ([each[:, at] for each in side] for at in (-2, -1))
        apart = (weight >= self.least) & (mass >= self.least)
        pays = vote * numbers + np.where(apart, np.abs(missing), vote * missing)
        return np.where(weight + mass >= self.least, pays, -np.inf)

    def in_order(self, left: Sequence[Floats], right: Sequence[Floats], child: Feature, sign: int) -> Floats:
        less, more = (left, right) if sign > 0 else (right, left)
        return heavy_pairs(less, more, child, self.least)


def _number_stumps(profiles: Sequence[Floats], child: Feature, least: float) -> Floats:
    u, weight = profiles
    sums, weights = (each[:, -2] + each[:, -1] for each in profiles)
    best = np.abs(sums)
    for side in (0.0, 1.0):  # of missing values
        left, mass = (each[:, : child.cuts] + side * each[:, -1:] for each in (u, weight))
        kept = (mass >= least) & (weights[:, None] - mass >= least)
        more = sums[:, None] - 2.0 * left  # of the right leaf than of the left one
        pays = np.where(kept, np.abs(more) if child.sign == 0 else child.sign * more, 0.0)
        best = np.maximum(best, pays.max(axis=1, initial=0.0))
    if child.sign != 0 and child.present:
        apart = np.minimum(weight[:, -2], weight[:, -1]) >= least
        best = np.maximum(best, np.where(apart, np.abs(u[:, -2] - u[:, -1]), 0.0))
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
