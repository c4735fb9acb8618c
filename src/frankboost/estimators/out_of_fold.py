"""Votes of a classifier for rows that were left out of its fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from frankboost.arrays import here
from frankboost.choosing.held_out import checked_folds
from frankboost.typing import Flags, Floats


def quiet(clf: Any) -> Any:
    """A classifier with the same settings that fits a fold: unwatched, uncalibrated, from nothing."""
    plain = {"calibration": None, "verbose": 0, "callbacks": None, "warm_start": False}
    known = clf.get_params(deep=False)
    return clone(clf).set_params(**{name: value for name, value in plain.items() if name in known})


def votes_out_of_fold(
    plain: Any, rows: tuple[Any, NDArray[Any], ArrayLike | None], carries: Flags, **folds: Any
) -> Floats:
    """The vote for each row that carries weight, of a fit that did not see it; one column per ensemble.

    `rows` are X, y and sample_weight; `folds` has the argument that says how they are divided, by its name.
    """
    from sklearn.model_selection import cross_val_predict  # noqa: PLC0415  (heavy)

    X, labels, sample_weight = rows
    [(name, cv)] = folds.items()
    parts = checked_folds(name, cv, labels, carries)
    weights = None if sample_weight is None else {"sample_weight": here(sample_weight)[carries]}
    if weights is not None and get_config()["enable_metadata_routing"]:
        plain.set_fit_request(sample_weight=True)
    if not carries.all():
        place = np.cumsum(carries) - 1
        parts = [(place[train], place[test]) for train, test in parts]
        X = _safe_indexing(X, np.flatnonzero(carries))
    votes = cross_val_predict(plain, X, labels[carries], cv=parts, method="decision_function", params=weights)
    columns: Floats = votes.reshape(len(votes), -1)
    return columns
