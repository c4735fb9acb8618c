"""The ensembles of trees in a fitted classifier."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Contest, Model


def tree_model(clf: Any) -> Model:
    """The model of a fitted classifier, all of whose hypotheses are trees."""
    if not isinstance(clf, ModelClassifier):
        raise TypeError(f"model must be a fitted classifier of frankboost; got {clf!r}")
    check_is_fitted(clf)
    for each in clf.model_.ensembles:
        each.trees()  # or it raises
    return clf.model_


def contests_for(clf: Any, label: Any) -> list[Contest]:
    """Those that vote on a class: all of them if `label` is None."""
    model = tree_model(clf)
    if label is None:
        return model.contests
    found = [each for each in model.contests if label in (each.label, each.other)]
    if not found:
        raise ValueError(f"label must be None or one of {model.classes.tolist()}; got {label!r}")
    return found


def numeric_contests(clf: Any, label: Any, target: str) -> list[Contest]:
    """Those that vote on a class, if no split is one of categories."""
    found = contests_for(clf, label)
    if any(len(tree.sets) for each in found for tree in each.ensemble.trees()):
        raise ValueError(f"model must not split categories to be exported to {target}; it does")
    return found
