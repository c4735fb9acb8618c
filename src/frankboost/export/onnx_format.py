"""Models as ONNX graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from frankboost.estimators.prediction import category_names, feature_names_of
from frankboost.export.fitted import contests_for
from frankboost.export.onnx_columns import take_columns, tensor
from frankboost.export.threshold_trees import with_thresholds
from frankboost.learners.nodes import NO_SETS, blank_nodes
from frankboost.learners.tree import Forest, Tree
from frankboost.model import Ensemble, Model
from frankboost.model.model import LEAST
from frankboost.validation import needed
from frankboost.version import __version__

SUM, NO_TRANSFORM, AT_MOST = 1, 0, 0  # codes of the operator TreeEnsemble
NUMBERS = {"float64": "double", "float32": "float"}  # what ONNX calls them

# The graph in ONNX's own language; trees and constants come later.
GRAPH = """
<ir_version: 10, opset_import: ["": 18, "ai.onnx.ml": 5],
 producer_name: "frankboost", producer_version: "{version}">
votes_of_trees ({number}[?, {features}] X)
  => ({kind}[?] label, double[?, {classes}] probabilities, double[{votes}] votes) {{
  rows = Cast<to = 11>(X)
  sums = ai.onnx.ml.TreeEnsemble(rows)
  columns = Clip(sums, minus_one, one)
  {positive}
  {outputs}
  label = Gather(classes, number)
}}"""
SHARES = """
  doubled = Add(columns, one)
  positive = Mul(doubled, half)
"""
CALIBRATED = """
  little = Mul(columns, scale)
  share = Add(one, little)
  other = Sub(one, little)
  log_share = Log(share)
  log_other = Log(other)
  from_share = Mul(log_share, a)
  from_other = Mul(log_other, b)
  odds = Sub(from_share, from_other)
  log_odds = Add(odds, intercept)
  chances = {chance}(log_odds)
  inner = Mul(chances, between)
  positive = Add(inner, floor)
"""
OF_TWO_CLASSES = """
  votes = Squeeze(columns, axis)
  negative = Sub(one, positive)
  probabilities = Concat<axis = 1>(negative, positive)
  second = Greater(votes, zero)
  number = Cast<to = 7>(second)
"""
# Where no class has a share, all have the same.
OF_MORE = """
  votes = Identity(columns)
  total = ReduceSum<keepdims = 1>(positive, axis)
  any = Greater(total, zero)
  divisor = Where(any, total, one)
  shares = Div(positive, divisor)
  probabilities = Where(any, shares, even)
  number = ArgMax<axis = 1, keepdims = 0>({largest})
"""


def to_onnx(model: Any, *, dtype: str = "float64") -> Any:
    """Convert a fitted model to an ONNX graph, an `onnx.ModelProto`.

    The input "X" is a tensor of numbers of shape (m, n) in which NaN is a missing value and a date
    is its days since 1970-01-01. A model with columns of categories has instead one input per column, of
    shape (m, 1), with the column's name or else "x0", "x1", ...: a tensor of strings where the categories are
    text. A text that is no category of the fit is a missing value.

    The outputs are "label", "probabilities" (`predict_proba`, calibrated if the model is) and "votes"
    (`decision_function`), in this order. The trees are an operator `TreeEnsemble` of ai.onnx.ml 5, which
    needs onnxruntime 1.21 or newer. Its sums may differ from `decision_function` by rounding, and so may
    the label of a row whose vote is that close to a tie.

    Parameters
    ----------
    model : fitted classifier
        Its hypotheses must be trees of `BestTree`, the default weak learner.
    dtype : "float64" or "float32", default="float64"
        The type of the inputs. Thresholds stay doubles: a value that is rounded to single precision may
        fall on the other side of a threshold, as it would in `predict`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> proto = to_onnx(SoftMarginClassifier().fit(X, y))
    >>> [output.name for output in proto.graph.output]
    ['label', 'probabilities', 'votes']
    """
    count = len(contests_for(model, None))
    if dtype not in NUMBERS:
        raise ValueError(f"dtype must be one of {', '.join(map(repr, NUMBERS))}; got {dtype!r}")
    onnx = needed("onnx", "to_onnx needs", "onnx")
    tensors = {name: tensor(onnx, name, value) for name, value in _constants(model.model_).items()}
    proto = onnx.parser.parse_model(
        GRAPH.format(
            version=__version__,
            number=NUMBERS[dtype],
            features=model.n_features_in_,
            kind=onnx.TensorProto.DataType.Name(tensors["classes"].data_type).lower(),
            votes="?" if count == 1 else f"?, {count}",
            classes=len(model.classes_),
            positive=SHARES
            if model.model_.calibration is None
            else CALIBRATED.format(chance="Softmax<axis = 1>" if model.model_.is_joint else "Sigmoid"),
            outputs=OF_TWO_CLASSES
            if count == 1
            else OF_MORE.format(largest="votes" if model.model_.is_joint else "positive"),
        )
    )
    graph = proto.graph
    graph.name = type(model).__name__
    categories = category_names(model)
    counts = {f: len(values) for f, values in categories.items()}
    for name, value in ensemble_attributes([each.ensemble for each in model.model_.contests], counts).items():
        plain = tensor(onnx, name, value) if isinstance(value, np.ndarray) else value
        graph.node[1].attribute.append(onnx.helper.make_attribute(name, plain))
    used = {name for node in graph.node for name in node.input}
    graph.initializer.extend(tensors[name] for name in tensors if name in used)
    if categories:
        take_columns(onnx, graph, feature_names_of(model), categories)
    return proto


def _constants(model: Model) -> dict[str, Any]:
    calibration = {} if model.calibration is None else asdict(model.calibration)
    if calibration:
        shares = len(model.classes) if model.is_joint else 2
        calibration["between"] = 1.0 - shares * calibration["floor"]
    even = 1.0 / len(model.classes)
    numbers = {"minus_one": -1.0, "zero": 0.0, "half": 0.5, "one": 1.0, "even": even, "axis": [1]}
    return {"classes": model.classes, **numbers, "scale": 1.0 / (1.0 + 2.0 * LEAST), **calibration}


def ensemble_attributes(ensembles: Sequence[Ensemble], counts: Mapping[int, int]) -> dict[str, Any]:
    """The attributes of TreeEnsemble (ai.onnx.ml 5), with one target per ensemble; arrays are tensors.

    `counts` has how many categories each feature has that has some. The operator numbers splits and leaves
    apart. (Its mode for sets of values would give the same nodes: onnxruntime makes chains of them.)
    """
    trees = [_split_first(tree) for each in ensembles for tree in each.trees()]
    forest = Forest.of([with_thresholds(tree, counts) for tree in trees])
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
