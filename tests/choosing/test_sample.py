"""The rows that nu is chosen on."""

import numpy as np
import pytest

from frankboost import SoftMarginClassifier
from frankboost.choosing import sample
from frankboost.choosing.held_out import BLOCK, row_keys
from frankboost.choosing.sample import are_sampled, draw_sample, key_limits, rescale_weights, smallest_keys
from frankboost.fitting.problems import Problems
from frankboost.grid import exact_sum
from frankboost.learners.rows import SparseRows


@pytest.fixture
def few(monkeypatch):
    """Let a sample have few rows."""
    monkeypatch.setattr(sample, "SAMPLE_ROWS", 200)
    monkeypatch.setattr(sample, "MIN_CLASS_SAMPLE", 20)


def rows(m=900, n=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n)).round(1)
    y = (X[:, 0] + rng.normal(size=m) > 1.0).astype(int)
    return X, y, rng.integers(1, 4, m).astype(float)


def sampled(X, y, weight, seed=0):
    data = Problems.of(SoftMarginClassifier(), X, y, weight).data
    return draw_sample(data, seed)


def content(found):
    """The rows of a sample in an order of their own."""
    [rows] = found.sets
    table = np.column_stack([rows.X, rows.y, rows.sample_weight])
    return table[np.lexsort(table.T)]


def test_all_of_few_rows_are_in_it():
    X, y, weight = rows()
    found = sampled(X, y, weight)
    assert found.carries.all()
    assert len(found.sets[0].y) == len(y)


def test_classes_keep_their_shares(few):
    X, y, weight = rows()
    found = sampled(X, y, weight)
    [some] = found.sets
    assert found.carries.sum() == len(some.y) < len(y)
    share = some.sample_weight[some.y > 0.0].sum() / some.sample_weight.sum()
    assert share == pytest.approx(weight[y == 1].sum() / weight.sum())
    assert some.sample_weight.sum() == pytest.approx(weight[found.carries].sum())


def test_the_order_of_the_rows_does_not_matter(few):
    X, y, weight = rows()
    order = np.random.default_rng(1).permutation(len(y))
    np.testing.assert_allclose(
        content(sampled(X, y, weight)), content(sampled(X[order], y[order], weight[order]))
    )


def test_a_seed_takes_other_rows(few):
    X, y, weight = rows()
    assert (sampled(X, y, weight, 0).carries != sampled(X, y, weight, 1).carries).any()


def test_parts_of_the_rows_find_the_limits_of_all(few):
    X, y, _ = rows()
    keys = row_keys(X, 3)
    whole = key_limits([smallest_keys(keys, y, 2, 101)], 100)
    parts = [slice(0, 100), slice(100, 101), slice(101, None)]
    np.testing.assert_array_equal(
        key_limits([smallest_keys(keys[each], y[each], 2, 101) for each in parts], 100), whole
    )
    for k in range(2):
        assert len(np.unique(keys[are_sampled(keys, y, whole) & (y == k)])) == 100


def test_weights_stand_for_those_of_all_rows():
    code, weight = np.array([0, 0, 1]), np.array([1.0, 2.0, 3.0])
    found = rescale_weights([exact_sum(np.array([9.0])), exact_sum(np.array([3.0]))], code, weight)
    np.testing.assert_allclose(found, [1.5, 3.0, 1.5])


def test_a_fit_chooses_on_it_and_is_about_all_rows(few):
    X, y, weight = rows(m=2000)
    clf = SoftMarginClassifier().fit(X, y, weight)
    assert clf.certificate_.gap <= clf.tol
    assert clf.certificate_.scope.rows == 2000
    assert clf.score(X, y) > 0.7


def test_keys_are_the_same_in_blocks_by_threads_and_of_a_sparse_matrix():
    rng = np.random.default_rng(0)
    Z = np.where(rng.random((BLOCK + 100, 3)) < 0.2, rng.normal(size=(BLOCK + 100, 3)), 0.0)
    Z[::50, 1] = np.nan
    keys = row_keys(Z, 1)
    np.testing.assert_array_equal(np.concatenate([row_keys(Z[:10], 1), row_keys(Z[10:], 1)]), keys)
    np.testing.assert_array_equal(row_keys(Z, 1, threads=2), keys)
    np.testing.assert_array_equal(row_keys(SparseRows(Z), 1), keys)
