"""Votes for many classes, each against the rest, on one scale: the largest is for the most probable class."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine

from frankboost import CertificateError, SoftMarginClassifier, SoftMarginClassifierCV, load, save, verify
from frankboost.choosing.calibration import HeldOutVotes, fit_line
from frankboost.choosing.leaves import shrink_vote
from frankboost.learners.tree import constant
from frankboost.model import Vote


def drawn(rows, seed=0):
    """Three classes of unequal size, of which one is hardly ever the most probable one."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(rows, 4))
    score = np.column_stack([Z[:, 0], Z[:, 1] + 0.5, np.full(rows, -1.0)]) + rng.gumbel(size=(rows, 3))
    return Z, score.argmax(axis=1)


def some_digits():
    X, y = load_digits(return_X_y=True)
    return X[:600:2, 16:48], y[:600:2]


SETS = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "drawn": lambda: drawn(500),
    "digits": some_digits,
}


@pytest.mark.parametrize("name", SETS)
def test_vote_label_and_probability_agree_on_every_row(name):
    X, y = SETS[name]()
    clf = SoftMarginClassifier().fit(X, y)
    rng = np.random.default_rng(1)
    fresh = np.r_[X, rng.uniform(X.min(axis=0), X.max(axis=0), (1000, X.shape[1]))]
    votes, p = clf.decision_function(fresh), clf.predict_proba(fresh)
    np.testing.assert_array_equal(clf.predict(fresh), clf.classes_[votes.argmax(axis=1)])
    np.testing.assert_array_equal(clf.predict(fresh), clf.classes_[p.argmax(axis=1)])
    assert 0.0 < p.min() < p.max() < 1.0
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_every_vote_is_certified(tmp_path):
    X, y = drawn(500)
    clf = SoftMarginClassifier().fit(X, y)
    assert verify(clf, X, y) == clf.certificate_
    assert all(each.in_use < each.soft_margin for each in clf.certificate_)
    save(clf, tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.decision_function(X), clf.decision_function(X))
    np.testing.assert_array_equal(again.predict(X), clf.predict(X))
    clf.estimator_weights_ = [clf.estimator_weights_[0][::-1], *clf.estimator_weights_[1:]]
    with pytest.raises(CertificateError):
        verify(clf, X, y)


def test_a_weight_of_two_is_the_row_twice_to_the_last_bit():
    X, y = drawn(150)
    weight = np.random.default_rng(3).integers(0, 4, len(y))
    weighted = SoftMarginClassifier().fit(X, y, weight)
    order = np.random.default_rng(4).permutation(weight.sum())
    repeated = SoftMarginClassifier().fit(X.repeat(weight, axis=0)[order], y.repeat(weight)[order])
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_probabilities_are_as_large_as_the_classes_are_frequent():
    X, y = drawn(3000)
    p = SoftMarginClassifier().fit(X, y).predict_proba(drawn(3000, seed=7)[0])
    np.testing.assert_allclose(p.mean(axis=0), np.bincount(y) / len(y), atol=0.03)


def test_the_depth_is_chosen_for_each_class_in_a_cross_validation():
    X, y = drawn(300)
    clf = SoftMarginClassifierCV(max_depth=[1, 2], cv=3).fit(X, y)
    np.testing.assert_array_equal(clf.predict(X), clf.decision_function(X).argmax(axis=1))


def test_votes_are_the_optima_where_a_class_cannot_be_held_out():
    X, y = drawn(200)
    y[:] = np.where(y == 2, 1, y)
    y[0] = 2
    with pytest.warns(UserWarning, match="no rows can be held out"):
        clf = SoftMarginClassifier().fit(X, y)
    assert all(each.in_use is None for each in clf.certificate_)
    np.testing.assert_array_equal(clf.predict(X), clf.decision_function(X).argmax(axis=1))
    assert verify(clf, X, y) == clf.certificate_


@pytest.mark.parametrize("share", [1.0, 0.25])
def test_a_constant_tree_shrinks_a_vote(share):
    vote = shrink_vote(Vote([constant(1.0), constant(-1.0)], np.array([0.75, 0.25])), share)
    assert vote.weights.sum() == 1.0
    rows = np.zeros((1, 1))
    total = sum(w * tree(rows)[0] for tree, w in zip(vote.hypotheses, vote.weights, strict=True))
    assert total == pytest.approx(0.5 * share)


def held_out(slope, height, rows=20_000):
    rng = np.random.default_rng(0)
    votes = rng.uniform(-1.0, 1.0, rows)
    target = rng.random(rows) < 1.0 / (1.0 + np.exp(-slope * votes - height))
    return HeldOutVotes(votes, target, np.ones(rows))


@pytest.mark.parametrize(("slope", "height"), [(3.0, 0.5), (8.0, -9.0)])
def test_the_line_of_log_odds(slope, height):
    known = held_out(slope, height)
    assert fit_line(known) == (pytest.approx(slope, rel=0.1), pytest.approx(height, rel=0.1))
    centred, zero = known.centre_by_line()
    assert zero == pytest.approx(-height / slope, abs=0.05)
    assert fit_line(centred) == (pytest.approx(slope * (1.0 + abs(zero)), rel=0.1), 0.0)


def test_votes_that_rank_the_wrong_way_round_keep_their_order():
    slope, height = fit_line(held_out(-2.0, -1.0))
    assert slope > 0.0
    assert height == pytest.approx(-0.8, abs=0.1)  # the class is as probable as it is frequent
