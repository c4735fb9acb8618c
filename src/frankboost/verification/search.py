"""The largest edge over a declared class of trees, by exhaustive search.

With u_i = d_i y_i a leaf that holds the rows S pays |u(S)|, the absolute sum of u over S. A stump on S that
sends the rows A left pays |u(A)| + |u(S) - u(A)| = max(|u(S)|, |2 u(A) - u(S)|), so that of all the A of a
feature only the largest and the smallest u(A) matter. If A may be any set of categories, each of them pays
|u| on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from frankboost.constraints import Constraints
from frankboost.typing import Floats
from frankboost.verification.cells import Feature, Groups, grouped_features
from frankboost.verification.ordered_search import ordered_edge, pays_of_both, stump_pays

# At most this many numbers in a table: 2 MB, so that it stays in a processor's cache.
TABLE_ENTRIES = 2**18
DEEPEST = 2
ALL_SUBSETS = 8  # categories up to which a root may send any of them left; beyond, one or none


def largest_edge(
    X: Floats,
    u: Floats,
    thresholds: Sequence[Floats],
    max_depth: int,
    categories: Sequence[int] | None = None,
    *,
    constraints: Constraints | None = None,
) -> float:
    """max over the trees h of depth <= max_depth of sum_i u_i h(x_i); max_depth is at most 2.

    A feature with a number of categories holds these, 0, 1, ...; one with 0 of them holds numbers.
    """
    if max_depth > DEEPEST:
        raise ValueError(f"max_depth must be at most {DEEPEST}; got {max_depth}")
    rows = np.flatnonzero(u)
    X, u = X[rows], u[rows]
    counts = [0] * X.shape[1] if categories is None else categories
    features = grouped_features(X, thresholds, counts, constraints)
    edges = [abs(float(u.sum()))]
    if max_depth >= 1:
        edges += [float(stump_edges(profile(f, f.group, u)[None, :], f)[0]) for f in features]
    if max_depth == DEEPEST:
        for feature in features:
            below = [each for each in features if may_meet(constraints, feature, each)]
            pays = _set_edge if feature.categorical else _split_edge
            edges.append(pays(feature, u, below))
    return max(edges)


def may_meet(constraints: Constraints | None, root: Feature, child: Feature) -> bool:
    return constraints is None or constraints.together((root.number, child.number))


def profile(child: Feature, group: Groups, u: Floats) -> Floats:
    """For a set of rows S: u of S within the groups 0..k for each k, then u of S where it is missing.

    Of categories: within each one.
    """
    return _accumulated(_sums(group, u, child.groups + 1)[None, :], child).ravel()


def _accumulated(sums: Floats, child: Feature) -> Floats:
    """Profiles from sums of u by group, in place: one row per set."""
    if not child.categorical:
        np.cumsum(sums[:, :-1], axis=1, out=sums[:, :-1])
    return sums


def _sums(cell: Groups, u: Floats, cells: int) -> Floats:
    # Without rows bincount returns integers.
    return np.bincount(cell, weights=u, minlength=cells).astype(np.float64, copy=False)


def stump_edges(profiles: Floats, child: Feature) -> Floats:
    """The best a stump (or one leaf) pays on each set: max(|u(S)|, max_A |2 u(A) - u(S)|)."""
    if child.categorical:
        each: Floats = np.abs(profiles).sum(axis=1)
        return each
    if child.sign != 0:
        return stump_pays(profiles, child, tells_missing=child.present)
    missing = profiles[:, -1]
    total = profiles[:, -2] + missing
    left = profiles[:, : child.cuts]
    high = left.max(axis=1) + np.maximum(missing, 0.0)
    low = left.min(axis=1) + np.minimum(missing, 0.0)
    best: Floats = np.maximum(np.abs(total), np.maximum(2.0 * high - total, total - 2.0 * low))
    return best


@dataclass(frozen=True, eq=False)
class Root:
    """The rows in the order of the root's groups; group g begins at row starts[g]."""

    cuts: int
    order: Groups
    group: Groups
    u: Floats
    starts: Groups

    @classmethod
    def of(cls, feature: Feature, u: Floats) -> Root:
        order = np.argsort(feature.group, kind="stable")
        group = feature.group[order]
        starts = np.searchsorted(group, np.arange(feature.groups + 1))
        return cls(feature.cuts, order, group, u[order], starts)


