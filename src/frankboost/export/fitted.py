"""The ensembles of trees in a fitted model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from frankboost.certificate import Certificate
from frankboost.estimators.base import SoftMarginBooster
from frankboost.learners.tree import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TreeEnsemble:
    """Trees that vote +1 for the class `label` and -1 for another, or for the rest of them."""

    label: Any
    other: Any  # None: the rest
    certificate: Certificate
    trees: Sequence[Tree]
    weights: Floats


def tree_ensembles(model: Any) -> list[TreeEnsemble]:
    """The one ensemble of a model with two classes, or one a class."""
    if not isinstance(model, SoftMarginBooster):
        raise TypeError(f"model must be a fitted classifier of frankboost; got {model!r}")
    check_is_fitted(model)
    classes = model.classes_.tolist()
    parts = [model.certificate_, model.estimators_, model.estimator_weights_]
    if len(classes) == 2:
        found = [TreeEnsemble(classes[1], classes[0], *parts)]
    else:
        found = [
            TreeEnsemble(label, None, *mine)
            for label, mine in zip(classes, zip(*parts, strict=True), strict=True)
        ]
    for each in found:
        for hypothesis in each.trees:
            if not isinstance(hypothesis, Tree):
                raise TypeError(
                    "model must be an ensemble of frankboost's own trees (estimator=None or BestTree); "
                    f"got one with a {type(hypothesis).__name__}"
                )
    return found


def ensembles_for(model: Any, label: Any) -> list[TreeEnsemble]:
    """Those that vote on a class: all of them if `label` is None."""
    found = tree_ensembles(model)
    if label is None:
        return found
    mine = [each for each in found if label in (each.label, each.other)]
    if not mine:
        raise ValueError(f"label must be None or one of {model.classes_.tolist()}; got {label!r}")
    return mine


def numeric_ensembles(model: Any, label: Any, target: str) -> list[TreeEnsemble]:
    """Those that vote on a class, if no split is one of categories."""
    found = ensembles_for(model, label)
    if any(len(tree.sets) for each in found for tree in each.trees):
        raise ValueError(f"model must not split categories to be exported to {target}; it does")
    return found


def feature_names_of(model: SoftMarginBooster, names: Sequence[str] | None) -> list[str]:
    """The names given, those of the data frame that was fitted, or x0, x1, ..."""
    count = model.n_features_in_
    if names is None:
        return [str(name) for name in getattr(model, "feature_names_in_", (f"x{f}" for f in range(count)))]
    if isinstance(names, str) or not hasattr(names, "__len__") or len(names) != count:
        raise ValueError(f"feature_names must hold {count} names, one a feature; got {names!r}")
    return [str(name) for name in names]
