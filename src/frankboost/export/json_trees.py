"""Trees in a JSON document: lists of nodes, the root first and children after their parents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from msgspec import UNSET, Meta, UnsetType

from frankboost.export.json_fields import Count, Finite, Saved, check_increasing, converted, wrong
from frankboost.learners.nodes import NO_SETS, Sets, blank_nodes, packed
from frankboost.learners.tree import Tree


class Leaf(Saved, frozen=True):
    """A node that votes."""

    value: Annotated[float, Meta(ge=-1.0, le=1.0)]


class Split(Saved, frozen=True, kw_only=True):
    """A node that sends x <= threshold, or these categories instead, to the node numbered left."""

    feature: Count
    threshold: Finite | UnsetType = UNSET
    categories: list[Count] | UnsetType = UNSET
    missing_left: bool
    left: Count
    right: Count


def nodes_of(tree: Tree) -> list[dict[str, Any]]:
    """The nodes of a tree, in their order."""
    return [_node(tree, k) for k in range(len(tree.nodes))]


def _node(tree: Tree, k: int) -> dict[str, Any]:
    node = tree.nodes[k]
    if node["feature"] < 0:
        value = float(node["value"])
        return {"value": int(value) if value.is_integer() else value}
    by_set = node["set_index"] >= 0
    return {
        "feature": node["feature"],
        **({"categories": tree.categories(k)} if by_set else {"threshold": node["threshold"]}),
        "missing_left": bool(node["missing_left"]),
        "left": node["left"],
        "right": node["right"],
    }


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
                raise wrong(f"{at}.{side}", "the number of a later node that has no other parent", child)
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
        kind = "categories" if count > 0 else "numbers"
        raise ValueError(f"{where} must have {needed}, because feature {split.feature} holds {kind}")
    if not isinstance(split.categories, UnsetType):
        check_increasing(f"{where}.categories", split.categories, below=count)
