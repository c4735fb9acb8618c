"""Importances: mean absolute effects of the terms, as if the features were independent."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from frankboost import SoftMarginClassifier
from frankboost.estimators.prediction import encoding_of
from frankboost.learners.best_tree import BestTree
from frankboost.shapes import importances_of


def noisy(seed, count=1500):
    """Four features that matter, four numbers that do not, and two codes of 50 values that do not either."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(count, 8))
    kind = rng.integers(0, 4, count)
    z = 1.5 * numbers[:, 0] + np.abs(numbers[:, 1]) + numbers[:, 2] * numbers[:, 3] + kind / 2 - 1.5
    X = pd.DataFrame(numbers, columns=[*(f"x{f}" for f in range(4)), *(f"noise{f}" for f in range(4))])
    codes = {f"code{f}": [f"c{code}" for code in rng.integers(0, 50, count)] for f in range(2)}
    return X.assign(kind=np.array([*"abcd"])[kind], **codes), z + rng.logistic(size=count) > 0.0


def halves_of(shapes, features):
    """The effects of all terms, a pair's for each of its features half, from the weights of the bins."""
    found = np.zeros(features)
    for term in shapes.terms:
        f, *g = (bins.weights for bins in term.bins)
        weights = np.multiply.outer(f, *g) if g else f
        found[list(term.features)] += (weights * np.abs(term.values)).sum() / len(term.bins)
    return found


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("nu", [0.3, "auto"])  # whose leaves may say how sure they are
def test_they_are_the_effects_of_the_terms(depth, nu):
    X, y = noisy(0, 300)
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    weight = np.random.default_rng(2).integers(0, 3, len(X))
    clf = SoftMarginClassifier(nu, max_depth=depth, max_iter=20).fit(X, y, sample_weight=weight)
    expected = halves_of(clf.shapes(X, sample_weight=weight), X.shape[1])
    np.testing.assert_allclose(clf.feature_importances_, expected / expected.sum(), atol=1e-12)


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_of_many_classes_they_are_a_mean(multi_class):
    X, y = load_iris(return_X_y=True)
    clf = SoftMarginClassifier(0.3, multi_class=multi_class).fit(X, y)
    sizes = np.array([halves_of(each, 4) for each in clf.shapes(X)])
    if multi_class == "ovr":  # votes of ensembles of their own have scales of their own
        sizes /= sizes.sum(axis=1, keepdims=True)
    mean = sizes.mean(axis=0)
    np.testing.assert_allclose(clf.feature_importances_, mean / mean.sum(), atol=1e-12)


def test_all_thresholds():
    X, y = noisy(3, 200)
    X = X.select_dtypes("number")
    clf = SoftMarginClassifier(0.3, max_bins=None, max_iter=5).fit(X, y)
    expected = halves_of(clf.shapes(X), 8)
    np.testing.assert_allclose(clf.feature_importances_, expected / expected.sum(), atol=1e-12)


def test_many_categories_do_not_lead_by_their_number():
    """What splits add to the edge gave the two codes more than three fifths of all."""
    X, y = noisy(5)
    clf = SoftMarginClassifier(0.3).fit(X, y)
    codes = X.columns.str.startswith("code")
    assert 0.2 < clf.feature_importances_[codes].sum() < 0.45
    signs = np.where(y, 1.0, -1.0)
    oracle = BestTree(categorical=(8, 9, 10)).prepare(encoding_of(clf)(X), signs, np.ones(len(y)))
    gains = clf.estimator_weights_ @ oracle.gains(clf.estimators_, clf.distribution_ * signs)
    assert (gains / gains.sum())[codes].sum() > 0.6


def test_a_vote_that_is_constant_has_none():
    clf = SoftMarginClassifier(1.0, max_depth=1).fit(np.zeros((4, 2)), [0, 1, 1, 1])
    assert importances_of(clf.model_.ensembles) is None  # a model keeps no weights
    assert clf.feature_importances_.tolist() == [0.0, 0.0]
