"""Trees as lists of nodes in a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import UNSET, UnsetType

from frankboost.export.json_document import Leaf, Split, check_increasing, converted, wrong
from frankboost.learners.nodes import NO_SETS, Sets, blank_nodes, packed
from frankboost.learners.tree import Tree


def nodes_of(tree: Tree) -> list[Leaf | Split]:
    """The nodes of a tree, in their order."""
    return [_node(tree, k) for k in range(len(tree.nodes))]


def _node(tree: Tree, k: int) -> Leaf | Split:
    node, by_set = tree.nodes[k], tree.set_index[k] >= 0
    if node["feature"] < 0:
        value = float(node["value"])
        return Leaf(int(value) if value.is_integer() else value)
    return Split(
        feature=node["feature"],
        threshold=UNSET if by_set else node["threshold"],
        categories=tree.categories(k).tolist() if by_set else UNSET,
        missing_left=bool(node["missing_left"]),
        left=node["left"],
        right=node["right"],
    )


def read_tree(where: str, saved: Sequence[Any], categories: Sequence[int], max_depth: int) -> Tree:
    """A tree in which every node but the root is the child of one node before it.

    `categories` has how many of them each feature has, 0 for a number.
    """
    nodes = blank_nodes(len(saved))
    sets: list[Sets] = []
    depth = [0] + [-1] * (len(saved) - 1)  # -1: no parent so far
    for k, given in enumerate(saved):
        at = f"{where}[{k}]"
        if depth[k] < 0:
            raise ValueError(f"{at} must be the child of a node before it")
        node = converted(given, Leaf if isinstance(given, dict) and "value" in given else Split, at)
        if isinstance(node, Leaf):
            nodes["value"][k] = node.value
            continue
        if depth[k] >= max_depth:
            raise ValueError(f"{at} must be a leaf, at depth {depth[k]}")
        _check_split(at, node, categories)
        for side, child in (("left", node.left), ("right", node.right)):
            if not k < child < len(saved) or depth[child] >= 0:
                raise wrong(f"{at}.{side}", "a node after it that is no other's child", child)
            depth[child] = depth[k] + 1
            nodes[side][k] = child
        nodes["feature"][k], nodes["missing_left"][k] = node.feature, node.missing_left
        if node.categories is UNSET:
            nodes["threshold"][k] = node.threshold
        else:
            nodes["set_index"][k] = len(sets)
            sets.append(packed(node.categories))
    return Tree(nodes, np.array(sets) if sets else NO_SETS)


def _check_split(where: str, split: Split, categories: Sequence[int]) -> None:
    if split.feature >= len(categories):
        raise wrong(f"{where}.feature", f"below {len(categories)}", split.feature)
    count = categories[split.feature]
    if (split.threshold is UNSET, split.categories is UNSET) != (count > 0, count == 0):
        needed = "categories and no threshold" if count > 0 else "a threshold and no categories"
        raise ValueError(f"{where} must have {needed}, as those of feature {split.feature} do")
    if not isinstance(split.categories, UnsetType):
        check_increasing(f"{where}.categories", split.categories, below=count)
