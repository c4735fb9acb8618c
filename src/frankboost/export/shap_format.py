"""Models in the form that shap's TreeExplainer takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from frankboost.estimators.prediction import category_names
from frankboost.export.fitted import contests_for
from frankboost.export.threshold_trees import with_thresholds
from frankboost.learners.tree import Tree


def to_shap(model: Any, label: Any = None) -> dict[str, Any]:
    """Convert a fitted model to the dictionary that `shap.TreeExplainer` takes.

    The explainer explains `decision_function`, and takes numbers: if the model splits categories, give it
    `to_numbers(model, X)`, and `model.feature_names_in_.tolist()` as `feature_names`. Splits of categories
    become splits at thresholds, which changes no value of feature_perturbation="interventional".

    Give the explainer a background sample as `data`. The model does not know how many rows reach a node, so
    shap counts the rows of the sample, also for feature_perturbation="tree_path_dependent"; the sample must
    then reach every leaf, which shap checks. Of an array with more than 100 rows, shap draws 100;
    `shap.maskers.Independent(X, max_samples=len(X))` keeps all of them.

    Parameters
    ----------
    model : fitted classifier
        Its hypotheses must be trees of `BestTree`, the default weak learner.
    label : object, default=None
        The class whose vote is explained. None: the second of two classes, or every class of many, one
        output per class.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifier().fit(X, y)
    >>> len(to_shap(clf)["trees"]) == len(clf.estimators_)
    True

    With shap installed: ``shap.TreeExplainer(to_shap(clf), X[:100]).shap_values(X)``.
    """
    contests = contests_for(model, label)
    counts = {f: len(values) for f, values in category_names(model).items()}
    return {
        "trees": [
            _tree(
                with_thresholds(tree, counts),
                weight if label in (None, each.label) else -weight,
                output,
                len(contests),
            )
            for output, each in enumerate(contests)
            for tree, weight in zip(each.ensemble.trees(), each.ensemble.weights.tolist(), strict=True)
        ],
        "base_offset": 0.0,
        "objective": None,
        "tree_output": "raw_value",
        "input_dtype": np.float64,
        "internal_dtype": np.float64,
    }


def _tree(tree: Tree, weight: float, output: int, outputs: int) -> dict[str, Any]:
    is_leaf = tree.feature < 0
    values = np.zeros((len(tree.feature), outputs))
    values[:, output] = np.where(is_leaf, weight * tree.value, 0.0)
    return {
        "children_left": tree.left.copy(),  # -1 at a leaf, as all of these
        "children_right": tree.right.copy(),
        "children_default": np.where(tree.missing_left == 1, tree.left, tree.right),
        "features": tree.feature.copy(),
        "thresholds": np.where(is_leaf, -1.0, tree.threshold),
        "values": values,
        # Without a background sample nothing is known, and shap says so.
        "node_sample_weight": np.zeros(len(tree.feature)),
    }
