"""The fit that a plot is about: the only one, or that of one class against the rest."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Contest


def one_fit(estimator: Any, label: Any) -> Contest:
    """The contest of `label` against the rest, or the only one if there are two classes."""
    if not isinstance(estimator, ModelClassifier):
        raise TypeError(f"estimator must be a classifier of frankboost; got {estimator!r}")
    check_is_fitted(estimator)
    contests = estimator.model_.contests
    if len(contests) == 1:
        if label is not None:
            raise ValueError(f"label must be None, as there is one fit for two classes; got {label!r}")
        return contests[0]
    for each in contests:
        if each.label == label:
            return each
    raise ValueError(f"label must be one of the classes {estimator.classes_.tolist()}; got {label!r}")
