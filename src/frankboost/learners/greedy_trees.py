"""Trees grown from the root down: stumps, and trees deeper than 2."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.nodes import NO_SETS, Records, Sets, blank_nodes, joined
from frankboost.learners.tree import Tree
from frankboost.native import TreeSearch
from frankboost.typing import Floats


class _Splits(NamedTuple):
    """The best split of each feature: what it pays, and its record, which is a leaf's if there is none."""

    value: Floats
    nodes: Records
    sets: Sets


@dataclass(eq=False)
class _Nodes:
    """A tree under construction, parents before children; each node is an array of one record."""

    nodes: list[Records] = field(default_factory=list)
    sets: list[Sets] = field(default_factory=list)

    def add_leaf(self, sign: float) -> int:
        leaf = blank_nodes(1)
        leaf["value"] = sign
        self.nodes.append(leaf)
        return len(self.nodes) - 1

    def add_split(self, splits: _Splits, feature: int) -> int:
        split = splits.nodes[feature : feature + 1].copy()
        if split["set_index"] >= 0:
            self.sets.append(splits.sets[split["set_index"]])
            split["set_index"] = len(self.sets) - 1
        self.nodes.append(split)
        return len(self.nodes) - 1

    def tree(self) -> Tree:
        return Tree(joined(self.nodes), np.concatenate(self.sets) if self.sets else NO_SETS)


def constant(sign: float) -> Tree:
    """A tree that is a leaf."""
    nodes = _Nodes()
    nodes.add_leaf(sign)
    return nodes.tree()


@dataclass(frozen=True, eq=False)
class GreedyTrees:
    """Each upper split is the root of the best depth-2 tree of its rows; the two last levels are exact."""

    features: BinnedFeatures
    search: TreeSearch
    depth: int
    threads: int

    def __call__(self, u: Floats, columns: int) -> list[Tree]:
        """Trees for signed weights u, one for each of the features whose root pays most."""
        splits = self._splits(u, self.depth)
        best = np.argsort(-splits.value, kind="stable")[:columns]
        return [self._grow(u, splits, int(f)) for f in best]

    def _splits(self, u: Floats, depth: int) -> _Splits:
        search = self.search.stumps if depth == 1 else self.search.roots
        return _Splits(*search(u, self.threads))

    def _grow(self, u: Floats, splits: _Splits, feature: int) -> Tree:
        nodes = _Nodes()
        self._add(nodes, u, splits, feature, self.depth, sign=1.0)
        return nodes.tree()

    def _add(
        self, nodes: _Nodes, u: Floats, splits: _Splits, feature: int, depth: int, *, sign: float
    ) -> int:
        """Add a node for the rows where u is not zero, and all below it."""
        sign = _sign(u, sign)
        if splits.nodes["feature"][feature] < 0:
            return nodes.add_leaf(sign)
        k = nodes.add_split(splits, feature)
        left = self.features.goes_left(splits.nodes[feature], splits.sets)
        nodes.nodes[k]["left"] = self._child(nodes, np.where(left, u, 0.0), depth - 1, sign)
        nodes.nodes[k]["right"] = self._child(nodes, np.where(left, 0.0, u), depth - 1, sign)
        return k

    def _child(self, nodes: _Nodes, u: Floats, depth: int, sign: float) -> int:
        if depth == 0 or not u.any():
            return nodes.add_leaf(_sign(u, sign))
        splits = self._splits(u, depth)
        return self._add(nodes, u, splits, int(np.argmax(splits.value)), depth, sign=sign)


def _sign(u: Floats, parent: float) -> float:
    """What a leaf votes; one without weight votes as its parent would."""
    return float(np.sign(u.sum())) or parent
