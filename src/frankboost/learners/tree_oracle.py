"""The oracle of `BestTree`: it chooses the search for a class of trees, and cleans up what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.grid import exact_sum, power_above, weight_shares
from frankboost.learners.base import Answer, Need, Oracle
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.certified_trees import DEPTH, CertifiedTrees, leaf
from frankboost.learners.fine_trees import FineTrees, is_fine
from frankboost.learners.tree import Forest, Tree
from frankboost.learners.tree_class import DEEPEST, TreeClass
from frankboost.learners.wide_trees import WideTrees, is_wide
from frankboost.typing import Floats

NEGLIGIBLE = 1e-6  # a leaf with less than this share of all sample weight counts as empty
PAIR_DEPTH = 2  # trees of up to this depth are sums of functions of two features
MOST_COLUMNS = 2**31 - 1  # the largest number of trees that the kernels take

OnDemand = Callable[[Floats, Need, float, Callable[[], bool]], tuple[list[Tree], float]]
"""A search that may end as soon as its trees or its bound are what the round needs, see `Need`. Its arguments
are u, the need, kappa and stop; it returns trees, best first, and a bound. It does not support signs."""


class TreeOracle(Oracle):
    """BestTree, prepared for one training set."""

    hypothesis_class: TreeClass

    def __init__(
        self,
        hypothesis_class: TreeClass,
        features: BinnedFeatures,
        y: Floats,
        sample_weight: Floats,
        *,
        columns: int,
        threads: int,
    ) -> None:
        self.hypothesis_class = hypothesis_class
        self.exact = hypothesis_class.exact or hypothesis_class.max_depth <= DEEPEST
        self._search = features.search()
        self._columns = min(columns, MOST_COLUMNS)
        self._threads = threads
        self._least = 0.0 if features.constraints is None else features.constraints.least
        self._on_demand = self._search_on_demand(features)
        self.drives = isinstance(self._on_demand, FineTrees)
        if self._least:
            # Sums of shares are exact, so that every order of the rows decides alike which leaves are heavy.
            whole = power_above(exact_sum(sample_weight))
            self._least, self._shares = self._least / whole, weight_shares(sample_weight, whole)
            self._leaves = self._search.leaf_weights(self._search.cells(self._shares), self._least)
        # With weights this different some leaves weigh next to nothing. They get the votes of their parents,
        # but not if features have signs, which these votes might violate.
        prior = sample_weight / sample_weight.sum()
        self._lopsided = bool(prior.min() < NEGLIGIBLE / len(y)) and not features.signs.any()
        self._priors = (prior, prior * y) if self._lopsided else ()

    def _search_on_demand(self, features: BinnedFeatures) -> OnDemand | None:
        """The search on demand for this class, if a search over all its trees takes long; else None."""
        free, columns, threads = features.constraints is None, self._columns, self._threads
        if self.hypothesis_class.exact:
            return CertifiedTrees(self._search, columns, threads)
        if self.hypothesis_class.max_depth != DEEPEST:
            return None
        if is_wide(features.bins, features.codes.shape[1]) and free:
            return partial(WideTrees(columns, threads), self._search)
        if is_fine(features.bins) and not features.signs.any() and not self._least:
            return FineTrees(self._search, columns, threads)
        return None

    def __call__(self, u: Floats, /) -> Answer:
        """The trees of largest edge, best first, see `BestTree`."""
        stop = RememberedStop(self.stop)
        if self._on_demand is not None:
            trees, bound = self._on_demand(u, self.need, self.kappa, stop)
            return Answer(self._pruned(trees, u), bound)
        trees = self._trees(u, stop)
        if not self._lopsided and not stop.stopped:
            return Answer(trees)
        # The bound is the edge of the best tree before its leaves were changed. A search that was stopped has
        # the trivial bound.
        best = np.abs(u) if stop.stopped else u * self._votes(Forest.of(trees[:1]))[0]
        return Answer(self._pruned(trees, u), float(best.sum()))

    def _trees(self, u: Floats, stop: Callable[[], bool]) -> list[Tree]:
        """The trees that the native search finds, best first."""
        search, depth = self._search, self.hypothesis_class.max_depth
        if self._least and depth <= DEEPEST:
            cells = search.cells(u)
            found = search.heavy_trees(cells, self._leaves, depth, self._columns, self._threads, stop)
        elif depth == 1:
            found = search.stump_trees(u, self._columns, self._threads, stop)
        elif depth == 2:
            found = search.trees(u, self._columns, self._threads, stop)
        else:
            # No path is longer than there are rows, and no number that the kernel takes is larger.
            levels = min(depth, max(len(u), 3))
            found = search.deep_trees(u, levels, self._columns, self._threads, stop)
        trees = Forest(*found).trees() or [leaf(u)]
        if not self._least or depth <= DEEPEST:
            return trees
        return [self._with_heavy_leaves(tree, u) for tree in trees]

    def _with_heavy_leaves(self, tree: Tree, u: Floats) -> Tree:
        """The tree without the splits that have a side of too little weight."""
        forest = Forest.of([tree])
        weight, sums = self._node_sums(forest, self._shares), self._node_sums(forest, u)
        light = np.minimum(weight[tree.left], weight[tree.right]) < self._least
        return tree.with_leaves_at((tree.feature >= 0) & light, np.where(sums > 0.0, 1.0, -1.0))

    def _pruned(self, trees: list[Tree], u: Floats) -> list[Tree]:
        return [self._without_weightless_leaves(tree, u) for tree in trees] if self._lopsided else trees

    def _without_weightless_leaves(self, tree: Tree, u: Floats) -> Tree:
        """The tree in which leaves with next to no sample weight vote as their parents would.

        Leaves that count in the distribution keep their votes, so that the edge falls by at most kappa: a
        changed vote costs twice the mass of its leaf.
        """
        leaves = 2**DEPTH if self.hypothesis_class.exact else 4
        forest = Forest.of([tree])
        mass, sums = (self._node_sums(forest, each) for each in self._priors)
        mass[self._node_sums(forest, np.abs(u)) > min(self.kappa / (2.0 * leaves), NEGLIGIBLE)] = 1.0
        nodes = tree.nodes.copy()
        for k in np.flatnonzero(tree.feature >= 0).tolist():
            for child in (tree.left[k], tree.right[k]):
                if mass[child] < NEGLIGIBLE:
                    sums[child] = sums[k]
                    if tree.feature[child] < 0:
                        nodes["value"][child] = 1.0 if sums[k] > 0.0 else -1.0
        return replace(tree, nodes=nodes)

    def values(self, trees: Sequence[Tree], X: Floats, /) -> NDArray[np.int8] | Floats:
        """The votes of trees of this class for the training rows X, one row per tree; int8 if all are -1
        and +1."""
        forest = Forest.of(trees)
        if bool(((forest.nodes["feature"] >= 0) | (np.abs(forest.nodes["value"]) == 1.0)).all()):
            return self._votes(forest)
        return np.array([tree(X) for tree in trees])

    def _votes(self, forest: Forest) -> NDArray[np.int8]:
        """The votes of trees with leaves -1 and +1 for the training rows, from their bins."""
        return self._search.votes(forest.nodes, forest.roots, forest.sets, self._threads)

    def recall(self, hypothesis: Any, /) -> Tree | None:
        """The hypothesis with the bins of this training set; None if the class lacks it."""
        tree = self.hypothesis_class.recall(hypothesis)
        return None if tree is None or (self._least and not self._has_heavy_leaves(tree)) else tree

    def _has_heavy_leaves(self, tree: Tree) -> bool:
        """Whether all leaves weigh enough; False for a tree with sets of categories, of which the class
        demands more (native/heavy_trees.cpp)."""
        weight = self._leaf_sums(Forest.of([tree]), self._shares)[tree.feature < 0]
        return bool((weight >= self._least).all() and (tree.set_index < 0).all())

    def bin_weights(self, d: Floats, /) -> Floats | None:
        """Sums of d by the bins of each feature; None if trees are deeper than 2."""
        if self.hypothesis_class.max_depth > PAIR_DEPTH:
            return None
        return self._search.feature_sums(self._search.weighted(d), self._threads)[0]

    def gains(self, trees: Sequence[Tree], u: Floats, /) -> Floats:
        """What each feature adds to the edge of each tree, see `Forest.gains`."""
        forest = Forest.of(trees)
        return forest.gains(self._leaf_sums(forest, u), len(self.hypothesis_class.thresholds))

    def _leaf_sums(self, forest: Forest, u: Floats) -> Floats:
        """The sum of u over the rows that reach each leaf."""
        return self._search.sums(forest.nodes, forest.roots, forest.sets, u, self._threads)

    def _node_sums(self, forest: Forest, u: Floats) -> Floats:
        """The sum of u over the rows that reach each node."""
        return forest.node_sums(self._leaf_sums(forest, u))


class RememberedStop:
    """The stop function of a search, which remembers in `stopped` whether it has ended the search."""

    def __init__(self, stop: Callable[[], bool] | None) -> None:
        self._stop = stop
        self.stopped = False

    def __call__(self) -> bool:
        self.stopped = self.stopped or (self._stop is not None and self._stop())
        return self.stopped
