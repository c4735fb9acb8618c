"""Trees grown from the root down: stumps, and trees deeper than 2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.nodes import NO_SETS, Records, Sets, blank_nodes, joined
from frankboost.learners.tree import Tree
from frankboost.native import TreeSearch
from frankboost.typing import Floats, Indices


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


class _Branch(NamedTuple):
    """Rows that have no node yet, where in the tree it will hang, and how many levels it may have."""

    rows: Indices
    sign: float  # what its parent would vote
    parent: int
    side: Literal["left", "right"]
    depth: int


@dataclass(frozen=True, eq=False)
class GreedyTrees:
    """Each upper split is the root of the best depth-2 tree of its rows; the two last levels are exact."""

    features: BinnedFeatures
    search: TreeSearch
    depth: int
    threads: int

    def __call__(self, u: Floats, columns: int, stop: Callable[[], bool]) -> list[Tree]:
        """Trees for signed weights u, one for each of the features whose root pays most.

        Once stop() says yes, no more nodes are split and no more trees begun.
        """
        splits = self._splits(u, self.depth, stop)
        best = np.argsort(-splits.value, kind="stable")[:columns]
        trees = [self._grow(u, splits, int(best[0]), stop)]
        for f in best[1:]:
            if self.depth > 1 and stop():
                break
            trees.append(self._grow(u, splits, int(f), stop))
        return trees

    def _splits(self, u: Floats, depth: int, stop: Callable[[], bool]) -> _Splits:
        search = self.search.stumps if depth == 1 else self.search.roots
        return _Splits(*search(u, self.threads, stop))

    def _grow(self, u: Floats, splits: _Splits, feature: int, stop: Callable[[], bool]) -> Tree:
        """The tree with this split at its root; without recursion, so that it may be as deep as it likes."""
        nodes = _Nodes()
        branches = self._split(nodes, u, splits, feature, self.depth, sign=1.0)
        while branches:
            branch = branches.pop()
            own = np.zeros_like(u)
            own[branch.rows] = u[branch.rows]
            nodes.nodes[branch.parent][branch.side] = len(nodes.nodes)
            if branch.depth == 0 or not own.any() or stop():
                nodes.add_leaf(_sign(own, branch.sign))
                continue
            splits = self._splits(own, branch.depth, stop)
            best = int(np.argmax(splits.value))
            branches += self._split(nodes, own, splits, best, branch.depth, sign=branch.sign)
        return nodes.tree()

    def _split(
        self, nodes: _Nodes, u: Floats, splits: _Splits, feature: int, depth: int, *, sign: float
    ) -> list[_Branch]:
        """Add a node for the rows where u is not zero; its branches, the left one last."""
        sign = _sign(u, sign)
        if splits.nodes["feature"][feature] < 0:
            nodes.add_leaf(sign)
            return []
        k = nodes.add_split(splits, feature)
        left = self.features.goes_left(splits.nodes[feature], splits.sets)
        return [
            _Branch(np.flatnonzero(~left & (u != 0.0)), sign, k, "right", depth - 1),
            _Branch(np.flatnonzero(left & (u != 0.0)), sign, k, "left", depth - 1),
        ]


def _sign(u: Floats, parent: float) -> float:
    """What a leaf votes; one without weight votes as its parent would."""
    return float(np.sign(u.sum())) or parent
