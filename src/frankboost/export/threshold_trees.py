"""Trees for formats that know thresholds only: a set of categories is a union of runs of their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from frankboost.learners.nodes import NO_SETS, Records, unpacked
from frankboost.learners.tree import Tree


def with_thresholds(tree: Tree, counts: Mapping[int, int]) -> Tree:
    """A tree with the same votes that splits at thresholds only, for tables in which a category is its place.

    `counts` is the number of categories of each categorical feature. A split of categories becomes a
    balanced tree over the runs of places that go to the same side; each run has its own copy of the branch.
    """
    if len(tree.sets) == 0:
        return tree
    nodes: list[Records] = []
    waiting: list[tuple[Runs | int, int, str]] = [(0, -1, "")]  # what to add, and whose child it is
    while waiting:
        at, parent, side = waiting.pop()
        runs = _runs(tree, at, counts) if isinstance(at, int) else at
        node = tree.nodes[at if isinstance(at, int) else at.node].copy()
        if parent >= 0:
            nodes[parent][side] = len(nodes)
        if runs is not None:
            middle = len(runs.ends) // 2
            node["threshold"], node["set_index"] = runs.ends[middle], -1
            node["missing_left"] = runs.missing <= middle
        if node["feature"] >= 0:
            children = (node["left"], node["right"]) if runs is None else runs.halves()
            for name, child in zip(("right", "left"), tuple(children)[::-1], strict=True):
                waiting.append((child if isinstance(child, Runs) else int(child), len(nodes), name))
        nodes.append(node)
    return Tree(np.array(nodes, dtype=tree.nodes.dtype), NO_SETS)


@dataclass(frozen=True)
class Runs:
    """Runs of places of a feature's categories, at least two of them."""

    node: int  # the split that they come from
    ends: tuple[float, ...]  # the threshold behind each run but the last
    children: tuple[int, ...]  # the node to which each run goes
    missing: int  # the run with which missing values go; it may be none of these

    def halves(self) -> Iterator[Runs | int]:
        """The runs up to the middle and those behind it; of a single one where it goes."""
        k = len(self.ends) // 2 + 1
        first = Runs(self.node, self.ends[: k - 1], self.children[:k], self.missing)
        second = Runs(self.node, self.ends[k:], self.children[k:], self.missing - k)
        for half in (first, second):
            yield half if half.ends else half.children[0]


def _runs(tree: Tree, k: int, counts: Mapping[int, int]) -> Runs | None:
    """The runs of the split at node k; None if it does not split categories."""
    if tree.set_index[k] < 0:
        return None
    sent = unpacked(tree.sets[tree.set_index[k]])[: counts[int(tree.feature[k])]]
    missing = bool(tree.missing_left[k])
    if sent.all() or not sent.any():
        sent = np.append(sent, not sent[0])  # a run without places, where missing values may go
    last = np.flatnonzero(sent[1:] != sent[:-1])
    sides = sent[np.append(last, len(sent) - 1)].tolist()
    children = tuple(int(tree.left[k] if side else tree.right[k]) for side in sides)
    return Runs(k, tuple((last + 0.5).tolist()), children, sides.index(missing))
