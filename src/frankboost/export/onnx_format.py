"""Models as ONNX graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frankboost.export.fitted import numeric_contests
from frankboost.learners.nodes import NO_SETS, blank_nodes
from frankboost.learners.tree import Forest, Tree
from frankboost.model import Ensemble, Model
from frankboost.version import __version__

OPSET, TREE_OPSET, IR_VERSION = 18, 5, 10
SUM, NO_TRANSFORM, AT_MOST = 1, 0, 0  # codes of the operator TreeEnsemble


def to_onnx(model: Any) -> Any:
    """A fitted model as an ONNX graph.

    The input "X" is a tensor of doubles of shape (m, n) in which NaN is a missing value. (Thresholds are
    doubles, and rows rounded to floats could fall on their other sides.) The outputs are "label",
    "votes" (`decision_function`) and "probabilities" (`predict_proba`, calibrated if the model is).
    Trees are an operator `TreeEnsemble` of ai.onnx.ml 5, which onnxruntime has since 1.21. Its sums may
    differ from ours by rounding, and so may the label of a row whose vote is that close to a tie.

    Parameters
    ----------
    model : fitted classifier
        An ensemble of frankboost's own trees.

    Returns
    -------
    onnx.ModelProto

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> proto = to_onnx(SoftMarginClassifier().fit(X, y))
    >>> [output.name for output in proto.graph.output]
    ['label', 'votes', 'probabilities']
    """
    count = len(numeric_contests(model, None, "ONNX"))
    try:
        import onnx  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError("to_onnx needs onnx: pip install frankboost[onnx]") from error
    graph = _Graph(onnx)
    _add_votes(graph, model.model_.ensembles)
    _add_probabilities(graph, model.model_)
    if count == 1:
        graph.add("second", "Greater", "votes", 0.0)
        graph.add("number", "Where", "second", 1, 0)
    else:
        graph.add("number", "ArgMax", "votes", axis=1, keepdims=0)
    graph.add("label", "Gather", model.classes_, "number")
    helper, double, labels = onnx.helper, onnx.TensorProto.DOUBLE, graph.tensor("classes", model.classes_)
    shapes = {"votes": [None] if count == 1 else [None, count], "probabilities": [None, len(model.classes_)]}
    proto = helper.make_model(
        helper.make_graph(
            graph.nodes,
            type(model).__name__,
            [helper.make_tensor_value_info("X", double, [None, model.n_features_in_])],
            [
                helper.make_tensor_value_info("label", labels.data_type, [None]),
                *(helper.make_tensor_value_info(name, double, shape) for name, shape in shapes.items()),
            ],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", TREE_OPSET)],
        producer_name="frankboost",
        producer_version=__version__,
    )
    proto.ir_version = IR_VERSION
    return proto


class _Graph:
    """Nodes and constants under construction."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, output: str, operator: str, *inputs: Any, **attributes: Any) -> None:
        """A node. Inputs are the names of other nodes' outputs, or constants; arrays become tensors."""
        names = [each if isinstance(each, str) else self._constant(each) for each in inputs]
        attributes = {
            name: self.tensor(name, value) if isinstance(value, np.ndarray) else value
            for name, value in attributes.items()
        }
        self.nodes.append(self._onnx.helper.make_node(operator, names, [output], **attributes))

    def tensor(self, name: str, values: Any) -> Any:
        """Numbers or strings as a tensor."""
        array = np.asarray(values)
        return self._onnx.numpy_helper.from_array(
            array.astype(object) if array.dtype.kind == "U" else array, name
        )

    def _constant(self, values: Any) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(self.tensor(name, values))
        return name


def _add_votes(graph: _Graph, ensembles: Sequence[Ensemble]) -> None:
    """Nodes "columns", with one vote per ensemble, and "votes", which are the same or the only column."""
    graph.add("sums", "TreeEnsemble", "X", domain="ai.onnx.ml", **ensemble_attributes(ensembles))
    graph.add("columns", "Clip", "sums", -1.0, 1.0)
    if len(ensembles) == 1:
        graph.add("votes", "Squeeze", "columns", [1])
    else:
        graph.add("votes", "Identity", "columns")


def _add_probabilities(graph: _Graph, model: Model) -> None:
    if model.sigmoids is None:
        graph.add("doubled", "Add", "columns", 1.0)
        graph.add("positive", "Mul", "doubled", 0.5)
    else:
        graph.add("scaled", "Mul", "columns", model.sigmoids.slope)
        graph.add("log_odds", "Add", "scaled", model.sigmoids.intercept)
        graph.add("positive", "Sigmoid", "log_odds")
    if len(model.ensembles) == 1:
        graph.add("negative", "Sub", 1.0, "positive")
        graph.add("probabilities", "Concat", "negative", "positive", axis=1)
        return
    graph.add("total", "ReduceSum", "positive", [1], keepdims=1)
    graph.add("any", "Greater", "total", 0.0)
    # Where no class has a share, all have the same.
    graph.add("divisor", "Where", "any", "total", 1.0)
    graph.add("shares", "Div", "positive", "divisor")
    graph.add("probabilities", "Where", "any", "shares", 1.0 / len(model.ensembles))


def ensemble_attributes(ensembles: Sequence[Ensemble]) -> dict[str, Any]:
    """The attributes of TreeEnsemble (ai.onnx.ml 5), with one target per ensemble; arrays are tensors.

    The operator numbers splits and leaves apart.
    """
    forest = Forest.of([_split_first(tree) for each in ensembles for tree in each.trees()])
    owner, left, right = forest.links()
    is_leaf = forest.nodes["feature"] < 0
    number = np.where(is_leaf, np.cumsum(is_leaf), np.cumsum(~is_leaf)) - 1
    splits, left, right = forest.nodes[~is_leaf], left[~is_leaf], right[~is_leaf]
    target = np.repeat(np.arange(len(ensembles)), [len(each.weights) for each in ensembles])
    weight = np.concatenate([each.weights for each in ensembles])
    return {
        "n_targets": len(ensembles),
        "aggregate_function": SUM,
        "post_transform": NO_TRANSFORM,
        "tree_roots": number[forest.roots].tolist(),
        "nodes_featureids": splits["feature"].tolist(),
        "nodes_modes": np.full(len(splits), AT_MOST, dtype=np.uint8),
        "nodes_splits": splits["threshold"],
        "nodes_missing_value_tracks_true": splits["missing_left"].tolist(),
        "nodes_truenodeids": number[left].tolist(),
        "nodes_trueleafs": is_leaf[left].astype(int).tolist(),
        "nodes_falsenodeids": number[right].tolist(),
        "nodes_falseleafs": is_leaf[right].astype(int).tolist(),
        "leaf_targetids": target[owner[is_leaf]].tolist(),
        "leaf_weights": weight[owner[is_leaf]] * forest.nodes["value"][is_leaf],
    }


def _split_first(tree: Tree) -> Tree:
    """The operator's trees begin with a split: a leaf gets one above it that leads to it on both sides."""
    if tree.feature[0] >= 0:
        return tree
    nodes = blank_nodes(2)
    nodes["feature"][0], nodes["threshold"][0], nodes["missing_left"][0] = 0, 0.0, 1
    nodes["left"][0] = nodes["right"][0] = 1
    nodes["value"][1] = tree.value[0]
    return Tree(nodes, NO_SETS)
