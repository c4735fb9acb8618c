"""Depth-3 trees with a proved bound: greedy trees first, and a branch and bound over all roots if the round
needs more."""

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
STRETCH = 2.0  # 1/theta of theorem 2: the bound may exceed `Need.known` by this times what the edge does
TRIVIAL_BOUND = 2.0  # bounds are cut to this, as edges are at most 1


class CertifiedTrees:
    """The search on demand for depth-3 trees; it keeps an upper bound for every root from call to call.

    An edge changes by at most the sum of |u - u'| between weights u and u', so that the bounds of one call,
    raised by that sum, hold in the next.
    """

    def __init__(self, search: TreeSearch, columns: int, threads: int) -> None:
        self._search = search
        self._columns = columns
        self._threads = threads
        self._bounds = np.full(search.count_roots(), TRIVIAL_BOUND)
        self._u: Floats | None = None

    def __call__(
        self, u: Floats, need: Need, kappa: float, stop: Callable[[], bool]
    ) -> tuple[list[Tree], float]:
        """Trees for signed weights u, best first, and an upper bound on every edge of the class."""
        columns = self._columns
        forest = Forest(*self._search.deep_trees(u, DEPTH, columns, self._threads, stop))
        trees = self._best_first(forest.trees() or [leaf(u)], u)
        edge, total = self._edges(trees[:1], u)[0], float(np.abs(u).sum())
        if need.bound <= max(edge + kappa, need.close, need.known + STRETCH * (edge - need.known)):
            return trees, total
        moved = TRIVIAL_BOUND if self._u is None else float(np.abs(u - self._u).sum())
        carried = np.minimum(self._bounds + moved, TRIVIAL_BOUND)
        values, nodes, sets, bound, bounds = self._search.deep_roots(
            u, carried, edge, need.known, need.bound, need.close, kappa, STRETCH, self._threads, stop
        )
        self._bounds, self._u = bounds, u
        best = np.argsort(-values, kind="stable")[:columns]
        roots = [nodes[f : f + 1].copy() for f in best.tolist() if values[f] >= 0.0]
        found = [self._grow_below(u, root, sets, stop) for root in roots]
        return self._best_first(found + trees, u)[:columns], min(bound, total)

    def _grow_below(self, u: Floats, root: Records, sets: Sets, stop: Callable[[], bool]) -> Tree:
        """The best tree below a root."""
        left = self._rows_left_of(root, sets)
        sides = [self._depth_2_tree(np.where(side, u, 0.0), stop) for side in (left, ~left)]
        own = sets[root["set_index"]] if root["set_index"][0] >= 0 else sets[:0]
        root["set_index"] = len(own) - 1
        forest = Forest.of([Tree(root, own), *sides])
        nodes, (_, *links) = forest.nodes, forest.links()
        for name, child, below in zip(("left", "right"), links, forest.roots[1:], strict=True):
            nodes[name] = np.where(nodes["feature"] >= 0, child, -1)
            nodes[name][0] = below
        return Tree(nodes, forest.sets)

    def _rows_left_of(self, root: Records, sets: Sets) -> NDArray[np.bool_]:
        """The rows that a root sends left: those for which its stump votes +1."""
        stump = joined([root, blank_nodes(2)])
        stump["left"][0], stump["right"][0] = 1, 2
        stump["value"][1:] = 1.0, -1.0
        [votes] = self._search.votes(stump, np.zeros(1, dtype=np.int64), sets, self._threads)
        left: NDArray[np.bool_] = votes > 0
        return left

    def _depth_2_tree(self, u: Floats, stop: Callable[[], bool]) -> Tree:
        """The best tree of depth 2."""
        forest = Forest(*self._search.trees(u, 1, self._threads, stop))
        return next(iter(forest.trees()), leaf(u))

    def _edges(self, trees: list[Tree], u: Floats) -> Floats:
        forest = Forest.of(trees)
        votes = self._search.votes(forest.nodes, forest.roots, forest.sets, self._threads)
        return np.array([float((u * row).sum()) for row in votes])

    def _best_first(self, trees: list[Tree], u: Floats) -> list[Tree]:
        order = np.argsort(-self._edges(trees, u), kind="stable")
        return [trees[k] for k in order.tolist()]


def leaf(u: Floats) -> Tree:
    """The better one of the two trees without a split."""
    return constant(float(np.sign(u.sum())) or 1.0)
