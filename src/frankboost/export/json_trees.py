"""Trees from a JSON document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frankboost.export.json_fields import Field
from frankboost.learners.nodes import NO_SETS, Sets, blank_nodes, packed
from frankboost.learners.tree import Tree

DEEPEST = 400  # deeper trees are not grown: Python's stack ends before


def read_tree(field: Field, categories: Sequence[int], max_depth: int) -> Tree:
    """A tree in which every node but the root is the child of one node before it.

    `categories` has how many of them each feature has, 0 for a number.
    """
    fields = field.items(at_least=1)
    reader = _Reader(len(fields), categories)
    for k, node in enumerate(fields):
        if reader.depth[k] < 0:
            raise node.error("the child of a node before it")
        if isinstance(node.value, dict) and "value" in node.value:
            reader.nodes["value"][k] = node.members("value")["value"].number(-1.0, 1.0)
        else:
            reader.split(k, node)
            if reader.depth[k] >= min(max_depth, DEEPEST):
                raise node.error(f"a leaf, at depth {reader.depth[k]}")
    return Tree(reader.nodes, np.array(reader.sets) if reader.sets else NO_SETS)


class _Reader:
    """The nodes read so far."""

    def __init__(self, size: int, categories: Sequence[int]) -> None:
        self.nodes = blank_nodes(size)
        self.sets: list[Sets] = []
        self.depth = [0] + [-1] * (size - 1)  # -1: no parent so far
        self._categories = categories

    def split(self, k: int, node: Field) -> None:
        by_set = isinstance(node.value, dict) and "categories" in node.value
        fields = node.members(
            "feature", "categories" if by_set else "threshold", "missing_left", "left", "right"
        )
        f = fields["feature"].count(0, len(self._categories) - 1)
        if by_set != (self._categories[f] > 0):
            raise fields["feature"].error("a feature with categories" if by_set else "a feature of numbers")
        self.nodes["feature"][k] = f
        self.nodes["missing_left"][k] = fields["missing_left"].flag()
        if by_set:
            self.nodes["set_index"][k] = len(self.sets)
            self.sets.append(packed(fields["categories"].increasing(self._categories[f]).tolist()))
        else:
            self.nodes["threshold"][k] = fields["threshold"].number()
        for side in ("left", "right"):
            self.nodes[side][k] = self._child(k, fields[side])

    def _child(self, k: int, field: Field) -> int:
        child = field.count(k + 1, len(self.depth) - 1)
        if self.depth[child] >= 0:
            raise field.error("a node that is no other's child")
        self.depth[child] = self.depth[k] + 1
        return child
