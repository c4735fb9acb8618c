"""Wrong labels of a table, from fit to flags."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.metrics import average_precision_score

from frankboost import SoftMarginClassifier, label_issues
from frankboost.datasets import twonorm


@pytest.fixture(scope="module")
def turned():
    """Rows, labels of which 60 are wrong, and which."""
    data = twonorm(600, 0)
    wrong = np.zeros(600, dtype=bool)
    wrong[np.random.default_rng(0).choice(600, 60, replace=False)] = True
    return data.X, np.where(wrong, -data.y, data.y), wrong


def test_wrong_labels_are_found(turned):
    X, y, wrong = turned
    found = label_issues(X, y)
    assert average_precision_score(wrong, -found.label_quality) > 0.85
    assert 40 <= found.is_label_issue.sum() <= 85
    assert (found.predicted_label[found.is_label_issue] == -y[found.is_label_issue]).all()


def test_noise_of_one_side_is_flagged_on_that_side(turned):
    X, y, wrong = turned
    y = np.where(wrong, -y, y)
    pool = np.flatnonzero(y == 1)[:60]
    y[pool] = -1
    found = label_issues(X, y)
    assert (found.given_label[found.is_label_issue] == -1).mean() > 0.85
    assert found.joint[0, 1] > 3.0 * found.joint[1, 0]


def test_a_fitted_classifier_tells_the_same_again(turned):
    X, y, wrong = turned
    clf = SoftMarginClassifier(nu=0.4).fit(X, y)
    found, again = clf.label_issues(X, y), clf.label_issues(X, y)
    np.testing.assert_array_equal(found.label_quality, again.label_quality)
    np.testing.assert_array_equal(found.margin, clf.margins(X, y))
    np.testing.assert_array_equal(found.weight, clf.distribution_)
    assert average_precision_score(wrong, -found.label_quality) > 0.85
    auto = SoftMarginClassifier().fit(X, y)
    assert average_precision_score(wrong, -auto.label_issues(X, y, repeats=1).label_quality) > 0.7


def test_many_classes_text_and_categories():
    X, y = load_wine(return_X_y=True, as_frame=True)
    X["origin"] = pd.Categorical(np.where(X["alcohol"] > 13, "north", "south"))
    labels = y.map({0: "a", 1: "b", 2: "c"}).to_numpy(copy=True)
    labels[[3, 20, 40]] = "c"
    found = label_issues(X, labels)
    assert set(found.index[:4].tolist()) >= {3, 20, 40}
    assert found.predicted_label[[3, 20, 40]].tolist() == ["a", "a", "a"]


def test_rows_without_weight_are_not_judged(turned):
    X, y, _ = turned
    weight = np.where(np.arange(600) < 50, 0.0, 2.0)
    found = label_issues(X, y, sample_weight=weight)
    without = label_issues(X[50:], y[50:])
    assert np.isnan(found.label_quality[:50]).all()
    assert not found.is_label_issue[:50].any()
    np.testing.assert_allclose(found.label_quality[50:], without.label_quality, atol=1e-6)


def test_few_labels_are_flagged_where_none_is_wrong():
    data = twonorm(600, 1)
    right = (data.X.sum(axis=1) > 0) == (data.y > 0)
    assert label_issues(data.X, data.y).is_label_issue[right].mean() <= 0.02


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.ones(30), "y must hold at least two classes"),
        (
            np.arange(30) == 7,
            "y must have at least two rows of every class for label_issues, .*; True has one",
        ),
        (np.linspace(0, 1, 30), "y must hold the labels of classes"),
        ([None, *"ab" * 14, "a"], "y must have a label in every row"),
        (np.arange(29) % 2, "y must have one label for each of the 30 rows of X; got 29"),
    ],
)
def test_labels_that_cannot_be_judged(y, message):
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(ValueError, match=message):
        label_issues(X, y)


def test_other_rows_than_those_of_the_fit(turned):
    X, y, _ = turned
    clf = SoftMarginClassifier(nu=0.4).fit(X, y)
    for look in (clf.hard_examples, clf.label_issues):
        with pytest.raises(ValueError, match="X must have the 600 rows of the fit; got 599 rows"):
            look(X[1:], y[1:])
        with pytest.raises(ValueError, match="X and y must be the rows of the fit, in the same order"):
            look(X[::-1], y[::-1])
    with pytest.raises(ValueError, match="y must hold the classes"):
        clf.label_issues(X, y + 5)
    with pytest.raises(ValueError, match="repeats must be an integer >= 1; got 0"):
        clf.label_issues(X, y, repeats=0)


def test_inside_cleanlab():
    classification = pytest.importorskip("cleanlab.classification")
    X, y = load_breast_cancer(return_X_y=True)
    y[:20] = 1 - y[:20]
    found = classification.CleanLearning(SoftMarginClassifier(nu=0.2), cv_n_folds=3).find_label_issues(X, y)
    names = ["is_label_issue", "label_quality", "given_label", "predicted_label"]
    assert set(names) <= set(found.columns)
    assert found["is_label_issue"][:20].sum() >= 12


def test_a_setting_that_does_not_exist():
    with pytest.raises(TypeError, match=r"^SoftMarginClassifier.__init__\(\) got an unexpected .* 'foo'"):
        label_issues([[0.0], [1.0]], [0, 1], foo=3)
    with pytest.raises(TypeError, match=r"^SoftMarginClassifier.label_issues\(\) got an unexpected .* 'foo'"):
        SoftMarginClassifier().label_issues([[0.0]], [0], foo=3)
