"""The largest edge over a declared class of trees, from sums of u by the cells of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from frankboost.constraints import Constraints
from frankboost.typing import Floats
from frankboost.verification.cells import Feature, Groups
from frankboost.verification.search import (
    Root,
    best_split,
    may_meet,
    profile,
    set_pays,
    split_pays,
    stump_edges,
)


@dataclass(frozen=True)
class Kind:
    """A feature by the number of its thresholds or categories."""

    count: int
    categorical: bool = False
    sign: int = 0
    present: bool = False

    @property
    def cells(self) -> int:
        """Of its values, and one for missing ones."""
        return self.count + (1 if self.categorical else 2)

    def feature(self, group: Groups, number: int) -> Feature:
        """Of rows in cells."""
        return Feature(group, self.cells - 1, self.count, self.categorical, number, self.sign, self.present)


def edge_in_tables(
    kinds: Sequence[Kind], root: int, tables: Sequence[Floats], constraints: Constraints | None = None
) -> float:
    """The largest edge of trees of depth 2 with a root feature, from sums of u by its cells and another's.

    A feature of T thresholds has cells 0 .. T, one of C categories 0 .. C - 1, and then comes one for missing
    values. Of sums by cells the edges are those of the rows themselves: each cell is a row.
    """
    best: Floats | None = None
    for number, (kind, table) in enumerate(zip(kinds, tables, strict=True)):
        group, other = (each.ravel() for each in np.indices(table.shape))
        feature, child = kinds[root].feature(group, root), kind.feature(other, number)
        if child.cuts == 0 or not may_meet(constraints, feature, child):
            continue
        u = table.ravel()
        if feature.categorical:
            pays = set_pays(feature, u, child)
        else:
            pays = split_pays(Root.of(feature, u), child, feature)
        best = pays if best is None else np.maximum(best, pays)
    if best is None or kinds[root].count == 0:
        return 0.0
    if kinds[root].categorical:
        return float(best.sum(axis=0).max())
    rows = tables[root].sum(axis=1)
    return best_split(best, kinds[root].feature(np.arange(len(rows)), root), rows)


def stump_edge(kind: Kind, sums: Floats) -> float:
    """The largest edge of stumps on a feature, and of single leaves, from sums of u by its cells."""
    feature = kind.feature(np.arange(len(sums)), 0)
    if feature.cuts == 0:
        return abs(float(sums.sum()))
    return float(stump_edges(profile(feature, feature.group, sums)[None, :], feature)[0])
