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
from frankboost.verification.ordered_search import pays_of_both, stump_pays

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
    counts = [0] * X.shape[1] if categories is None else categories
    features = grouped_features(X[rows], thresholds, counts, constraints)
    return edge_over(features, (u[rows],), max_depth, constraints, AnyLeaves())


def edge_over(
    features: Sequence[Feature],
    amounts: Sequence[Floats],
    max_depth: int,
    constraints: Constraints | None,
    leaves: AnyLeaves,
) -> float:
    """The largest edge of trees over features. The first of the amounts is u."""
    edges = [abs(float(amounts[0].sum()))]
    if max_depth >= 1:
        for f in features:
            edges.append(float(leaves.stumps([profile(f, f.group, each) for each in amounts], f)[0]))
    if max_depth == DEEPEST:
        for feature in features:
            root = Root.of(feature, amounts)
            below = [each for each in features if may_meet(constraints, feature, each)]
            pays = reduce(np.maximum, (root.pays(child, leaves) for child in below))
            edges.append(best_edge(pays, feature))
    return max(edges)


def may_meet(constraints: Constraints | None, root: Feature, child: Feature) -> bool:
    return constraints is None or constraints.together((root.number, child.number))


def profile(child: Feature, group: Groups, u: Floats) -> Floats:
    """For a set of rows S: u of S within the groups 0..k for each k, then u of S where it is missing.

    Of categories: within each one.
    """
    return _accumulated(_sums(group, u, child.groups + 1)[None, :], child)


def _accumulated(sums: Floats, child: Feature) -> Floats:
    """Profiles from sums of u by group, in place: one row per set."""
    if not child.categorical:
        np.cumsum(sums[:, :-1], axis=1, out=sums[:, :-1])
    return sums


def _sums(cell: Groups, u: Floats, cells: int) -> Floats:
    # Without rows bincount returns integers.
    return np.bincount(cell, weights=u, minlength=cells).astype(np.float64, copy=False)


class AnyLeaves:
    """What trees pay whose leaves may hold any rows; `heavy_search` has those that weigh enough.

    Profiles have one row per set of rows, and one array per amount, the first of which is u.
    """

    def stumps(self, profiles: Sequence[Floats], child: Feature) -> Floats:
        """The best that a stump or a leaf pays on each set S: max(|u(S)|, max_A |2 u(A) - u(S)|)."""
        [of_u] = profiles
        if child.categorical:
            each: Floats = np.abs(of_u).sum(axis=1)
            return each
        if child.sign != 0:
            return stump_pays(of_u, child, tells_missing=child.present)
        missing = of_u[:, -1]
        total = of_u[:, -2] + missing
        left = of_u[:, : child.cuts]
        high = left.max(axis=1) + np.maximum(missing, 0.0)
        low = left.min(axis=1) + np.minimum(missing, 0.0)
        best: Floats = np.maximum(np.abs(total), np.maximum(2.0 * high - total, total - 2.0 * low))
        return best

    def leaf(self, side: Sequence[Floats], vote: int) -> Floats:
        """What a side pays whose numbers all have this vote, and whose missing values vote as is best."""
        return vote * side[0][:, -2] + np.abs(side[0][:, -1])

    def in_order(self, left: Sequence[Floats], right: Sequence[Floats], child: Feature, sign: int) -> Floats:
        """What stumps on one feature pay on both sides of a root, if their votes are in its order."""
        return pays_of_both(left[0], right[0], child, sign)


