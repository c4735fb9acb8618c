"""The training set: equal rows made one change nothing but the time."""

import numpy as np
import pytest

from frankboost import SoftMarginClassifier, verify
from frankboost.fitting import problems
from frankboost.fitting.problems import make_training_sets
from frankboost.tables.labelled import check_training_data


def discrete(rows, seed=0, missing=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (rows, 4)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=rows) > 2, "yes", "no")
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], rows)
    return np.where(rng.random(X.shape) < 0.1, np.nan, X) if missing else X, y, weight


def training_set(X, y, weight):
    [rows] = make_training_sets(check_training_data(SoftMarginClassifier(), X, y, weight))
    return rows


@pytest.mark.parametrize("missing", [False, True])
def test_merged_rows_carry_their_weights(missing):
    X, y, weight = discrete(500, missing=missing)
    plain = training_set(X, y, weight)
    merged = plain.with_merged_rows()
    assert len(merged.y) < 0.7 * len(plain.y)
    assert merged.sample_weight.sum() == pytest.approx(plain.sample_weight.sum())
    rows = np.column_stack([np.nan_to_num(merged.X, nan=-1.0), merged.y])
    assert len(np.unique(rows, axis=0)) == len(rows)
    inside, place = merged.shares.nonzero()
    np.testing.assert_array_equal(inside, np.flatnonzero(weight))
    np.testing.assert_array_equal(merged.X[place], X[inside])
    # Weights spread over the rows again are the weights that were given.
    np.testing.assert_allclose(merged.shares @ merged.sample_weight, weight)


def test_rows_that_differ_stay():
    X = np.random.default_rng(0).normal(size=(50, 2))
    plain = training_set(X, np.arange(50) % 2, None)
    assert plain.with_merged_rows() is plain


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("nu", [0.001, 0.2])
def test_the_fit_is_the_same(monkeypatch, nu, missing):
    X, y, weight = discrete(600, seed=1, missing=missing)
    merged = SoftMarginClassifier(nu, 1e-3).fit(X, y, weight)
    monkeypatch.setattr(problems, "MOST_DISTINCT", -1.0)
    plain = SoftMarginClassifier(nu, 1e-3).fit(X, y, weight)
    for clf in (merged, plain):
        assert clf.certificate_.status == "optimal"
        verify(clf, X, y, weight)
    assert merged.certificate_.soft_margin <= plain.certificate_.bound + 1e-12
    assert plain.certificate_.soft_margin <= merged.certificate_.bound + 1e-12
    assert merged.distribution_.shape == y.shape
    assert (merged.distribution_[weight == 0] == 0).all()
