"""The largest edge over trees each of whose leaves holds some weight of the rows, by exhaustive search.

Sums of u and of the rows' weights are made alike, for all splits of a root and all of a child. A split of the
class has two sides that weigh enough. At the last level, categories that weigh less, of the rows that are
there, are one: they go one way together, with missing values if these weigh less.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

import numpy as np

from frankboost.constraints import Constraints
from frankboost.typing import Floats
from frankboost.verification.cells import Feature, grouped_features
from frankboost.verification.heavy_order import Two, heavy_pairs, leaf_pays
from frankboost.verification.search import (
    DEEPEST,
    Root,
    left_profiles,
    may_meet,
    profile,
    root_sets,
    set_profiles,
)
from frankboost.verification.tree_walk import Splits


def heavy_edge(
    X: Floats,
    u: Floats,
    weight: Floats,
    splits: Splits,
    constraints: Constraints,
) -> float:
    """max over the trees h of depth 1 or 2 of sum_i u_i h(x_i)."""
    least = constraints.least
    features = grouped_features(X, splits.thresholds, splits.categories, constraints)
    edges = [abs(float(u.sum()))]
    for f in features:
        whole = (profile(f, f.group, u)[None, :], profile(f, f.group, weight)[None, :])
        edges.append(float(heavy_stumps(whole, f, least)[0]))
    if splits.max_depth == DEEPEST:
        for root in features:
            below = [each for each in features if may_meet(constraints, root, each)]
            pays = reduce(np.maximum, (_pays(root, child, (u, weight), least) for child in below))
            edges.append(float(_tree_pays(root, pays).max(initial=-np.inf)))
    return max(edges)


def heavy_stumps(profiles: Two, child: Feature, least: float) -> Floats:
    """The best that a stump or a leaf pays on each set of rows; -infinity on those that weigh too little."""
    of_kind = _category_stumps if child.categorical else _number_stumps
    total = profiles[1].sum(axis=1) if child.categorical else profiles[1][:, -2:].sum(axis=1)
    return np.where(total >= least, of_kind(profiles, child, least), -np.inf)


def _number_stumps(profiles: Two, child: Feature, least: float) -> Floats:
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


def _category_stumps(profiles: Two, child: Feature, least: float) -> Floats:
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


def _pays(root: Feature, child: Feature, amounts: Two, least: float) -> Floats:
    """What the left and the right stump on a child pay below each split of a root.

    Where votes have an order along the root, then what a left and a right leaf pay, and children in order.
    """
    same = child.number == root.number
    if same and root.sign != 0:  # the root's own threshold tells missing rows from the others of a side
        child = replace(child, present=True)
    wholes = [profile(child, child.group, each)[None, :] for each in amounts]
    found = []
    for lefts in _lefts(root, child, amounts):
        rights = (whole - left for whole, left in zip(wholes, lefts, strict=True))
        both = (lefts[0], lefts[1]), (next(rights), next(rights))
        sides = [heavy_stumps(each, child, least) for each in both]
        if root.sign != 0:
            none = np.full(len(sides[0]), -np.inf)
            less, more = both if root.sign > 0 else (both[1], both[0])
            leaves = (
                leaf_pays(each, s, least) for each, s in zip(both, (-root.sign, root.sign), strict=True)
            )
            sides += [*leaves, none] if same else [none, none, heavy_pairs(less, more, child, least)]
        found.append(np.array(sides))
    return np.hstack(found[::2] + found[1::2])  # first missing values on the right, then on the left


def _tree_pays(root: Feature, pays: Floats) -> Floats:
    """What the best trees pay below each split of a root."""
    left, right, *ordered = pays
    if not ordered:
        best: Floats = left + right
        return best
    leaf_left, leaf_right, both = ordered
    best = np.maximum(np.maximum(leaf_left + right, left + leaf_right), both)
    free = (np.arange(len(best)) % root.cuts == root.cuts - 1) & root.present
    return np.where(free, left + right, best)


def _lefts(root: Feature, child: Feature, amounts: Two) -> Iterator[tuple[Floats, ...]]:
    """The profiles over a child of what splits of a root send left, some splits at a time."""
    if root.categorical:
        sets = root_sets(root.groups)
        yield tuple(sets @ set_profiles(root, each, child) for each in amounts)
        return
    roots = [Root.of(root, each) for each in amounts]
    order, first = roots[0].order, int(roots[0].starts[-1])
    group = child.group[order]
    missing = [profile(child, group[first:], each.u[first:]) for each in roots]
    tables = (left_profiles(each, child, group) for each in roots)
    for (_, one), (_, other) in zip(*tables, strict=True):
        yield one, other
        yield one + missing[0], other + missing[1]
