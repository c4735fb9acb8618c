"""The decision tree of largest edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from frankboost import native
from frankboost.learners.base import Answer, HypothesisClass, Oracle, WeakLearner
from frankboost.learners.binning import MOST_THRESHOLDS, BinnedFeatures
from frankboost.learners.tree import Nodes, Sets, Tree
from frankboost.typing import Floats
from frankboost.validation import check_count

MOST_FREE = 8  # categories of which a root may send any set to one side, as in native/category_search.hpp
NEGLIGIBLE = 1e-6  # share of all sample weight
ENOUGH_ROWS = 10_000  # from which on rows of no weight are worth leaving out of a search
LIGHT = 1e-7  # what they may weigh together
MANY_ROWS = 1000  # from which on all thresholds take much longer to search than 255


@dataclass(frozen=True)
class BestTree(WeakLearner):
    """Weak learner: the tree of largest edge, found exactly for depth 1 and 2.

    Every split sends rows at or below a threshold to one side and the others to the other; rows with a
    missing value go to whichever side pays more. Leaves vote -1 or +1. Deeper trees take their upper
    splits greedily, each the root of the best depth-2 tree of its rows, above an exact depth-2 bottom.

    A split of a categorical column sends a set of categories to one side. The last split before the leaves
    takes any set, and so the best one: each category goes to the leaf of its sign. A split above others
    takes any set of up to 8 categories; with more of them, one category against the rest. Missing values
    go to whichever side pays more, or where more weight went if none is there to tell.

    Parameters
    ----------
    max_depth : int, default=2
        1 and 2 are exact; more is a heuristic, and the certificate says so.
    max_bins : int or None, default=255
        At most this many thresholds a feature (1 to 255; 254 where values are missing): all midpoints
        between distinct values if there are few, weighted quantiles otherwise. None: all of them.
    columns_per_round : int or None, default=None
        At most this many trees a call, best first, one for each root feature. None: 1, or what the
        estimator says.
    n_jobs : int or None, default=None
        Threads, as in joblib. The answer does not depend on it. None: 1, or what the estimator says.
    categorical : tuple of int, default=()
        Columns that hold numbers of categories: integers from 0 to at most 254, NaN where missing. The
        estimators encode columns so, see `categorical_features`.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0, -1.0])
    >>> oracle = BestTree(max_depth=2).prepare(X, y, np.ones(4))
    >>> [tree] = oracle(0.25 * y).hypotheses
    >>> tree(X)
    array([-1,  1,  1, -1], dtype=int8)
    """

    max_depth: int = 2
    max_bins: int | None = 255
    columns_per_round: int | None = None
    n_jobs: int | None = None
    categorical: tuple[int, ...] = ()
    splits_features: ClassVar[bool] = True

    def with_defaults(
        self, *, columns_per_round: int, n_jobs: int | None, categorical: tuple[int, ...]
    ) -> BestTree:
        """Columns and threads where the learner says nothing; the columns that the estimator encoded."""
        return replace(
            self,
            columns_per_round=self.columns_per_round or columns_per_round,
            n_jobs=n_jobs if self.n_jobs is None else self.n_jobs,
            categorical=categorical,
        )

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> TreeOracle:
        """Bin the training set once."""
        check_count("max_depth", self.max_depth, at_least=1)
        check_count("max_bins", self.max_bins, at_least=1, at_most=MOST_THRESHOLDS, or_none=True)
        check_count("columns_per_round", self.columns_per_round, at_least=1, or_none=True)
        for f in self.categorical:
            if f not in range(X.shape[1]):
                raise ValueError(f"categorical must hold columns in [0, {X.shape[1] - 1}]; got {f!r}")
        features = BinnedFeatures.from_rows(X, sample_weight, self.max_bins, self.categorical)
        return TreeOracle(self, features, y, sample_weight)

    def draft(self, X: Floats) -> BestTree | None:
        """A learner for a coarser class that is much faster to search, if there is one."""
        if self.max_bins is not None or len(X) < MANY_ROWS or self.max_depth != 2:
            return None
        # With few distinct values the coarser class would be the same.
        many = any(len(np.unique(X[:, f])) > MOST_THRESHOLDS + 2 for f in range(X.shape[1]))
        return replace(self, max_bins=MOST_THRESHOLDS) if many else None


@dataclass(frozen=True, eq=False)
class TreeClass(HypothesisClass):
    """The trees of a given depth over given thresholds, one array a feature, and sets of categories.

    `categories` has how many of them each feature has, 0 for a number.
    """

    max_depth: int
    thresholds: tuple[Floats, ...]
    label: str
    categories: tuple[int, ...]
    searched_as: ClassVar[Literal["trees", "columns"] | None] = "trees"

    def __str__(self) -> str:
        return self.label


class TreeOracle(Oracle):
    """BestTree at work on one training set."""

    hypothesis_class: TreeClass

    def __init__(self, learner: BestTree, features: BinnedFeatures, y: Floats, sample_weight: Floats) -> None:
        self._features = features
        self._search = features.search()
        self._y = y
        self._prior = sample_weight / sample_weight.sum()
        # With weights this far apart whole leaves may weigh nothing.
        self._lopsided = bool(self._prior.min() < NEGLIGIBLE / len(y))
        self._depth = learner.max_depth
        self._columns = learner.columns_per_round or 1
        self._threads = effective_n_jobs(learner.n_jobs)
        self.exact = learner.max_depth <= 2
        label = _label(learner, features.categories)
        self.hypothesis_class = TreeClass(learner.max_depth, features.thresholds, label, features.categories)

    def __call__(self, u: Floats, /) -> Answer:
        """The trees of largest edge, at most one for each root feature, best first."""
        searched, left_out = self._heavy(u)
        trees = self._pairs(searched) if self._depth == 2 else self._greedy(searched)
        if not self._lopsided and left_out == 0.0:
            return Answer(trees)
        # The bound is of the best tree of all, not of what was searched or of what is left of it.
        largest = float(u @ self.values(trees[:1], None)[0]) + 2.0 * left_out
        if self._lopsided:
            trees = [self._without_weightless_leaves(tree) for tree in trees]
        return Answer(trees, largest)

    def _heavy(self, u: Floats) -> tuple[Floats, float]:
        """u without rows that together weigh next to nothing, and what they weigh: fewer rows to search."""
        if len(u) < ENOUGH_ROWS:
            return u, 0.0
        light = np.abs(u) < LIGHT / len(u)
        if np.count_nonzero(light) < 0.1 * len(u):  # closing the gaps would cost more than it saves
            return u, 0.0
        return np.where(light, 0.0, u), float(np.abs(u[light]).sum())

    def _greedy(self, u: Floats) -> list[Tree]:
        splits = self._splits(u, self._depth)
        best = np.argsort(-splits.value, kind="stable")[: self._columns]
        return [self._grow(u, splits.on(int(f))) for f in best]

    def _without_weightless_leaves(self, tree: Tree) -> Tree:
        """The tree with leaves that hold hardly any of the sample weight voting as their parents would."""
        nodes = Nodes.of([tree])
        mass, sums = (self._node_sums(nodes, each) for each in (self._prior, self._prior * self._y))
        value = tree.value.copy()
        for k in range(len(tree.feature)):
            if tree.feature[k] >= 0:
                for child in (tree.left[k], tree.right[k]):
                    if mass[child] < NEGLIGIBLE:
                        sums[child] = sums[k]
                        value[child] = 0 if tree.feature[child] >= 0 else 1 if sums[k] > 0.0 else -1
        return replace(tree, value=value)

    def values(self, trees: Sequence[Tree], X: Floats | None = None, /) -> NDArray[np.int8]:
        """What trees say of the training rows, from their bins: one row a tree."""
        return self._search.votes(*self._binned(Nodes.of(trees)), self._threads)

    def recall(self, hypothesis: Any, /) -> Tree | None:
        """A tree that has no split that this class lacks, nor more levels."""
        if not isinstance(hypothesis, Tree) or hypothesis.depth() > self._depth:
            return None
        splits = np.flatnonzero(hypothesis.feature >= 0).tolist()
        return hypothesis if all(self._has_split(hypothesis, k) for k in splits) else None

    def _has_split(self, tree: Tree, k: int) -> bool:
        f, threshold = int(tree.feature[k]), float(tree.threshold[k])
        if f >= len(self._features.thresholds):
            return False
        if np.isnan(threshold):
            return self._has_set(tree, k, self.hypothesis_class.categories[f])
        cuts = self._features.thresholds[f]
        at = int(cuts.searchsorted(threshold))
        return at < len(cuts) and bool(cuts[at] == threshold)

    def _has_set(self, tree: Tree, k: int, count: int) -> bool:
        """Any set of known categories above leaves; higher up, if there are many, one against the rest."""
        sent = tree.categories(k)
        if count == 0 or (sent >= count).any():
            return False
        above_leaves = max(tree.feature[tree.left[k]], tree.feature[tree.right[k]]) < 0
        return above_leaves or count <= MOST_FREE or len(sent) in (0, 1, count - 1, count)

    def gains(self, trees: Sequence[Tree], u: Floats, /) -> Floats:
        """|u_left| + |u_right| - |u| summed over the splits on each feature, one row a tree."""
        nodes = Nodes.of(trees)
        size = np.abs(self._node_sums(nodes, u))
        owner, left, right = nodes.links()
        splits = np.flatnonzero(nodes.feature >= 0)
        gains = np.zeros((len(trees), len(self._features.thresholds)))
        gain = size[left[splits]] + size[right[splits]] - size[splits]
        np.add.at(gains, (owner[splits], nodes.feature[splits]), gain)
        return gains

    def _node_sums(self, nodes: Nodes, u: Floats) -> Floats:
        """The sum of u over the rows that reach each node."""
        sums = self._search.sums(*self._binned(nodes), u, self._threads).tolist()
        _, left, right = (each.tolist() for each in nodes.links())
        for k in np.flatnonzero(nodes.feature >= 0).tolist()[::-1]:  # children come after their parents
            sums[k] = sums[left[k]] + sums[right[k]]
        return np.array(sums)

    def _binned(self, nodes: Nodes) -> native.BinnedTrees:
        """Nodes as the native search takes them, with bins in place of thresholds."""
        sets = self._features.categories
        last_bin = [
            -1 if f < 0 else 0 if sets[f] else int(self._features.thresholds[f].searchsorted(threshold))
            for f, threshold in zip(nodes.feature.tolist(), nodes.threshold.tolist(), strict=True)
        ]
        return (
            nodes.roots,
            nodes.feature,
            np.array(last_bin, dtype=np.int32),
            nodes.missing_left,
            nodes.left,
            nodes.right,
            nodes.value,
            nodes.sets,
        )

    def _pairs(self, u: Floats) -> list[Tree]:
        """The best depth-2 trees, which the native search finds whole."""
        roots, feature, last_bin, missing_left, left, right, value, sets = self._search.trees(
            u, self._columns, self._threads
        )
        if len(roots) == 0:
            return [_constant(int(np.sign(u.sum())) or 1)]
        categories = self._features.categories
        threshold = [
            np.nan if f < 0 or categories[f] else self._features.thresholds[f][k]
            for f, k in zip(feature.tolist(), last_bin.tolist(), strict=True)
        ]
        subset = sets if len(sets) else None
        return Nodes(roots, feature, np.array(threshold), missing_left, left, right, value, subset).trees()

    def _splits(self, u: Floats, depth: int) -> _Splits:
        search = self._search.stumps if depth == 1 else self._search.roots
        return _Splits(*search(u, self._threads), self._features.categories)

    def _grow(self, u: Floats, root: _Split) -> Tree:
        nodes = _TreeNodes(self._features.thresholds)
        self._add(nodes, u, root, self._depth, sign=1)
        return nodes.tree()

    def _add(self, nodes: _TreeNodes, u: Floats, split: _Split, depth: int, *, sign: int) -> int:
        """Add a node for the rows where u is not zero, and all below it."""
        sign = int(np.sign(u.sum())) or sign  # a leaf without weight votes as its parent would
        if split.last_bin < 0:
            return nodes.add_leaf(sign)
        node = nodes.add_split(split)
        if split.subset is None:
            left = self._features.goes_left(split.feature, split.last_bin, split.missing_left)
        else:
            left = self._features.in_set(split.feature, split.subset, split.missing_left)
        nodes.left[node] = self._child(nodes, np.where(left, u, 0.0), depth - 1, sign)
        nodes.right[node] = self._child(nodes, np.where(left, 0.0, u), depth - 1, sign)
        return node

    def _child(self, nodes: _TreeNodes, u: Floats, depth: int, sign: int) -> int:
        if depth == 0 or not u.any():
            return nodes.add_leaf(int(np.sign(u.sum())) or sign)
        splits = self._splits(u, depth)
        return self._add(nodes, u, splits.on(int(np.argmax(splits.value))), depth, sign=sign)


@dataclass(frozen=True, eq=False)
class _Split:
    """Rows up to `last_bin` of a feature go left, or those of a set of categories; -1: no split."""

    feature: int
    last_bin: int
    missing_left: bool
    subset: Sets | None


@dataclass(frozen=True, eq=False)
class _Splits:
    """The best split of each feature."""

    value: Floats
    last_bin: NDArray[np.int32]
    missing_left: NDArray[np.uint8]
    sets: Sets
    categories: tuple[int, ...]

    def on(self, feature: int) -> _Split:
        subset = self.sets[feature] if self.categories[feature] else None
        return _Split(feature, int(self.last_bin[feature]), bool(self.missing_left[feature]), subset)


@dataclass(eq=False)
class _TreeNodes:
    """A tree under construction, parents before children."""

    thresholds: tuple[Floats, ...]
    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    missing_left: list[bool] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    value: list[int] = field(default_factory=list)
    subset: list[Sets | None] = field(default_factory=list)

    def add_leaf(self, sign: int) -> int:
        return self._add(-1, np.nan, False, sign, None)

    def add_split(self, split: _Split) -> int:
        numbers = split.subset is None
        threshold = float(self.thresholds[split.feature][split.last_bin]) if numbers else np.nan
        return self._add(split.feature, threshold, split.missing_left, 0, split.subset)

    def _add(
        self, feature: int, threshold: float, missing_left: bool, value: int, subset: Sets | None
    ) -> int:
        self.feature.append(feature)
        self.threshold.append(threshold)
        self.missing_left.append(missing_left)
        self.left.append(-1)
        self.right.append(-1)
        self.value.append(value)
        self.subset.append(subset)
        return len(self.feature) - 1

    def tree(self) -> Tree:
        return Tree(
            feature=np.array(self.feature, dtype=np.int32),
            threshold=np.array(self.threshold),
            missing_left=np.array(self.missing_left, dtype=np.uint8),
            left=np.array(self.left, dtype=np.int32),
            right=np.array(self.right, dtype=np.int32),
            value=np.array(self.value, dtype=np.int8),
            subset=None if all(s is None for s in self.subset) else self._sets(),
        )

    def _sets(self) -> Sets:
        none = np.zeros(4, dtype=np.uint64)
        return np.stack([none if subset is None else subset for subset in self.subset])


def _constant(sign: int) -> Tree:
    nodes = _TreeNodes(())
    nodes.add_leaf(sign)
    return nodes.tree()


def _label(learner: BestTree, categories: tuple[int, ...]) -> str:
    depth = learner.max_depth
    where = (
        "all thresholds" if learner.max_bins is None else f"at most {learner.max_bins} thresholds a feature"
    )
    sets = " and subsets of categories" if any(categories) else ""
    if sets and depth > 1:
        sets += f" (roots: all subsets up to {MOST_FREE} categories, one against the rest beyond)"
    how = "" if depth <= 2 else ", searched greedily above depth 2"
    return f"depth-{depth} trees over {where}{sets}{how}"
