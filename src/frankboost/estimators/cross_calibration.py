"""Calibrate a classifier by the cross-validation that its parameter `calibration` asks for."""

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
from frankboost.choosing.calibration import HeldOutVotes, calibrate_each
from frankboost.choosing.held_out import make_folds
from frankboost.choosing.joint_calibration import JointHeldOutVotes, joint_calibration
from frankboost.fitting.fit_warnings import is_in_sklearn_loop
from frankboost.fitting.weak_learners import JOINT
from frankboost.model import Calibration, Model
from frankboost.saying import say, unsaid
from frankboost.tables.labelled import LabelledRows


def clone_for_fold(clf: Any) -> Any:
    """Clone a classifier to fit one fold: without output, calibration, callbacks and warm start."""
    plain = {"calibration": None, "verbose": 0, "callbacks": None, "warm_start": False}
    known = clf.get_params(deep=False)
    return clone(clf).set_params(**{name: value for name, value in plain.items() if name in known})


def cross_calibrate(
    clf: Any, model: Model, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, *, data: LabelledRows
) -> Model:
    """Calibrate the model of a classifier; after Ctrl-C it is not calibrated."""
    try:
        with unsaid(UserWarning):
            return replace(model, calibration=fit_calibration(clf, X, y, sample_weight, data))
    except KeyboardInterrupt:
        if is_in_sklearn_loop():
            raise
        say(
            "the fit was interrupted before the folds of the calibration were done; `predict_proba` is not "
            "calibrated",
            ConvergenceWarning,
        )
        return model


def fit_calibration(
    clf: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, data: LabelledRows
) -> Calibration:
    """Fit a calibration to the votes in the folds; `data` are the rows of X and y that have weight."""
    from sklearn.model_selection import cross_val_predict  # noqa: PLC0415  (heavy)

    plain, labels, carries = clone_for_fold(clf), column_or_1d(y), data.carries
    folds = make_folds("calibration", clf.calibration, labels, carries)
    weights = None if sample_weight is None else {"sample_weight": here(sample_weight)[carries]}
    if weights is not None and get_config()["enable_metadata_routing"]:
        plain.set_fit_request(sample_weight=True)
    if not carries.all():
        place = np.cumsum(carries) - 1
        folds = [(place[train], place[test]) for train, test in folds]
        X = _safe_indexing(X, np.flatnonzero(carries))
    votes = cross_val_predict(plain, X, labels[carries], cv=folds, method="decision_function", params=weights)
    if votes.ndim == 2 and clf.multi_class == JOINT:
        return joint_calibration(JointHeldOutVotes(votes, data.code, data.sample_weight))
    columns = zip(votes.reshape(len(votes), -1).T, data.targets().T, strict=True)
    weight = data.sample_weight if len(data.classes) > 2 else data.plain_weight
    row_weight = min(1.0, float(weight.mean()))
    return calibrate_each([HeldOutVotes(column, target, weight, row_weight) for column, target in columns])
