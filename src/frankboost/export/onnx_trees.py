"""Trees as the attributes of ONNX's operator TreeEnsemble (ai.onnx.ml 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from frankboost.learners.tree import Tree
from frankboost.model import Ensemble

SUM, NO_TRANSFORM, AT_MOST = 1, 0, 0  # codes of the operator


def ensemble_attributes(ensembles: Sequence[Ensemble]) -> dict[str, Any]:
    """One target per ensemble; arrays are to become tensors."""
    nodes = _Nodes()
    for target, ensemble in enumerate(ensembles):
        for tree, weight in zip(ensemble.trees(), ensemble.weights.tolist(), strict=True):
            nodes.add(tree, weight, target)
    return {
        "n_targets": len(ensembles),
        "aggregate_function": SUM,
        "post_transform": NO_TRANSFORM,
        "tree_roots": nodes.roots,
        "nodes_featureids": nodes.feature,
        "nodes_modes": np.full(len(nodes.feature), AT_MOST, dtype=np.uint8),
        "nodes_splits": np.array(nodes.threshold, dtype=np.float64),
        "nodes_missing_value_tracks_true": nodes.missing_left,
        "nodes_truenodeids": nodes.left,
        "nodes_trueleafs": nodes.left_is_leaf,
        "nodes_falsenodeids": nodes.right,
        "nodes_falseleafs": nodes.right_is_leaf,
        "leaf_targetids": nodes.target,
        "leaf_weights": np.array(nodes.vote, dtype=np.float64),
    }


@dataclass(eq=False)
class _Nodes:
    """Splits and leaves of all trees, which the operator numbers apart."""

    roots: list[int] = field(default_factory=list)
    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    missing_left: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    left_is_leaf: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    right_is_leaf: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    vote: list[float] = field(default_factory=list)

    def add(self, tree: Tree, weight: float, target: int) -> None:
        """A tree whose leaves vote for a target."""
        is_leaf = (tree.feature < 0).tolist()
        splits, leaves = len(self.feature), len(self.vote)
        number = []
        for leaf in is_leaf:
            number.append(leaves if leaf else splits)
            leaves, splits = leaves + leaf, splits + (not leaf)
        self.roots.append(len(self.feature))
        if is_leaf[0]:
            # The operator's trees begin with a split: here one with the same leaf on both sides.
            self._split(0, 0.0, 1, (number[0], True), (number[0], True))
        for k, leaf in enumerate(is_leaf):
            if leaf:
                self.target.append(target)
                self.vote.append(weight * float(tree.value[k]))
            else:
                left, right = int(tree.left[k]), int(tree.right[k])
                self._split(
                    int(tree.feature[k]),
                    float(tree.threshold[k]),
                    int(tree.missing_left[k]),
                    (number[left], is_leaf[left]),
                    (number[right], is_leaf[right]),
                )

    def _split(
        self,
        feature: int,
        threshold: float,
        missing_left: int,
        left: tuple[int, bool],
        right: tuple[int, bool],
    ) -> None:
        self.feature.append(feature)
        self.threshold.append(threshold)
        self.missing_left.append(missing_left)
        self.left.append(left[0])
        self.left_is_leaf.append(int(left[1]))
        self.right.append(right[0])
        self.right_is_leaf.append(int(right[1]))
