"""Decision trees with leaves -1 and +1, as flat arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native

Floats = NDArray[np.float64]
Sets = NDArray[np.uint64]  # of categories, a row of 256 bits each


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree whose node 0 is the root.

    At node k a row goes to node left[k] if its feature[k] is at most threshold[k], or if it is missing
    there and missing_left[k] holds; else to right[k]. A leaf has feature -1 and votes value[k].

    A split whose threshold is NaN is one of categories: those whose bits are set in subset[k], 64 to a
    word, go left. What is no category is missing. Trees without such splits have no subset.
    """

    feature: NDArray[np.int32]
    threshold: Floats
    missing_left: NDArray[np.uint8]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.int8]
    subset: Sets | None = None

    def depth(self) -> int:
        """The number of splits on the longest way from the root to a leaf."""
        depth = [0] * len(self.feature)
        left, right = self.left.tolist(), self.right.tolist()
        for k in np.flatnonzero(self.feature >= 0).tolist():  # parents come before their children
            depth[left[k]] = depth[right[k]] = depth[k] + 1
        return max(depth)

    def categories(self, k: int) -> NDArray[np.intp]:
        """The categories that the split at node k sends left."""
        if self.subset is None:
            return np.zeros(0, dtype=np.intp)
        bits = self.subset[k][:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        return np.flatnonzero(bits)

    def condition(
        self, k: int, names: Sequence[str], categories: Mapping[int, Sequence[Any]], digits: int | None = None
    ) -> str:
        """What sends a row left at node k, for people: with names of features and of their categories.

        All digits of a threshold by default: a rounded one would be another tree's.
        """
        f, threshold = int(self.feature[k]), float(self.threshold[k])
        if not np.isnan(threshold):
            number = repr(threshold) if digits is None else f"{threshold:.{digits}g}"
            return f"{names[f]} <= {number}"
        known = categories.get(f, ())
        sent = [str(known[c]) if c < len(known) else str(c) for c in self.categories(k).tolist()]
        return f"{names[f]} in {{{', '.join(sent)}}}"

    def __call__(self, X: Floats, /) -> NDArray[np.int8]:
        """Votes, -1 or +1, for each row of X."""
        return vote([self], np.ones(1), X).astype(np.int8)


def vote(trees: Sequence[Tree], weights: Floats, X: Floats, threads: int = 1) -> Floats:
    """sum_j weights_j tree_j(x) for each row of X."""
    if not trees:
        return np.zeros(len(X))
    nodes = Nodes.of(trees)
    return native.vote(
        nodes.roots,
        nodes.feature,
        nodes.threshold,
        nodes.missing_left,
        nodes.left,
        nodes.right,
        nodes.value,
        nodes.sets,
        np.ascontiguousarray(weights, dtype=np.float64),
        np.ascontiguousarray(X, dtype=np.float64),
        threads,
    )


NO_SETS: Sets = np.zeros((0, 4), dtype=np.uint64)


def _joined(trees: Sequence[Tree]) -> Sets | None:
    if all(tree.subset is None for tree in trees):
        return None
    each = [np.zeros((len(t.feature), 4), dtype=np.uint64) if t.subset is None else t.subset for t in trees]
    return np.concatenate(each)


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of many trees in one array each; tree t starts at roots[t]."""

    roots: NDArray[np.int64]
    feature: NDArray[np.int32]
    threshold: Floats
    missing_left: NDArray[np.uint8]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.int8]
    subset: Sets | None

    @property
    def sets(self) -> Sets:
        """The subset, with no rows instead of none, as the kernels take it."""
        return NO_SETS if self.subset is None else self.subset

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Nodes:
        """The trees one after the other."""
        sizes = [len(tree.feature) for tree in trees]
        return cls(
            roots=np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64),
            feature=np.concatenate([tree.feature for tree in trees]),
            threshold=np.concatenate([tree.threshold for tree in trees]),
            missing_left=np.concatenate([tree.missing_left for tree in trees]),
            left=np.concatenate([tree.left for tree in trees]),
            right=np.concatenate([tree.right for tree in trees]),
            value=np.concatenate([tree.value for tree in trees]),
            subset=_joined(trees),
        )

    def links(self) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]:
        """Of each node its tree and, if it is a split, the places of its children here."""
        sizes = np.diff(self.roots, append=len(self.feature))
        owner = np.repeat(np.arange(len(self.roots)), sizes)
        root = self.roots[owner]
        return owner, root + self.left, root + self.right

    def trees(self) -> list[Tree]:
        """The trees, which share these arrays."""
        # Where a split is one of categories.
        sets = (self.feature >= 0) & np.isnan(self.threshold)
        return [
            Tree(
                feature=self.feature[begin:end],
                threshold=self.threshold[begin:end],
                missing_left=self.missing_left[begin:end],
                left=self.left[begin:end],
                right=self.right[begin:end],
                value=self.value[begin:end],
                subset=None if self.subset is None or not sets[begin:end].any() else self.subset[begin:end],
            )
            for begin, end in pairwise([*self.roots.tolist(), len(self.feature)])
        ]
