"""The trees of a fitted classifier, and the tables that they split."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frankboost.estimators.prediction import ModelClassifier, encoding_of
from frankboost.model import Contest, Model
from frankboost.typing import Floats
from frankboost.validation import quoted


def tree_model(clf: Any) -> Model:
    """The model of a fitted classifier, all of whose hypotheses are trees."""
    model = _fitted(clf).model_
    for each in model.contests:
        each.ensemble.trees()  # or it raises
    return model


def _fitted(clf: Any) -> ModelClassifier:
    if not isinstance(clf, ModelClassifier):
        raise TypeError(f"model must be a fitted classifier of frankboost; got {quoted(clf)}")
    check_is_fitted(clf)
    return clf


def contests_for(clf: Any, label: Any) -> list[Contest]:
    """The votes for a class; all votes if `label` is None."""
    model = tree_model(clf)
    if label is None:
        return model.contests
    found = [each for each in model.contests if label in (each.label, each.other)]
    if not found:
        raise ValueError(f"label must be None or one of {model.classes.tolist()}; got {label!r}")
    return found


def to_numbers(model: Any, X: Any) -> Floats:
    """Convert a table to the numbers that the trees of a fitted model split.

    A category becomes its place in `categories_`, or NaN if it was not in the fit.

    Parameters
    ----------
    model : fitted classifier
    X : data frame or array-like of shape (m, n)

    Examples
    --------
    >>> import pandas as pd
    >>> from frankboost import SoftMarginClassifier
    >>> frame = pd.DataFrame({"city": ["Oslo", "Bari", "Graz"] * 4})
    >>> clf = SoftMarginClassifier(nu=0.5).fit(frame, frame["city"] == "Oslo")
    >>> to_numbers(clf, pd.DataFrame({"city": ["Graz", "Wien", "Oslo"]})).ravel().tolist()
    [1.0, nan, 2.0]
    """
    return np.asarray(encoding_of(_fitted(model))(X))
