"""The number and the names of the columns of a fit, noted and checked as scikit-learn does.

scikit-learn's own check is not asked: which data frames it reads names from depends on its version, and with
polars' newest it may be none. A frame without names may have its columns in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _num_features

from frankboost.arrays import column_names
from frankboost.saying import say

MOST = 5  # names in a message


def note_columns(estimator: Any, X: Any) -> None:
    """Note in the estimator how many columns X has, and their names if all of them are text."""
    names = _feature_names(X)
    estimator.n_features_in_ = _num_features(X)
    if names is not None:
        estimator.feature_names_in_ = names
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def check_columns(estimator: Any, X: Any) -> None:
    """Raise if X has not the columns that the estimator has noted, in their order."""
    kind, fitted = type(estimator).__name__, getattr(estimator, "feature_names_in_", None)
    names = _feature_names(X)
    if names is not None and fitted is not None:
        if names.tolist() != fitted.tolist():
            raise ValueError(_difference(set(names), set(fitted)))
    elif names is not None:
        say(f"X has feature names, but {kind} was fitted without feature names", UserWarning)
    elif fitted is not None:
        say(f"X does not have valid feature names, but {kind} was fitted with feature names", UserWarning)
    count, expected = _num_features(X), estimator.n_features_in_
    if count != expected:
        raise ValueError(f"X has {count} features, but {kind} is expecting {expected} features as input.")


def _feature_names(X: Any) -> NDArray[np.object_] | None:
    """The names of the columns, or None if they have none that are text."""
    names = column_names(X)
    kinds = {type(name) for name in names}
    if str not in kinds:
        return None
    if len(kinds) > 1:
        found = sorted(kind.__qualname__ for kind in kinds)
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{found} as feature name / column name types: make all of them text, or none of them"
        )
    return np.array(names, dtype=object)


def _difference(names: set[str], fitted: set[str]) -> str:
    """What scikit-learn says of names that are not those of the fit; its own tests ask for the words."""
    message = "The feature names should match those that were passed during fit.\n"
    if unseen := names - fitted:
        message += f"Feature names unseen at fit time:\n{_listed(unseen)}"
    if missing := fitted - names:
        message += f"Feature names seen at fit time, yet now missing:\n{_listed(missing)}"
    if names == fitted:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def _listed(names: Iterable[str]) -> str:
    names = sorted(names)
    shown = [*names[:MOST], *["..."] * (len(names) > MOST)]
    return "".join(f"- {name}\n" for name in shown)
