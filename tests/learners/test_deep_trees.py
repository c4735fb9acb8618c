"""Trees deeper than 2 are those that plain NumPy grows, for any number of threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frankboost import BestTree
from learners import greedy
from records import assert_same


def signed_weights(rng, rows, zeros=0.0):
    """On a grid, so that sums are exact and ties are ties in every order."""
    u = rng.integers(1, 64, rows) * rng.choice([-1.0, 1.0], rows) / 2.0**16
    return np.where(rng.random(rows) < zeros, 0.0, u)


def trees_of(X, u, depth, columns=1, jobs=1, **settings_):
    learner = BestTree(depth, columns_per_round=columns, n_jobs=jobs, **settings_)
    return learner.prepare(X, np.ones(len(X)), np.ones(len(X)))(u).hypotheses


@pytest.mark.parametrize("depth", [3, 4, 6])
@pytest.mark.parametrize("max_bins", [255, None])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), missing=st.sampled_from([0.0, 0.2]), zeros=st.sampled_from([0.0, 0.5]))
def test_edge_is_that_of_the_reference(depth, max_bins, seed, missing, zeros):
    """Where coarse bins are all bins."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, rng.integers(2, 30, 4), (70, 4)).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    u = signed_weights(rng, 70, zeros)
    [tree] = trees_of(X, u, depth, max_bins=max_bins)
    assert tree.depth() <= depth
    assert u @ tree(X) == greedy.edge(X, u, depth, greedy.TOPS)


@pytest.mark.parametrize("depth", [3, 5])
def test_one_feature_needs_no_coarse_bins(depth):
    rng = np.random.default_rng(depth)
    X, u = rng.normal(size=(400, 1)), signed_weights(rng, 400)
    [tree] = trees_of(X, u, depth, max_bins=None)
    assert u @ tree(X) == greedy.edge(X, u, depth)


@pytest.mark.parametrize("max_bins", [255, None])
def test_coarse_bins_lose_little(max_bins):
    """Thresholds are those of all bins; only which features a tree has is told by coarse ones."""
    rng = np.random.default_rng(4)
    ratios = []
    for _ in range(10):
        X, u = rng.normal(size=(250, 4)), signed_weights(rng, 250)
        [tree] = trees_of(X, u, 3, max_bins=max_bins)
        ratios.append(u @ tree(X) / greedy.edge(X, u, 3, greedy.TOPS))
    assert np.mean(ratios) > 0.97


@pytest.mark.parametrize("depth", [3, 5])
def test_trees_come_best_first_and_differ(depth):
    rng = np.random.default_rng(depth)
    X, u = rng.normal(size=(300, 6)), signed_weights(rng, 300)
    trees = trees_of(X, u, depth, columns=20)
    votes = np.array([tree(X) for tree in trees])
    assert len(trees) == len(np.unique(votes, axis=0)) == 20
    assert (np.diff(votes @ u) <= 0).all()
    [single] = trees_of(X, u, depth)
    assert u @ single(X) >= 0.97 * (u @ votes[0])


@pytest.mark.parametrize("depth", [3, 6])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_categories_pay_at_least_as_much_as_in_a_tree_of_depth_2(depth, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, [5, 12, 3, 9], (80, 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    u = signed_weights(rng, 80)
    [shallow] = trees_of(X, u, 2, categorical=(0, 1))
    for tree in trees_of(X, u, depth, columns=8, categorical=(0, 1)):
        leaves = tree.feature < 0
        assert (np.abs(tree.value[leaves]) == 1.0).all()
        assert tree.depth() <= depth
    [best] = trees_of(X, u, depth, categorical=(0, 1))
    assert u @ best(X) >= u @ shallow(X)


@pytest.mark.parametrize("depth", [3, 5])
@pytest.mark.parametrize("columns", [1, 20])
def test_threads_give_the_same_trees(depth, columns):
    rng = np.random.default_rng(depth)
    X, u = rng.normal(size=(3000, 12)), signed_weights(rng, 3000, zeros=0.1)
    X[:, 3] = rng.integers(0, 6, 3000)
    X[rng.random(X.shape) < 0.02] = np.nan
    one, *others = (trees_of(X, u, depth, columns, jobs, categorical=(3,)) for jobs in (1, 2, 5))
    for other in others:
        for tree, same in zip(one, other, strict=True):
            assert_same(tree.nodes, same.nodes)
            assert_same(tree.sets, same.sets)


def test_rows_without_weight_do_not_matter():
    rng = np.random.default_rng(0)
    X, u = rng.integers(0, 20, (500, 5)).astype(float), signed_weights(rng, 500)
    more = np.vstack([X, rng.integers(0, 20, (300, 5))])
    trees = trees_of(X, u, 4, columns=5)
    for tree, same in zip(trees, trees_of(more, np.append(u, np.zeros(300)), 4, columns=5), strict=True):
        assert_same(tree.nodes, same.nodes)


def test_a_node_that_is_right_about_its_rows_is_a_leaf():
    rng = np.random.default_rng(1)
    X, u = rng.normal(size=(100, 2)), signed_weights(rng, 100)
    [tree] = trees_of(X, u, 9)
    reach = {0: np.full(100, True)}
    for k in np.flatnonzero(tree.feature >= 0):
        assert len(np.unique(np.sign(u[reach[k]]))) == 2
        left = X[:, tree.feature[k]] <= tree.threshold[k]
        reach[tree.left[k]], reach[tree.right[k]] = reach[k] & left, reach[k] & ~left
    for sign in (1.0, -1.0):
        [leaf] = trees_of(X, sign * np.abs(u), 9)
        np.testing.assert_array_equal(leaf.value, [sign])
    [nothing] = trees_of(X, 0.0 * u, 9)
    np.testing.assert_array_equal(nothing.value, [1.0])


def test_any_depth_that_a_user_may_ask_for():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 2)), np.where(np.arange(12) % 2, 1.0, -1.0)
    few, many = (
        BestTree(depth).prepare(X, y, np.ones(12))(y / 12).hypotheses[0](X) for depth in (12, 10**30)
    )
    np.testing.assert_array_equal(few, many)
