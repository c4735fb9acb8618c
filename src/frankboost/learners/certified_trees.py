"""Depth-3 trees with a proved bound: greedy trees first, then a search over all roots where these are not
enough."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Need
from frankboost.learners.nodes import Records, Sets, blank_nodes, joined
from frankboost.learners.tree import Forest, Tree, constant
from frankboost.native import TreeSearch
from frankboost.typing import Floats

DEPTH = 3
STRETCH = 2.0  # 1/theta of theorem 2: how far the bound may be above the known edges, in those of the answer
MOST = 2.0  # no bound that matters is above this


class CertifiedTrees:
    """The search, with a bound for every root from the last distribution that was searched.

    Between two distributions an edge changes by at most the sum of |u - u'|, so that the bounds of one
    search, raised by that, hold in the next.
    """

    def __init__(self, search: TreeSearch, columns: int, threads: int) -> None:
        self._search = search
        self._columns = columns
        self._threads = threads
        self._bounds = np.full(search.count_roots(), MOST)
        self._u: Floats | None = None

    def __call__(
        self, u: Floats, need: Need, kappa: float, stop: Callable[[], bool]
    ) -> tuple[list[Tree], float]:
        """Trees for signed weights u, best first, and what no tree of the class exceeds."""
        columns = self._columns
        forest = Forest(*self._search.deep_trees(u, DEPTH, columns, self._threads, stop))
        trees = self._sorted(forest.trees() or [leaf(u)], u)
        edge, total = self._edges(trees[:1], u)[0], float(np.abs(u).sum())
        if need.bound <= max(edge + kappa, need.close, need.known + STRETCH * (edge - need.known)):
            return trees, total
        moved = MOST if self._u is None else float(np.abs(u - self._u).sum())
        carried = np.minimum(self._bounds + moved, MOST)
        values, nodes, sets, bound, bounds = self._search.deep_roots(
            u, carried, edge, need.known, need.bound, need.close, kappa, STRETCH, self._threads, stop
        )
        self._bounds, self._u = bounds, u
        best = np.argsort(-values, kind="stable")[:columns]
        roots = [nodes[f : f + 1].copy() for f in best.tolist() if values[f] >= 0.0]
        found = [self._below(u, root, sets, stop) for root in roots]
        return self._sorted(found + trees, u)[:columns], min(bound, total)

    def _below(self, u: Floats, root: Records, sets: Sets, stop: Callable[[], bool]) -> Tree:
        """The best tree below a root."""
        left = self._left(root, sets)
        sides = [self._pair(np.where(side, u, 0.0), stop) for side in (left, ~left)]
        own = sets[root["set_index"]] if root["set_index"][0] >= 0 else sets[:0]
        root["set_index"] = len(own) - 1
        forest = Forest.of([Tree(root, own), *sides])
        nodes, (_, *links) = forest.nodes, forest.links()
        for name, child, below in zip(("left", "right"), links, forest.roots[1:], strict=True):
            nodes[name] = np.where(nodes["feature"] >= 0, child, -1)
            nodes[name][0] = below
        return Tree(nodes, forest.sets)

    def _left(self, root: Records, sets: Sets) -> NDArray[np.bool_]:
        """The rows that a root sends left: those for which its stump votes +1."""
        stump = joined([root, blank_nodes(2)])
        stump["left"][0], stump["right"][0] = 1, 2
        stump["value"][1:] = 1.0, -1.0
        [votes] = self._search.votes(stump, np.zeros(1, dtype=np.int64), sets, self._threads)
        left: NDArray[np.bool_] = votes > 0
        return left

    def _pair(self, u: Floats, stop: Callable[[], bool]) -> Tree:
        forest = Forest(*self._search.trees(u, 1, self._threads, stop))
        return next(iter(forest.trees()), leaf(u))

    def _edges(self, trees: list[Tree], u: Floats) -> Floats:
        forest = Forest.of(trees)
        votes = self._search.votes(forest.nodes, forest.roots, forest.sets, self._threads)
        return np.array([float((u * row).sum()) for row in votes])

    def _sorted(self, trees: list[Tree], u: Floats) -> list[Tree]:
        order = np.argsort(-self._edges(trees, u), kind="stable")
        return [trees[k] for k in order.tolist()]


def leaf(u: Floats) -> Tree:
    """The best tree without a split."""
    return constant(float(np.sign(u.sum())) or 1.0)
