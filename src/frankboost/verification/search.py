"""The largest edge over a declared class of trees, by exhaustive search.

With u_i = d_i y_i a leaf that holds the rows S pays |u(S)|, the absolute sum of u over S. A stump on S that
sends the rows A left pays |u(A)| + |u(S) - u(A)| = max(|u(S)|, |2 u(A) - u(S)|), so that of all the A of a
feature only the largest and the smallest u(A) matter. If A may be any set of categories, each of them pays
|u| on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from frankboost.typing import Floats

Groups = NDArray[np.intp]

# At most this many numbers in a table: 2 MB, so that it stays in a processor's cache.
TABLE_ENTRIES = 2**18
DEEPEST = 2
ALL_SUBSETS = 8  # categories up to which a root may send any of them left; beyond, one or none


@dataclass(frozen=True, eq=False)
class Feature:
    """The values of one feature, in groups that the thresholds tell alone.

    Cut k = 0, 1, ... sends the groups 0..k to the left. Rows whose value is missing are in group `groups`.
    If the groups are categories, a cut sends some of them left, or none but the missing rows.
    """

    group: Groups
    groups: int
    cuts: int
    categorical: bool = False


def largest_edge(
    X: Floats,
    u: Floats,
    thresholds: Sequence[Floats],
    max_depth: int,
    categories: Sequence[int] | None = None,
) -> float:
    """max over the trees h of depth <= max_depth of sum_i u_i h(x_i); max_depth is at most 2.

    A feature with a number of categories holds these, 0, 1, ...; one with 0 of them holds numbers.
    """
    if max_depth > DEEPEST:
        raise ValueError(f"max_depth must be at most {DEEPEST}; got {max_depth}")
    rows = np.flatnonzero(u)
    X, u = X[rows], u[rows]
    features = grouped_features(X, thresholds, [0] * X.shape[1] if categories is None else categories)
    edges = [abs(float(u.sum()))]
    if max_depth >= 1:
        edges += [float(_stump_edges(_profile(f, f.group, u)[None, :], f)[0]) for f in features]
    if max_depth == DEEPEST:
        edges += [
            _set_edge(feature, u, features)
            if feature.categorical
            else _split_edge(_Root.of(feature, u), features)
            for feature in features
        ]
    return max(edges)


def grouped_features(X: Floats, thresholds: Sequence[Floats], categories: Sequence[int]) -> list[Feature]:
    """The features that tell any two of the rows apart."""
    grouped = [
        _categories(values, count) if count else _grouped(values, cuts)
        for values, cuts, count in zip(X.T, thresholds, categories, strict=True)
    ]
    return [feature for feature in grouped if feature.cuts > 0]


def _categories(values: Floats, count: int) -> Feature:
    group = np.where(np.isnan(values), count, values).astype(np.intp)
    return Feature(group, count, count, categorical=True)


def _grouped(values: Floats, thresholds: Floats) -> Feature:
    missing = np.isnan(values)
    # value <= thresholds[t] if and only if cell <= t.
    cell = np.searchsorted(thresholds, values[~missing], side="left")
    cells, group = np.unique(cell, return_inverse=True)
    groups = len(cells)
    full = np.full(len(values), groups, dtype=np.intp)
    full[~missing] = group
    # A threshold outside of the values still tells the missing ones from all others.
    alone = groups > 0 and missing.any() and bool(cells[0] > 0 or cells[-1] < len(thresholds))
    return Feature(full, groups, groups if alone else max(groups - 1, 0))


def _profile(child: Feature, group: Groups, u: Floats) -> Floats:
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


def _stump_edges(profiles: Floats, child: Feature) -> Floats:
    """The best a stump (or one leaf) pays on each set: max(|u(S)|, max_A |2 u(A) - u(S)|)."""
    if child.categorical:
        each: Floats = np.abs(profiles).sum(axis=1)
        return each
    missing = profiles[:, -1]
    total = profiles[:, -2] + missing
    left = profiles[:, : child.cuts]
    high = left.max(axis=1) + np.maximum(missing, 0.0)
    low = left.min(axis=1) + np.minimum(missing, 0.0)
    best: Floats = np.maximum(np.abs(total), np.maximum(2.0 * high - total, total - 2.0 * low))
    return best


@dataclass(frozen=True, eq=False)
class _Root:
    """The rows in the order of the root's groups; group g begins at row starts[g]."""

    cuts: int
    order: Groups
    group: Groups
    u: Floats
    starts: Groups

    @classmethod
    def of(cls, feature: Feature, u: Floats) -> _Root:
        order = np.argsort(feature.group, kind="stable")
        group = feature.group[order]
        starts = np.searchsorted(group, np.arange(feature.groups + 1))
        return cls(feature.cuts, order, group, u[order], starts)


