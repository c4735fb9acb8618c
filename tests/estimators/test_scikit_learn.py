"""scikit-learn's own checks, and its tools around our classifiers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import StackingClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from frankboost import (
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
    SoftMarginClassifierCV,
)

# The paper's algorithms may need thousands of rounds, which no check is about.
ESTIMATORS = [
    SoftMarginClassifier(),
    SoftMarginClassifier(0.2),
    SoftMarginClassifierCV(),
    SoftMarginClassifierCV([0.4, 0.2], cv=2, max_depth=[1, 2]),
    SoftBoostClassifier(tol=0.05),
    LPBoostClassifier(max_iter=50),
    ERLPBoostClassifier(max_iter=30),
    CERLPBoostClassifier(max_iter=100),
    MLPBoostClassifier(max_iter=30),
]

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]


@pytest.mark.filterwarnings("ignore:nu is 0.2, since no rows can be held out")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_pipeline():
    model = make_pipeline(StandardScaler(), SoftMarginClassifier(0.3)).fit(X, y)
    # Scaling moves no row across a threshold between rows.
    plain = SoftMarginClassifier(0.3).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))


def test_grid_search():
    search = GridSearchCV(SoftMarginClassifier(tol=0.05), {"nu": [0.1, 0.4]}, cv=3).fit(X, y)
    scores = {nu: cross_val_score(SoftMarginClassifier(nu, 0.05), X, y, cv=3).mean() for nu in (0.1, 0.4)}
    assert search.best_score_ == max(scores.values()) > min(scores.values())
    assert search.best_estimator_.nu == search.best_params_["nu"] == max(scores, key=scores.get)


def test_cross_validate():
    scores = cross_validate(SoftMarginClassifier(0.3), X, y, cv=3, scoring=["accuracy", "roc_auc"])
    assert scores["test_accuracy"].mean() > 0.88
    assert scores["test_roc_auc"].mean() > 0.85


def test_calibrated_classifier():
    model = CalibratedClassifierCV(SoftMarginClassifier(0.3), cv=3).fit(X, y)
    assert model.score(X, y) > 0.9


def test_stacking():
    model = StackingClassifier([("ours", SoftMarginClassifier(0.3))], LogisticRegression(), cv=3).fit(X, y)
    assert model.score(X, y) > 0.9


def test_permutation_importance_agrees_with_our_own():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(300, 4))
    labels = Z[:, 2] + 0.3 * rng.normal(size=300) > 0
    clf = SoftMarginClassifier(0.3).fit(Z, labels)
    ours = clf.feature_importances_
    assert ours.sum() == pytest.approx(1.0)
    assert ours.argmax() == 2
    assert permutation_importance(clf, Z, labels, n_repeats=3, random_state=0).importances_mean.argmax() == 2


def test_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        clf = SoftMarginClassifier(0.3).set_fit_request(sample_weight=True)
        clf.set_score_request(sample_weight=True)
        weight = np.where(y == 1, 2.0, 1.0)
        scores = cross_validate(clf, X, y, cv=3, params={"sample_weight": weight})
    assert scores["test_score"].mean() > 0.9


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames(frame):
    names = list("abcdef")
    data = frame(dict(zip(names, X.T, strict=True)))
    clf = SoftMarginClassifier(0.3).fit(data, y)
    assert list(clf.feature_names_in_) == names
    plain = SoftMarginClassifier(0.3).fit(X, y)
    np.testing.assert_array_equal(clf.decision_function(data), plain.decision_function(X))
    shuffled = data[names[::-1]]
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(shuffled)


def test_settings_changed_between_fits():
    clf = SoftMarginClassifier(0.5).fit(X, y)
    clf.set_params(nu=0.1).fit(X, y)
    assert clf.certificate_ == SoftMarginClassifier(0.1).fit(X, y).certificate_
