"""Decision trees with leaves in [-1, 1], as arrays of node records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.nodes import NO_SETS, Records, Sets, blank_nodes, joined, unpacked
from frankboost.learners.rows import Rows, vote_in_blocks
from frankboost.learners.thresholds import PRESENT
from frankboost.learners.tree_text import day_text, indent, number_text, one_line
from frankboost.pictures import Printed
from frankboost.typing import Bytes, Flags, Floats

Ints = NDArray[np.int32]


def _column(name: str) -> Any:
    """An attribute of a tree that is a field of its node records."""
    return property(lambda tree: tree.nodes[name])


@dataclass(frozen=True, eq=False, repr=False)
class Tree(Printed):
    """A tree whose node 0 is the root; its arrays have one entry per node and are read-only.

    At node k a row goes to node left[k] if its feature[k] is at most threshold[k], or if it is missing
    there and missing_left[k] holds; else to right[k]. A leaf has feature -1 and votes value[k].

    A split whose set_index is not -1 is a split of categories. The row set_index[k] of `sets` has one bit per
    category, 64 per word; categories whose bits are set go left. A value that is no category counts as
    missing. The threshold of such a split is NaN.

    last_bin has the thresholds as bins of the binning that made the tree, -1 if these are not known.
    """

    nodes: Records
    sets: Sets

    feature: ClassVar[Ints] = _column("feature")
    threshold: ClassVar[Floats] = _column("threshold")
    last_bin: ClassVar[Ints] = _column("last_bin")
    missing_left: ClassVar[Bytes] = _column("missing_left")
    left: ClassVar[Ints] = _column("left")
    right: ClassVar[Ints] = _column("right")
    set_index: ClassVar[Ints] = _column("set_index")
    value: ClassVar[Floats] = _column("value")

    def __post_init__(self) -> None:
        self.nodes.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled tree; its nodes are read-only again."""
        self.__dict__.update(state)
        self.__post_init__()

    def __repr__(self) -> str:
        return f"<Tree of depth {self.depth()}, {np.count_nonzero(self.feature < 0)} leaves>"

    def __str__(self) -> str:
        """The tree as nested conditions on features x0, x1, ...; categories are numbers."""
        names = [f"x{f}" for f in range(int(self.feature.max(initial=0)) + 1)]

        def words(k: int) -> str:
            return f"{self.value[k]:+.4g}" if self.feature[k] < 0 else self.condition(k, names, {}, digits=4)

        return "\n".join(self.lines(words))

    def lines(self, words: Callable[[int], str], level: int = 0) -> Iterator[str]:
        """The tree as lines of nested conditions. Levels are indented, or numbered if they are very deep.

        `words(k)` is the condition of the split at node k, or the vote of the leaf. This function does not
        recurse, since a tree may be deeper than Python's stack.
        """
        waiting = [("", 0, level)]  # the line before a node, the node, and its indentation
        while waiting:
            before, k, at = waiting.pop()
            if before:
                yield indent(at - 1) + before
            line = indent(at) + ("" if self.feature[k] < 0 else "if ") + one_line(words(k))
            if self.feature[k] < 0:
                yield line
                continue
            yield f"{line}{' or missing' if self.missing_left[k] else ''}:"
            waiting += [("else:", int(self.right[k]), at + 1), ("", int(self.left[k]), at + 1)]

    def levels(self) -> list[int]:
        """The number of splits above each node."""
        level = [0] * len(self.nodes)
        left, right = self.left.tolist(), self.right.tolist()
        for k in np.flatnonzero(self.feature >= 0).tolist():  # parents come before their children
            level[left[k]] = level[right[k]] = level[k] + 1
        return level

    def splits(self) -> tuple[bytes, ...]:
        """The splits, to compare trees by: trees that differ in the votes of leaves alone have the same."""
        fields = ("feature", "threshold", "missing_left", "left", "right")
        return (*(self.nodes[name].tobytes() for name in fields), self.sets.tobytes())

    def depth(self) -> int:
        """The number of splits on the longest way from the root to a leaf."""
        return max(self.levels())

    def with_leaves_at(self, splits: Flags, votes: Floats) -> Tree:
        """The tree with leaves in place of some splits; `votes` has the votes of the new leaves, by node."""
        nodes = self.nodes.copy()
        blank = blank_nodes(1)[0]
        for k in np.flatnonzero(splits).tolist():
            nodes[k] = blank
            nodes["value"][k] = votes[k]
        kept = [0]
        for k in kept:  # the list grows while it is read
            if nodes["feature"][k] >= 0:
                kept += [int(nodes["left"][k]), int(nodes["right"][k])]
        place = {k: at for at, k in enumerate(kept)}
        nodes = nodes[kept]
        for name in ("left", "right"):
            nodes[name] = [place.get(k, -1) for k in nodes[name].tolist()]
        return _with_own_sets(nodes, self.sets)

    def categories(self, k: int) -> NDArray[np.intp]:
        """The categories that the split at node k sends left."""
        if self.set_index[k] < 0:
            return np.zeros(0, dtype=np.intp)
        return np.flatnonzero(unpacked(self.sets[self.set_index[k]]))

    def condition(
        self,
        k: int,
        names: Sequence[str],
        categories: Mapping[int, Sequence[Any]],
        digits: int | None = None,
        *,
        dates: Collection[int] = (),
    ) -> str:
        """The condition of the split at node k as text, with names of features and categories.

        By default a threshold has all its digits: a rounded threshold would make another tree. The values of
        features in `dates` are days since 1970-01-01.
        """
        f, threshold = int(self.feature[k]), float(self.threshold[k])
        if self.set_index[k] < 0:
            if self.tells_missing(k):
                return f"{names[f]} is not missing"
            number = day_text(threshold, digits) if f in dates else number_text(threshold, digits)
            return f"{names[f]} <= {number}"
        known = categories.get(f, ())
        sent = [str(known[c]) if c < len(known) else str(c) for c in self.categories(k).tolist()]
        return f"{names[f]} in {{{', '.join(sent)}}}"

    def tells_missing(self, k: int) -> bool:
        """Whether the split at node k sends all values left and missing values right."""
        return bool(self.threshold[k] == PRESENT and not self.missing_left[k])

    def leaf_text(self, k: int, sides: tuple[str, str]) -> str:
        """The vote of the leaf at node k as text: its class, and the size of the vote if that is below 1."""
        value = float(self.value[k])
        side = sides[value > 0.0]
        return side if abs(value) == 1.0 else f"{side}, {abs(value):.4g}"

    def __call__(self, X: Floats, /) -> Floats:
        """Votes in [-1, 1] for each row of X."""
        return vote([self], np.ones(1), X)


