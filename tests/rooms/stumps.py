"""Columns of -1 and 1 as stumps over features of two values, for rooms whose columns are trees'."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.nodes import NO_SETS
from frankboost.learners.tree import Tree
from frankboost.learners.tree_class import TreeClass
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local_parts import TreePart
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.questions import PartsHere, added
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeRows, TreeTables
from records import records

ENDS = [1, 25]  # where parts of the rows begin


class GivenStumps(TreeTables):
    """The stump that votes as its feature does, one for each, by their edges; no others."""

    def __init__(self, hypothesis_class, features, parts, *, columns):
        super().__init__(hypothesis_class, features, parts, columns=columns)
        self._stumps = [stump(f) for f in range(len(features.bins))]

    def _trees(self, number, stop):
        sums, _ = added(self._parts.ask(TreeRows.feature_sums, number))
        below, above, _ = sums.reshape(-1, 3).T  # the last is of missing values
        best = np.argsort(below - above, kind="stable")
        return [self._stumps[f] for f in best[: self._columns]]


def stump(f):
    """-1 where a feature is -1, and 1 where it is 1."""
    nodes = records(
        feature=[f, -1, -1],
        threshold=[0.0, np.nan, np.nan],
        last_bin=[0, -1, -1],
        left=[1, -1, -1],
        right=[2, -1, -1],
        value=[0.0, -1.0, 1.0],
    )
    return Tree(nodes, NO_SETS)


def cut(features, y, weight, ends, kind=TreePart):
    """Parts of the rows that begin there."""
    return [
        kind(
            Examples(
                replace(features, codes=np.ascontiguousarray(features.codes[:, a:b])),
                BinaryMargins(y[a:b]),
                weight[a:b],
            ),
            a,
        )
        for a, b in pairwise([0, *ends, len(y)])
    ]


def in_parts(H, y, weight, *, nu, tol, columns, ends=ENDS):
    """A room over parts in this process."""
    features = BinnedFeatures.from_rows(H.astype(np.float64), weight, 1)
    here = PartsHere(cut(features, y, weight, ends))
    kind = TreeClass(1, features.thresholds, features.categories, features.all_thresholds)
    return Room(here, GivenStumps(kind, features, here, columns=columns), nu=nu, tol=tol)
