"""Finite classes given as a matrix."""

import numpy as np
import pytest

import reference
from frankboost import (
    BestTree,
    Columns,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    WorstCase,
)
from frankboost.learners.columns import worst_case_margins

rng = np.random.default_rng(0)
H = rng.uniform(-1, 1, (30, 12))
y = rng.choice([-1, 1], 30)
X = np.arange(30.0)[:, None]


@pytest.mark.parametrize("classifier", [LPBoostClassifier, ERLPBoostClassifier, MLPBoostClassifier])
@pytest.mark.parametrize("nu", [0.02, 0.1, 0.5, 1.0])
def test_the_optimum_over_a_given_class(classifier, nu):
    clf = classifier(nu, 0.02, estimator=Columns(H)).fit(X, y)
    optimum = reference.game_value(H * y[:, None], np.full(30, 1 / 30 / nu))
    assert clf.certificate_.exact
    assert clf.certificate_.status == "optimal"
    assert clf.certificate_.soft_margin - 1e-6 <= optimum <= clf.certificate_.bound + 1e-6


def test_several_columns_a_round_reach_the_same_optimum():
    one, many = (
        LPBoostClassifier(0.2, 1e-5, estimator=Columns(H), columns_per_round=k).fit(X, y) for k in (1, 5)
    )
    assert one.certificate_.soft_margin == pytest.approx(many.certificate_.soft_margin, abs=2e-5)
    assert many.n_iter_ < one.n_iter_


def test_the_columns_of_the_rows_predict_on_new_rows():
    clf = LPBoostClassifier(0.3, estimator=Columns()).fit(H, y)
    votes = clf.decision_function(H[:5])
    expected = sum(w * H[:5, h.index] for w, h in zip(clf.estimator_weights_, clf.estimators_, strict=True))
    np.testing.assert_allclose(votes, expected)


def test_a_given_matrix_predicts_on_its_own_rows_only():
    clf = LPBoostClassifier(0.3, estimator=Columns(H)).fit(X, y)
    assert clf.decision_function(X).shape == (30,)
    with pytest.raises(ValueError, match="X must be the training rows"):
        clf.predict(X + 1.0)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (H[:5], "one row for each of the 30 training examples"),
        (H[:, 0], "one row for each"),
        (H[:, :0], "at least one column"),
        (2 * H, r"values in \[-1, 1\]"),
        (np.where(H > 0.9, np.nan, H), r"values in \[-1, 1\]"),
    ],
)
def test_bad_matrices_are_named(matrix, message):
    with pytest.raises(ValueError, match=message):
        LPBoostClassifier(estimator=Columns(matrix)).fit(X, y)


def test_rows_of_weight_0_are_no_training_examples():
    weight = np.arange(30.0)
    with pytest.raises(
        ValueError, match=r"the 29 training examples of positive weight .* got shape \(30, 12\)"
    ):
        LPBoostClassifier(estimator=Columns(H)).fit(X, y, weight)
    clf = LPBoostClassifier(0.3, estimator=Columns(H[1:])).fit(X, y, weight)
    assert clf.predict(X[1:]).shape == (29,)


@pytest.mark.parametrize("learner", [Columns(H, columns_per_round=0), BestTree(columns_per_round=0)])
def test_no_columns_per_round(learner):
    with pytest.raises(ValueError, match="columns_per_round must be an integer >= 1 or None; got 0"):
        LPBoostClassifier(estimator=learner).fit(X, y)


@pytest.mark.parametrize("n", [16, 64, 200])
def test_lpboost_needs_half_as_many_rounds_as_rows_in_the_worst_case(n):
    rows, labels = np.arange(float(n))[:, None], np.tile([1, -1], n // 2)

    def taken(classifier):
        clf = classifier(1 / n, 0.01, estimator=WorstCase()).fit(rows, labels)
        assert clf.certificate_.status == "optimal"
        return clf.n_iter_

    assert taken(LPBoostClassifier) >= n / 2
    assert taken(ERLPBoostClassifier) <= 4
    assert taken(MLPBoostClassifier) <= 4


def test_the_worst_case_matrix():
    n, k, e = 8, 4, 0.1 / 8
    A = worst_case_margins(n)
    assert A.shape == (8, 5)
    np.testing.assert_allclose(A[:k, 0], 1.0)
    np.testing.assert_allclose(A[k, 0], -1 + 2 * e)
    np.testing.assert_allclose(A[k, 1], 1.0)
    np.testing.assert_allclose(A[k + 1, 1], -1 + 4 * e)
    np.testing.assert_allclose(A[k + 2, 1], -1 + 5 * e)
    np.testing.assert_allclose(A[:, -1], [-1 + e] * k + [1 - e] * k)


@pytest.mark.parametrize("n", [2, 7])
def test_the_worst_case_needs_an_even_number_of_rows(n):
    with pytest.raises(ValueError, match=f"even number of rows, at least 4; got {n}"):
        LPBoostClassifier(estimator=WorstCase()).fit(np.zeros((n, 1)), np.arange(n) % 2)
