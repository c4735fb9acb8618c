"""Models as ONNX graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.export.fitted import numeric_contests
from frankboost.export.onnx_trees import ensemble_attributes
from frankboost.model import Ensemble, Model
from frankboost.version import __version__

OPSET, TREE_OPSET, IR_VERSION = 18, 5, 10


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
    ensembles = [each.ensemble for each in numeric_contests(model, None, "ONNX")]
    try:
        import onnx  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError("to_onnx needs onnx: pip install frankboost[onnx]") from error
    graph = _Graph(onnx)
    _add_votes(graph, ensembles)
    _add_probabilities(graph, model.model_)
    _add_labels(graph, model.classes_)
    helper, double = onnx.helper, onnx.TensorProto.DOUBLE
    votes: list[Any] = [None] if len(ensembles) == 1 else [None, len(ensembles)]
    proto = helper.make_model(
        helper.make_graph(
            graph.nodes,
            type(model).__name__,
            [helper.make_tensor_value_info("X", double, [None, model.n_features_in_])],
            [
                helper.make_tensor_value_info("label", graph.constants["classes"].data_type, [None]),
                helper.make_tensor_value_info("votes", double, votes),
                helper.make_tensor_value_info("probabilities", double, [None, len(model.classes_)]),
            ],
            list(graph.constants.values()),
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
        self.constants: dict[str, Any] = {}

    def add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> None:
        """A node."""
        self.nodes.append(self._onnx.helper.make_node(operator, inputs, [output], **attributes))

    def constant(self, name: str, values: Any) -> str:
        """A tensor; its name."""
        self.constants[name] = self.tensor(name, np.asarray(values))
        return name

    def tensor(self, name: str, values: NDArray[Any]) -> Any:
        """An array as a tensor."""
        plain = values.astype(object) if values.dtype.kind == "U" else values
        return self._onnx.numpy_helper.from_array(plain, name)


def _add_votes(graph: _Graph, ensembles: list[Ensemble]) -> None:
    """Nodes "columns", with one vote per ensemble, and "votes", which are the same or the only column."""
    attributes = {
        name: graph.tensor(name, value) if isinstance(value, np.ndarray) else value
        for name, value in ensemble_attributes(ensembles).items()
    }
    graph.add("TreeEnsemble", ["X"], "sums", domain="ai.onnx.ml", **attributes)
    graph.add("Clip", ["sums", graph.constant("least", -1.0), graph.constant("most", 1.0)], "columns")
    if len(ensembles) == 1:
        graph.add("Squeeze", ["columns", graph.constant("column", [1])], "votes")
    else:
        graph.add("Identity", ["columns"], "votes")


def _add_probabilities(graph: _Graph, model: Model) -> None:
    one = graph.constant("one", 1.0)
    sigmoids = model.sigmoids
    if sigmoids is None:
        graph.add("Add", ["columns", one], "doubled")
        graph.add("Mul", ["doubled", graph.constant("half", 0.5)], "positive")
    else:
        graph.add("Mul", ["columns", graph.constant("slope", sigmoids.slope)], "scaled")
        graph.add("Add", ["scaled", graph.constant("intercept", sigmoids.intercept)], "log_odds")
        graph.add("Sigmoid", ["log_odds"], "positive")
    if len(model.ensembles) == 1:
        graph.add("Sub", [one, "positive"], "negative")
        graph.add("Concat", ["negative", "positive"], "probabilities", axis=1)
        return
    graph.add("ReduceSum", ["positive", graph.constant("axis", [1])], "total", keepdims=1)
    graph.add("Greater", ["total", graph.constant("zero", 0.0)], "any")
    # Where no class has a share, all have the same.
    graph.add("Where", ["any", "total", one], "divisor")
    graph.add("Div", ["positive", "divisor"], "shares")
    graph.add("Where", ["any", "shares", graph.constant("even", 1.0 / len(model.ensembles))], "probabilities")


def _add_labels(graph: _Graph, classes: NDArray[Any]) -> None:
    if len(classes) == 2:
        graph.add("Greater", ["votes", graph.constant("tie", 0.0)], "second")
        graph.add("Where", ["second", graph.constant("1", 1), graph.constant("0", 0)], "number")
    else:
        graph.add("ArgMax", ["votes"], "number", axis=1, keepdims=0)
    graph.add("Gather", [graph.constant("classes", classes), "number"], "label")
