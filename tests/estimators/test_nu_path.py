"""nu by cross-validation."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score

from frankboost import SoftMarginClassifier, SoftMarginClassifierCV, verify
from frankboost.estimators.nu_path import _scores_along

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]
FOLDS = StratifiedKFold(3)


def test_the_best_nu_is_fitted_to_all_rows():
    clf = SoftMarginClassifierCV([0.05, 0.5, 0.2], cv=FOLDS).fit(X, y)
    results = clf.cv_results_
    assert list(results["param_nu"]) == [0.5, 0.2, 0.05]
    assert clf.best_score_ == results["mean_test_score"].max()
    assert clf.nu_ == results["param_nu"][results["mean_test_score"].argmax()]
    assert results["rank_test_score"].min() == 1
    splits = np.array([results[f"split{k}_test_score"] for k in range(3)])
    np.testing.assert_allclose(splits.mean(axis=0), results["mean_test_score"])
    np.testing.assert_allclose(splits.std(axis=0), results["std_test_score"])
    alone = SoftMarginClassifier(clf.nu_).fit(X, y)
    assert clf.certificate_ == alone.certificate_
    np.testing.assert_array_equal(clf.decision_function(X), alone.decision_function(X))
    verify(clf, X, y)


def test_scores_are_about_those_of_separate_fits():
    clf = SoftMarginClassifierCV([0.4, 0.1], cv=FOLDS).fit(X, y)
    for nu, score in zip(clf.cv_results_["param_nu"], clf.cv_results_["mean_test_score"], strict=True):
        alone = cross_val_score(SoftMarginClassifier(nu), X, y, cv=FOLDS).mean()
        assert score == pytest.approx(alone, abs=0.02)  # the optimum has many points


def test_jobs_weights_scoring_and_frames():
    weight = np.where(y == 1, 2.0, 1.0)
    one, two = (
        SoftMarginClassifierCV([0.4, 0.2], cv=2, scoring="roc_auc", n_jobs=jobs).fit(
            pd.DataFrame(X, columns=list("abcdef")), y, sample_weight=weight
        )
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])
    assert one.nu_ == two.nu_
    assert one.best_score_ > 0.85
    verify(one, X, y, weight)


def test_calibration():
    clf = SoftMarginClassifierCV([0.3, 0.1], cv=2, calibration=2).fit(X, y)
    alone = SoftMarginClassifier(clf.nu_, calibration=2).fit(X, y)
    np.testing.assert_allclose(clf.predict_proba(X), alone.predict_proba(X))


def test_an_interrupt_ends_the_choice():
    def press(event):
        if event.round == 2:
            raise KeyboardInterrupt

    clf, rows = SoftMarginClassifier(tol=1e-6, callbacks=[press]), np.arange(len(X))
    with pytest.raises(KeyboardInterrupt):
        _scores_along(clf, [0.3, 0.1], None, (X, y, None), (rows, rows))
    assert clf.nu == 0.3


def test_many_classes():
    wine, labels = load_wine(return_X_y=True)
    clf = SoftMarginClassifierCV([0.3, 0.1], cv=2).fit(wine, labels)
    assert clf.decision_function(wine).shape == (len(labels), 3)
    assert len(clf.certificate_) == 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"nus": []}, r"nus must hold numbers in \(0, 1\]; got \[\]"),
        ({"nus": "many"}, "nus must hold numbers"),
        ({"nus": 0.5}, "nus must hold numbers"),
        ({"nus": [0.5, 1.5]}, r"each of nus must be a number in \(0, 1\]; got 1.5"),
        ({"tol": 0.0}, "tol must be"),
        ({"scoring": "beauty"}, "beauty"),
        ({"cv": 1}, "n_splits"),
    ],
)
def test_bad_settings(settings, message):
    clf = SoftMarginClassifierCV(**settings)
    with pytest.raises(ValueError, match=message):
        clf.fit(X, y)
    assert not hasattr(clf, "nu_")