def _split_edge(feature: Feature, u: Floats, features: Sequence[Feature]) -> float:
    """max over the cuts of the root and the side of its missing rows of what the two best stumps pay."""
    root = Root.of(feature, u)
    pays = reduce(np.maximum, (split_pays(root, child, feature) for child in features))
    return best_split(pays, feature, u)


def best_split(pays: Floats, feature: Feature, u: Floats) -> float:
    if feature.sign != 0:
        return ordered_edge(pays, feature, _sums(feature.group, u, feature.groups + 1))
    return float(pays.sum(axis=1).max())


def split_pays(root: Root, child: Feature, feature: Feature) -> Floats:
    """What the left and the right stump on a child pay, for each side of the missing rows and each cut.

    Below a feature along which votes have an order also what both pay if theirs are in order.
    """
    same = child.number == feature.number
    if same:  # the root's own threshold tells missing rows from the others of a side
        child = replace(child, present=True)
    missing_from = int(root.starts[-1])
    sides = range(2 if missing_from < len(root.u) else 1)
    pay = np.zeros((len(sides), 2 if feature.sign == 0 else 3, root.cuts))
    group = child.group[root.order]
    whole = profile(child, group, root.u)
    missing = profile(child, group[missing_from:], root.u[missing_from:])
    for cuts, table in left_profiles(root, child, group):
        for side in sides:
            left = table + missing if side == 1 else table
            pay[side, :2, cuts] = stump_edges(left, child), stump_edges(whole - left, child)
            if feature.sign != 0:
                in_order = -np.inf if same else pays_of_both(left, whole - left, child, feature.sign)
                pay[side, 2, cuts] = in_order
    return pay


def left_profiles(root: Root, child: Feature, group: Groups) -> Iterator[tuple[slice, Floats]]:
    """The profiles over the child of the rows left of each root cut, some cuts at a time."""
    width = child.groups + 1
    step = max(TABLE_ENTRIES // width, 1)
    before = np.zeros(width)
    for first in range(0, root.cuts, step):
        last = min(first + step, root.cuts)
        rows = slice(int(root.starts[first]), int(root.starts[last]))
        cell = (root.group[rows] - first) * width + group[rows]
        table = _sums(cell, root.u[rows], (last - first) * width).reshape(-1, width)
        table[0] += before
        np.cumsum(table, axis=0, out=table)
        before = table[-1].copy()
        yield slice(first, last), _accumulated(table, child)


def _set_edge(root: Feature, u: Floats, features: Sequence[Feature]) -> float:
    """max over the sets that a categorical root may send left of what the two best stumps pay."""
    return float(reduce(np.maximum, (set_pays(root, u, child) for child in features)).sum(axis=0).max())


def set_pays(root: Feature, u: Floats, child: Feature) -> Floats:
    """What the left and the right stump on a child pay, for each set."""
    lefts = root_sets(root.groups)
    pay = np.zeros((2, len(lefts)))
    table = set_profiles(root, u, child)
    whole = table.sum(axis=0)
    step = max(TABLE_ENTRIES // (child.groups + 1), 1)
    for first in range(0, len(lefts), step):
        some = slice(first, first + step)
        left = lefts[some] @ table
        pay[:, some] = stump_edges(left, child), stump_edges(whole - left, child)
    return pay


def set_profiles(root: Feature, u: Floats, child: Feature) -> Floats:
    """The profile over a child of each category of a root, and of its missing rows."""
    width = child.groups + 1
    cells = _sums(root.group * width + child.group, u, (root.groups + 1) * width)
    return _accumulated(cells.reshape(-1, width), child)


def root_sets(categories: int) -> Floats:
    """What goes left, one row per set: 1 or 0 for each category, then for the missing rows."""
    if categories <= ALL_SUBSETS:
        sets = (np.arange(2**categories)[:, None] >> np.arange(categories) & 1).astype(np.float64)
    else:
        sets = np.vstack([np.zeros((1, categories)), np.eye(categories)])
    sides = np.repeat([0.0, 1.0], len(sets))[:, None]
    return np.hstack([np.vstack([sets, sets]), sides])
