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
from frankboost.typing import Flags, Floats

QUIET = {"calibration": None, "verbose": 0, "callbacks": None, "warm_start": False}


def calibrated(
    clf: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, data: LabelledRows
) -> Sigmoids:
    """Sigmoids for a classifier that is fitted to `data`, by the cross-validation that it asks for."""
    from sklearn.model_selection import cross_val_predict  # noqa: PLC0415  (heavy)

    plain = clone(clf).set_params(**QUIET)
    weights = None if sample_weight is None else {"sample_weight": sample_weight}
    if weights is not None and get_config()["enable_metadata_routing"]:
        plain.set_fit_request(sample_weight=True)
    votes = cross_val_predict(
        plain, X, column_or_1d(y), cv=clf.calibration, method="decision_function", params=weights
    )[data.carries]
    return fitted_sigmoids(votes.reshape(len(votes), -1), data.targets(), data.sample_weight)


def fitted_sigmoids(votes: Floats, targets: Flags, sample_weight: Floats) -> Sigmoids:
    """Maximum likelihood for votes and targets of shape (m, k)."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  (heavy)

    models = [
        LogisticRegression(C=1e6).fit(votes[:, [k]], targets[:, k], sample_weight)
        for k in range(votes.shape[1])
    ]
    return Sigmoids(
        slope=np.array([model.coef_[0, 0] for model in models]),
        intercept=np.array([model.intercept_[0] for model in models]),
    )
