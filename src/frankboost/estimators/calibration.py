"""The calibration of probabilities on votes for rows that were not fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils.validation import column_or_1d

from frankboost.estimators.data import LabelledRows
from frankboost.model import Sigmoids


def quiet(clf: Any) -> Any:
    """A classifier with the same settings that fits a fold: unwatched, uncalibrated, from nothing."""
    return clone(clf).set_params(calibration=None, verbose=0, callbacks=None, warm_start=False)


def calibrated(
    clf: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, data: LabelledRows
) -> Sigmoids:
    """Sigmoids of maximum likelihood for a classifier of `data`, by the cross-validation that it asks for."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  (heavy)
    from sklearn.model_selection import cross_val_predict  # noqa: PLC0415  (heavy)

    plain = quiet(clf)
    weights = None if sample_weight is None else {"sample_weight": sample_weight}
    if weights is not None and get_config()["enable_metadata_routing"]:
        plain.set_fit_request(sample_weight=True)
    votes = cross_val_predict(
        plain, X, column_or_1d(y), cv=clf.calibration, method="decision_function", params=weights
    )[data.carries]
    fits = [
        LogisticRegression(C=1e6).fit(column[:, None], target, data.sample_weight)
        for column, target in zip(votes.reshape(len(votes), -1).T, data.targets().T, strict=True)
    ]
    return Sigmoids(
        slope=np.array([fit.coef_[0, 0] for fit in fits]),
        intercept=np.array([fit.intercept_[0] for fit in fits]),
    )