def _with_own_sets(nodes: Records, sets: Sets) -> Tree:
    """The tree of nodes that refer to some of many sets; the tree keeps only these sets."""
    used = nodes["set_index"] >= 0
    own = sets[nodes["set_index"][used]]
    nodes["set_index"][used] = np.arange(len(own))
    return Tree(nodes, own)


def constant(sign: float) -> Tree:
    """The tree that consists of one leaf."""
    leaf = blank_nodes(1)
    leaf["value"] = sign
    return Tree(leaf, NO_SETS)


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees as the kernels take them: the nodes of all trees in one array, in which tree t starts at
    roots[t]."""

    nodes: Records
    roots: NDArray[np.int64]
    sets: Sets

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Forest:
        """The forest of some trees, in their order."""
        nodes = joined([tree.nodes for tree in trees])
        sizes = [len(tree.nodes) for tree in trees]
        roots = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        counts = [len(tree.sets) for tree in trees]
        if not any(counts):
            return cls(nodes, roots, NO_SETS)
        first = np.repeat(np.cumsum([0, *counts[:-1]]), sizes)
        nodes["set_index"] += np.where(nodes["set_index"] >= 0, first, 0).astype(np.int32)
        return cls(nodes, roots, np.concatenate([tree.sets for tree in trees]))

    def trees(self) -> list[Tree]:
        """The trees of this forest, each with its own sets."""
        trees = [self.nodes[begin:end] for begin, end in pairwise([*self.roots.tolist(), len(self.nodes)])]
        if len(self.sets) == 0:
            return [Tree(nodes, NO_SETS) for nodes in trees]
        return [_with_own_sets(nodes.copy(), self.sets) for nodes in trees]

    def vote(self, weights: Floats, X: Floats | Rows, threads: int = 1) -> Floats:
        """sum_j weights_j tree_j(x) for each row of X."""
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        if isinstance(X, Rows):
            return X.vote(self, weights, threads)
        return vote_in_blocks(self, weights, X, threads)

    def links(self) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]:
        """The tree of each node, and the places of its left and right child in `nodes` if it is a split."""
        sizes = np.diff(self.roots, append=len(self.nodes))
        owner = np.repeat(np.arange(len(self.roots)), sizes)
        root = self.roots[owner]
        return owner, root + self.nodes["left"], root + self.nodes["right"]

    def node_sums(self, leaf_sums: Floats) -> Floats:
        """The sum of u over the rows that reach each node, from the sums of the leaves."""
        sums = leaf_sums.tolist()
        _, left, right = (each.tolist() for each in self.links())
        for k in np.flatnonzero(self.nodes["feature"] >= 0).tolist()[::-1]:  # children follow their parents
            sums[k] = sums[left[k]] + sums[right[k]]
        return np.array(sums)

    def gains(self, leaf_sums: Floats, features: int) -> Floats:
        """The sum of |u_left| + |u_right| - |u| over the splits on each feature, one row per tree."""
        size = np.abs(self.node_sums(leaf_sums))
        owner, left, right = self.links()
        feature = self.nodes["feature"]
        splits = np.flatnonzero(feature >= 0)
        gains = np.zeros((len(self.roots), features))
        gain = size[left[splits]] + size[right[splits]] - size[splits]
        np.add.at(gains, (owner[splits], feature[splits]), gain)
        return gains


def vote(trees: Sequence[Tree], weights: Floats, X: Floats | Rows, threads: int = 1) -> Floats:
    """sum_j weights_j tree_j(x) for each row of X."""
    if not trees:
        return np.zeros(len(X))
    return Forest.of(trees).vote(weights, X, threads)
