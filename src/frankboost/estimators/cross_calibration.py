"""Calibrate a classifier by a cross-validation of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import column_or_1d

from frankboost.arrays import here
from frankboost.choosing.calibration import HeldOut, calibration_of
from frankboost.choosing.held_out import checked_folds
from frankboost.choosing.joint_calibration import VotesTogether, joint_calibration
from frankboost.fitting.reached import is_one_of_many
from frankboost.fitting.weak_learners import JOINT
from frankboost.model import Calibration, Model
from frankboost.saying import say, unsaid
from frankboost.tables.labelled import LabelledRows


def quiet(clf: Any) -> Any:
    """A copy of the classifier for one fold: no output, no calibration, no callbacks, no warm start."""
    plain = {"calibration": None, "verbose": 0, "callbacks": None, "warm_start": False}
    known = clf.get_params(deep=False)
    return clone(clf).set_params(**{name: value for name, value in plain.items() if name in known})


def with_calibration(
    clf: Any, model: Model, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, *, data: LabelledRows
) -> Model:
    """The model, calibrated by the cross-validation that its classifier asks for; uncalibrated after
    Ctrl-C."""
    try:
        with unsaid(UserWarning):
            return replace(model, calibration=calibrated(clf, X, y, sample_weight, data))
    except KeyboardInterrupt:
        if is_one_of_many():
            raise
        say(
            "the fit was interrupted before the folds of the calibration were done; `predict_proba` is not "
            "calibrated",
            ConvergenceWarning,
        )
        return model


def calibrated(
    clf: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, data: LabelledRows
) -> Calibration:
    """The calibration of a classifier of `data`, by the cross-validation that the classifier asks for."""
    from sklearn.model_selection import cross_val_predict  # noqa: PLC0415  (heavy)

    plain, labels, carries = quiet(clf), column_or_1d(y), data.carries
    folds = checked_folds("calibration", clf.calibration, labels, carries)
    weights = None if sample_weight is None else {"sample_weight": here(sample_weight)[carries]}
    if weights is not None and get_config()["enable_metadata_routing"]:
        plain.set_fit_request(sample_weight=True)
    if not carries.all():
        place = np.cumsum(carries) - 1
        folds = [(place[train], place[test]) for train, test in folds]
        X = _safe_indexing(X, np.flatnonzero(carries))
    votes = cross_val_predict(plain, X, labels[carries], cv=folds, method="decision_function", params=weights)
    if votes.ndim == 2 and clf.multi_class == JOINT:
        return joint_calibration(VotesTogether(votes, data.code, data.sample_weight))
    columns = zip(votes.reshape(len(votes), -1).T, data.targets().T, strict=True)
    weight = data.sample_weight if len(data.classes) > 2 else data.plain_weight
    unit = min(1.0, float(weight.mean()))
    return calibration_of([HeldOut(column, target, weight, unit) for column, target in columns])