def _split_edge(root: _Root, features: Sequence[Feature]) -> float:
    """max over the cuts of the root and the side of its missing rows of what the two best stumps pay."""
    return float(reduce(np.maximum, (_split_pays(root, child) for child in features)).sum(axis=1).max())


def _split_pays(root: _Root, child: Feature) -> Floats:
    """What the left and the right stump on a child pay, for each side of the missing rows and each cut."""
    missing_from = int(root.starts[-1])
    sides = range(2 if missing_from < len(root.u) else 1)
    pay = np.zeros((len(sides), 2, root.cuts))
    group = child.group[root.order]
    whole = _profile(child, group, root.u)
    missing = _profile(child, group[missing_from:], root.u[missing_from:])
    for cuts, table in _left_profiles(root, child, group):
        for side in sides:
            left = table + missing if side == 1 else table
            pay[side, :, cuts] = _stump_edges(left, child), _stump_edges(whole - left, child)
    return pay


def _left_profiles(root: _Root, child: Feature, group: Groups) -> Iterator[tuple[slice, Floats]]:
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
    return float(reduce(np.maximum, (_set_pays(root, u, child) for child in features)).sum(axis=0).max())


def _set_pays(root: Feature, u: Floats, child: Feature) -> Floats:
    """What the left and the right stump on a child pay, for each set."""
    lefts = root_sets(root.groups)
    pay = np.zeros((2, len(lefts)))
    width = child.groups + 1
    cells = _sums(root.group * width + child.group, u, (root.groups + 1) * width)
    table = _accumulated(cells.reshape(-1, width), child)
    whole = table.sum(axis=0)
    step = max(TABLE_ENTRIES // width, 1)
    for first in range(0, len(lefts), step):
        some = slice(first, first + step)
        left = lefts[some] @ table
        pay[:, some] = _stump_edges(left, child), _stump_edges(whole - left, child)
    return pay


def edge_in_tables(kinds: Sequence[tuple[int, bool]], root: int, tables: Sequence[Floats]) -> float:
    """The largest edge of trees of depth 2 with a root feature, from sums of u by its cells and another's.

    `kinds` has for each feature its thresholds, or its categories and True. A feature of T thresholds has
    cells 0 .. T, one of C categories 0 .. C - 1, and then comes one for missing values. Of sums by cells the
    edges are those of the rows themselves: each cell is a row.
    """
    count, categorical = kinds[root]
    best: Floats | None = None
    for (child_count, is_set), table in zip(kinds, tables, strict=True):
        group, other = (each.ravel() for each in np.indices(table.shape))
        feature = Feature(group, table.shape[0] - 1, count, categorical)
        child = Feature(other, table.shape[1] - 1, child_count, is_set)
        if child.cuts == 0:
            continue
        u = table.ravel()
        pays = _set_pays(feature, u, child) if categorical else _split_pays(_Root.of(feature, u), child)
        best = pays if best is None else np.maximum(best, pays)
    return 0.0 if best is None or count == 0 else float(best.sum(axis=-2).max())


def stump_edge(kind: tuple[int, bool], sums: Floats) -> float:
    """The largest edge of stumps on a feature, and of single leaves, from sums of u by its cells."""
    feature = Feature(np.arange(len(sums)), len(sums) - 1, *kind)
    if feature.cuts == 0:
        return abs(float(sums.sum()))
    return float(_stump_edges(_profile(feature, feature.group, sums)[None, :], feature)[0])


def root_sets(categories: int) -> Floats:
    """What goes left, one row per set: 1 or 0 for each category, then for the missing rows."""
    if categories <= ALL_SUBSETS:
        sets = (np.arange(2**categories)[:, None] >> np.arange(categories) & 1).astype(np.float64)
    else:
        sets = np.vstack([np.zeros((1, categories)), np.eye(categories)])
    sides = np.repeat([0.0, 1.0], len(sets))[:, None]
    return np.hstack([np.vstack([sets, sets]), sides])
