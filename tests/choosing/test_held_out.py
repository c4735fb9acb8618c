"""Folds leave every class something to fit, or say which argument is to blame."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from frankboost import SoftMarginClassifier, SoftMarginClassifierCV
from frankboost.choosing.held_out import check_folds, make_folds

X = load_iris().data[:61]
ONE = np.array(["a"] * 30 + ["b"] * 30 + ["c"])


@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize(
    ("clf", "name"),
    [
        (SoftMarginClassifierCV(cv=2), "cv"),
        (SoftMarginClassifier(0.3, calibration=2), "calibration"),
    ],
)
def test_a_single_row_cannot_be_held_out(clf, name):
    with pytest.raises(ValueError, match=f"two rows of every class for {name}, which .*; 'c' has one"):
        clf.fit(X, ONE)
    assert not hasattr(clf, "model_")


def test_few_rows_make_fewer_folds():
    clf = SoftMarginClassifierCV([0.5], 0.1, max_depth=1).fit(X[27:33], ONE[27:33])
    assert "split2_test_score" in clf.cv_results_
    assert "split3_test_score" not in clf.cv_results_


def test_a_single_row_may_stay_among_those_to_fit():
    folds = [(np.r_[0:20, 30:50, 60], np.r_[20:30, 50:60]), (np.r_[10:30, 40:61], np.r_[0:10, 30:40])]
    clf = SoftMarginClassifierCV([0.3], 0.1, max_depth=1, cv=folds).fit(X, ONE)
    assert clf.classes_.tolist() == ["a", "b", "c"]


def test_folds_that_leave_a_class_out():
    folds = [(np.r_[0:5, 30:35], np.r_[5:30]), (np.r_[0:30], np.r_[30:60])]
    with pytest.raises(ValueError, match=r"fold 1 leaves only \['a'\] of the classes \['a', 'b'\]"):
        check_folds("cv", folds, ONE[:60], np.ones(60, dtype=bool))


@pytest.mark.parametrize("many", [4, 10**30])
def test_more_folds_than_rows_of_a_class(many):
    X, y = np.arange(5.0)[:, None], [0, 0, 0, 1, 1]
    for clf, name in (
        (SoftMarginClassifier(0.5, calibration=many), "calibration"),
        (SoftMarginClassifierCV(cv=many), "cv"),
    ):
        with pytest.raises(
            ValueError,
            match=f"{name} must be at most 3, the number of rows in the largest class .n_samples=5.; got",
        ):
            clf.fit(X, y)


def test_a_class_with_fewer_rows_than_folds_is_no_matter():
    labels = np.array(["a"] * 30 + ["b"] * 28 + ["c"] * 3)
    assert SoftMarginClassifierCV([0.5], 0.1, max_depth=1).fit(X, labels).classes_.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    "clf",
    [
        SoftMarginClassifier(0.3, 0.1, calibration=2, max_depth=1),
        SoftMarginClassifierCV([0.5, 0.3], 0.1, max_depth=1),
        SoftMarginClassifierCV([0.5, 0.3], 0.1, max_depth=1, cv=3),
        SoftMarginClassifierCV([0.5, 0.3], 0.1, max_depth=1, scoring="accuracy", calibration=2),
    ],
    ids=str,
)
def test_a_row_without_weight_is_no_row(clf):
    weight = (np.arange(61) % 3 > 0).astype(float)
    weight[60] = 0.0  # the only one of its class
    some = weight > 0.0
    one, other = clone(clf).fit(X, ONE, weight), clone(clf).fit(X[some], ONE[some])
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_folds_that_are_given_number_all_rows():
    folds = [(list(range(0, 60, 2)), list(range(1, 60, 2))), (list(range(1, 60, 2)), list(range(0, 60, 2)))]
    weight = np.where(np.arange(61) < 6, 0.0, 1.0)
    weight[60] = 0.0
    found = make_folds("cv", folds, ONE, weight > 0.0)
    assert [(train.tolist(), test.tolist()) for train, test in found] == [
        ([k for k in train if k >= 6], [k for k in test if k >= 6]) for train, test in folds
    ]