@dataclass(frozen=True, eq=False)
class Root:
    """The rows in the order of a root's groups, and amounts of theirs; group g begins at row starts[g].

    Its splits are its cuts, with the missing rows on the right and then, if there are some, on the left; or
    sets of categories.
    """

    feature: Feature
    order: Groups
    group: Groups
    starts: Sequence[int]
    amounts: Sequence[Floats]

    @classmethod
    def of(cls, feature: Feature, amounts: Sequence[Floats]) -> Root:
        order = np.argsort(feature.group, kind="stable")
        group = feature.group[order]
        starts = np.searchsorted(group, np.arange(feature.groups + 2)).tolist()
        return cls(feature, order, group, starts, [each[order] for each in amounts])

    def pays(self, child: Feature, leaves: AnyLeaves) -> Floats:
        """What the left and the right stump on a child pay, one column per split.

        Below a feature along which votes have an order also what keeps to it where a free choice of stumps
        would not: a leaf on the left, a leaf on the right, and stumps on one other feature in order.
        """
        root = self.feature
        # The root's own threshold tells missing rows from the others of a side.
        if child.number == root.number:
            child = replace(child, present=True)
        sets = len(root_sets(root.groups)) if root.categorical else root.cuts * (1 + self._has_missing)
        pay = np.full((2 if root.sign == 0 else 5, sets), -np.inf)
        wholes = [profile(child, child.group[self.order], each) for each in self.amounts]
        for found in zip(*(self._lefts(child, each) for each in self.amounts), strict=True):
            some, left = found[0][0], [each for _, each in found]
            right = [whole - each for whole, each in zip(wholes, left, strict=True)]
            pay[:2, some] = leaves.stumps(left, child), leaves.stumps(right, child)
            if root.sign != 0 and child.number == root.number:
                pay[2:4, some] = leaves.leaf(left, -root.sign), leaves.leaf(right, root.sign)
            elif root.sign != 0:
                pay[4, some] = leaves.in_order(left, right, child, root.sign)
            del found, left, right  # so that the next tables take their place in memory
        return pay

    @property
    def _has_missing(self) -> bool:
        return self.starts[-2] < self.starts[-1]

    def _lefts(self, child: Feature, amount: Floats) -> Iterator[tuple[slice, Floats]]:
        """The profiles over a child of the rows on the left of splits, some splits at a time."""
        step, root = max(TABLE_ENTRIES // (child.groups + 1), 1), self.feature
        if root.categorical:
            table = _accumulated(self._table(0, root.groups + 1, child, amount), child)
            sets = root_sets(root.groups)
            for first in range(0, len(sets), step):
                yield slice(first, first + step), sets[first : first + step] @ table
            return
        missing = _accumulated(self._table(root.groups, root.groups + 1, child, amount), child)
        before = np.zeros(child.groups + 1)
        for first in range(0, root.cuts, step):
            last = min(first + step, root.cuts)
            table = self._table(first, last, child, amount)
            table[0] += before
            np.cumsum(table, axis=0, out=table)
            before = table[-1].copy()
            left = _accumulated(table, child)
            yield slice(first, last), left
            if self._has_missing:
                yield slice(root.cuts + first, root.cuts + last), left + missing

    def _table(self, first: int, last: int, child: Feature, amount: Floats) -> Floats:
        """The sums of an amount by groups of the root, from one up to another, and groups of a child."""
        rows, width = slice(self.starts[first], self.starts[last]), child.groups + 1
        cell = (self.group[rows] - first) * width + child.group[self.order[rows]]
        return _sums(cell, amount[rows], (last - first) * width).reshape(-1, width)


def best_edge(pays: Floats, root: Feature) -> float:
    """The largest edge of trees below the splits of a root, from what the best children pay."""
    left, right, *ordered = pays
    edges = left + right
    if ordered:
        leaf_left, leaf_right, both = ordered
        in_order = np.maximum(np.maximum(leaf_left + right, left + leaf_right), both)
        # The last threshold may tell missing values from numbers, which have no order.
        apart = (np.arange(len(edges)) % root.cuts == root.cuts - 1) & root.present
        edges = np.where(apart, edges, in_order)
    return float(edges.max(initial=-np.inf))


def root_sets(categories: int) -> Floats:
    """What goes left, one row per set: 1 or 0 for each category, then for the missing rows."""
    if categories <= ALL_SUBSETS:
        sets = (np.arange(2**categories)[:, None] >> np.arange(categories) & 1).astype(np.float64)
    else:
        sets = np.vstack([np.zeros((1, categories)), np.eye(categories)])
    sides = np.repeat([0.0, 1.0], len(sets))[:, None]
    return np.hstack([np.vstack([sets, sets]), sides])
