"""The calibration of a classifier by a cross-validation of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import column_or_1d

from frankboost.choosing.calibration import HeldOut, calibration_of
from frankboost.estimators.out_of_fold import quiet, votes_out_of_fold
from frankboost.fitting.reached import is_one_of_many
from frankboost.model import Calibration, Model
from frankboost.saying import say, unsaid
from frankboost.tables.labelled import LabelledRows


def with_calibration(
    clf: Any, model: Model, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, *, data: LabelledRows
) -> Model:
    """The model, calibrated by the cross-validation that its classifier asks for; as it is after Ctrl-C."""
    try:
        with unsaid(UserWarning):
            return replace(model, calibration=calibrated(clf, X, y, sample_weight, data))
    except KeyboardInterrupt:
        if is_one_of_many():
            raise
        say(
            "interrupted before the folds of calibration were done; `predict_proba` is as without them",
            ConvergenceWarning,
        )
        return model


def calibrated(
    clf: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, data: LabelledRows
) -> Calibration:
    """The calibration of a classifier of `data`, by the cross-validation that it asks for."""
    rows = X, column_or_1d(y), sample_weight
    votes = votes_out_of_fold(quiet(clf), rows, data.carries, calibration=clf.calibration)
    columns = zip(votes.T, data.targets().T, strict=True)
    return calibration_of([HeldOut(column, target, data.sample_weight) for column, target in columns])
