"""Trees from a JSON document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frankboost.export.json_fields import Field
from frankboost.learners.tree import Tree

DEEPEST = 400  # deeper trees are not grown: Python's stack ends before


def read_tree(field: Field, categories: Sequence[int], max_depth: int) -> Tree:
    """A tree in which every node but the root is the child of one node before it.

    `categories` has how many of them each feature has, 0 for a number.
    """
    nodes = field.items(at_least=1)
    size = len(nodes)
    sets = any(isinstance(node.value, dict) and "categories" in node.value for node in nodes)
    tree = Tree(
        feature=np.full(size, -1, dtype=np.int32),
        threshold=np.full(size, np.nan),
        missing_left=np.zeros(size, dtype=np.uint8),
        left=np.full(size, -1, dtype=np.int32),
        right=np.full(size, -1, dtype=np.int32),
        value=np.zeros(size, dtype=np.int8),
        subset=np.zeros((size, 4), dtype=np.uint64) if sets else None,
    )
    depth = [-1] * size  # -1: no parent so far
    depth[0] = 0
    for k, node in enumerate(nodes):
        if depth[k] < 0:
            raise node.error("the child of a node before it")
        if isinstance(node.value, dict) and "value" in node.value:
            tree.value[k] = _leaf(node)
        else:
            _split(tree, k, node, categories, depth)
            if depth[k] >= min(max_depth, DEEPEST):
                raise node.error(f"a leaf, at depth {depth[k]}")
    return tree


def _leaf(node: Field) -> int:
    field = node.members("value")["value"]
    value = field.count(-1, 1)
    if value == 0:
        raise field.error("-1 or 1")
    return value


def _split(tree: Tree, k: int, node: Field, categories: Sequence[int], depth: list[int]) -> None:
    by_set = isinstance(node.value, dict) and "categories" in node.value
    fields = node.members("feature", "categories" if by_set else "threshold", "missing_left", "left", "right")
    f = fields["feature"].count(0, len(categories) - 1)
    if by_set != (categories[f] > 0):
        raise fields["feature"].error("a feature with categories" if by_set else "a feature of numbers")
    tree.feature[k] = f
    tree.missing_left[k] = fields["missing_left"].flag()
    if tree.subset is not None and by_set:
        for c in fields["categories"].increasing(categories[f]).tolist():
            tree.subset[k, c // 64] |= np.uint64(1 << c % 64)
    else:
        tree.threshold[k] = fields["threshold"].number()
    for side, children in (("left", tree.left), ("right", tree.right)):
        child = fields[side].count(k + 1, len(depth) - 1)
        if depth[child] >= 0:
            raise fields[side].error("a node that is no other's child")
        depth[child] = depth[k] + 1
        children[k] = child
