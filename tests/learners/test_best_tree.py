"""BestTree equals brute force, whatever the data and the number of threads."""

import inspect
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from frankboost import BestTree
from frankboost.learners.tree import vote
from records import assert_same


@st.composite
def problems(draw, most_rows=14):
    """Small data with ties, constant columns and missing values, labels and a distribution."""
    m, n = draw(st.integers(2, most_rows)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    columns = []
    for _ in range(n):
        kind = draw(st.sampled_from(["few", "many", "constant", "missing", "all missing"]))
        column = {
            "few": rng.integers(0, 3, m).astype(float),
            "many": rng.normal(size=m),
            "constant": np.full(m, 2.5),
            "missing": np.where(rng.random(m) < 0.3, np.nan, rng.integers(0, 4, m)),
            "all missing": np.full(m, np.nan),
        }[kind]
        columns.append(column)
    y = rng.choice([-1.0, 1.0], m)
    sparse = draw(st.booleans())
    d = rng.dirichlet(np.full(m, 0.3 if sparse else 5.0))
    d = np.where(d < 1e-3, 0.0, d) if sparse else np.full(m, 1 / m) if draw(st.booleans()) else d
    return np.column_stack(columns), y, d / d.sum()


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("max_bins", [255, None, 2])
@settings(max_examples=120, deadline=None)
@given(problems())
def test_edge_equals_brute_force(depth, max_bins, problem):
    X, y, d = problem
    oracle = BestTree(max_depth=depth, max_bins=max_bins).prepare(X, y, np.ones(len(y)))
    assert oracle.exact
    [tree] = oracle(d * y).hypotheses
    edge = d @ (y * tree(X))
    best = reference.best_edge(X, d * y, depth, oracle.hypothesis_class.thresholds)
    assert edge == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("depth", [1, 2])
@settings(max_examples=30, deadline=None)
@given(problems(most_rows=8))
def test_edge_equals_the_enumerated_class(depth, problem):
    """A second brute force that shares nothing with the first: every tree, literally."""
    X, y, d = problem
    [tree] = BestTree(max_depth=depth, max_bins=None).prepare(X, y, np.ones(len(y)))(d * y).hypotheses
    assert d @ (y * tree(X)) == pytest.approx((reference.tree_values(X, depth) @ (d * y)).max(), abs=1e-12)


@pytest.mark.parametrize("rows", [60, 400])
def test_many_features_of_few_values_and_many_rows(rows):
    """Tables in fixed point, beside those of features with missing values or with one common value."""
    rng = np.random.default_rng(rows)
    X = rng.integers(0, 4, (rows, 34)).astype(float)
    X[:, 0] = np.where(rng.random(rows) < 0.2, np.nan, X[:, 0])
    X[:, 1:3] = rng.random((rows, 2)) < 0.05
    y, d = rng.choice([-1.0, 1.0], rows), rng.dirichlet(np.ones(rows))
    oracle = BestTree(columns_per_round=5).prepare(X, y, np.ones(rows))
    trees = oracle(d * y).hypotheses
    edges = [d @ (y * tree(X)) for tree in trees]
    best = reference.best_edge(X, d * y, 2, oracle.hypothesis_class.thresholds)
    assert edges == sorted(edges, reverse=True)
    assert edges[0] == pytest.approx(best, abs=1e-12)


def test_where_columns_are_many_and_dense_a_coarse_search_brings_more_trees():
    def trees_of(columns, values):
        thresholds = (np.arange(float(values - 1)),) * columns
        return BestTree(thresholds=thresholds, columns_per_round=20).coarse().columns_per_round

    assert (trees_of(99, 16), trees_of(100, 15), trees_of(100, 16)) == (20, 20, 60)


def test_the_search_of_deep_trees_is_coarse():
    thresholds = (np.arange(100.0),) * 2
    coarse = [BestTree(depth, thresholds=thresholds).coarse().thresholds for depth in (1, 2, 3)]
    assert [[len(each) for each in found] for found in coarse] == [[100, 100], [100, 100], [63, 63]]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("m", "max_bins"), [(300, 255), (4000, 63), (500, None)])
def test_threads_give_the_same_tree(depth, m, max_bins):
    rng = np.random.default_rng(m)
    X = rng.normal(size=(m, 6))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 5] = np.round(X[:, 5])
    y, d = rng.choice([-1.0, 1.0], m), rng.dirichlet(np.ones(m))
    answers = [
        BestTree(depth, max_bins, columns_per_round=4, n_jobs=jobs)
        .prepare(X, y, np.ones(m))(d * y)
        .hypotheses
        for jobs in (1, 2, 4)
    ]
    for other in answers[1:]:
        for tree, same in zip(answers[0], other, strict=True):
            assert_same(tree.nodes, same.nodes)


def test_one_tree_for_each_root_feature_best_first():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 5)), rng.choice([-1.0, 1.0], 200)
    d = rng.dirichlet(np.ones(200))
    trees = BestTree(columns_per_round=4).prepare(X, y, np.ones(200))(d * y).hypotheses
    edges = [d @ (y * tree(X)) for tree in trees]
    assert len({tree.feature[0] for tree in trees}) == len(trees) == 4
    assert edges == sorted(edges, reverse=True)


def test_where_features_are_few_one_tree_for_each_choice_of_three():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 3)), rng.choice([-1.0, 1.0], 200)
    d = rng.dirichlet(np.ones(200))
    one = BestTree(columns_per_round=3).prepare(X, y, np.ones(200))(d * y).hypotheses
    for columns in (4, 12, 10**30):
        trees = BestTree(columns_per_round=columns).prepare(X, y, np.ones(200))(d * y).hypotheses
        edges = [d @ (y * tree(X)) for tree in trees]
        assert 3 < len(trees) <= min(columns, 27)
        assert edges == sorted(edges, reverse=True)
        kinds = {tuple(tree.feature[[0, tree.left[0], tree.right[0]]].tolist()) for tree in trees}
        assert len(kinds) == len(trees)
        assert str(trees[0]) == str(one[0])
        if columns > 4:  # the best of each root feature is among them
            assert {str(tree) for tree in one} <= {str(tree) for tree in trees}


@pytest.mark.parametrize("kind", ["number", "missing", "few categories", "many categories"])
@pytest.mark.parametrize("columns", [1, 4, 100])
@pytest.mark.parametrize("m", [64, 4096])  # sums of 1 / m are exact
def test_a_stump_that_pays_as_much_comes_before_larger_trees(m, columns, kind):
    """Larger ones may be as right on these rows, and wrong on others."""
    rng = np.random.default_rng(m)
    values = {"few categories": 5, "many categories": 10}.get(kind, 50)
    X = rng.integers(0, values, (m, 12)).astype(float)
    if kind == "missing":
        X[rng.random(m) < 0.2, 7] = np.nan
    of_seven = {"few categories": np.isin(X[:, 7], [1, 3]), "many categories": X[:, 7] == 4.0}
    y = np.where(of_seven.get(kind, ~(X[:, 7] <= 20.0)), 1.0, -1.0)
    learner = BestTree(columns_per_round=columns, categorical=(7,) if "categories" in kind else ())
    stump = learner.prepare(X, y, np.ones(m))(y / m).hypotheses[0]
    np.testing.assert_array_equal(stump(X), y)
    assert stump.feature.tolist() == [7, -1, -1]


def test_deeper_trees_never_pay_less_and_say_they_are_heuristic():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(150, 4)), rng.choice([-1.0, 1.0], 150)
    d = rng.dirichlet(np.ones(150))
    edges = []
    for depth in (1, 2, 3, 4, 6):
        oracle = BestTree(max_depth=depth).prepare(X, y, np.ones(150))
        [tree] = oracle(d * y).hypotheses
        edges.append(d @ (y * tree(X)))
        assert oracle.exact == (depth <= 2)
    assert edges == sorted(edges)
    assert "greedily" in str(oracle.hypothesis_class)


def test_missing_values_follow_their_side_at_prediction():
    X = np.array([[0.0], [1.0], [np.nan], [np.nan], [2.0]])
    y = np.array([-1.0, 1.0, -1.0, -1.0, 1.0])
    [tree] = BestTree(max_depth=1).prepare(X, y, np.ones(5))(y * np.full(5, 0.2)).hypotheses
    np.testing.assert_array_equal(tree(X), y)
    np.testing.assert_array_equal(tree(np.array([[np.nan], [0.2], [9.0]])), [-1, -1, 1])


@pytest.mark.parametrize("max_bins", [2, 255, None])
@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_whether_a_value_is_missing_is_a_split(depth, max_bins):
    """Also among many features and rows that say nothing, from which deep trees take some."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 80 if depth > 2 else 3))
    X[rng.random(X.shape) < 0.5] = np.nan
    y = np.where(np.isnan(X[:, 1]), 1.0, -1.0)
    [tree] = BestTree(depth, max_bins).prepare(X, y, np.ones(3000))(y / 4096).hypotheses
    np.testing.assert_array_equal(tree(X), y)
    np.testing.assert_array_equal(tree(np.array([np.nan, 0.0, 1.7e308])[:, None].repeat(80, 1)), [1, -1, -1])


def test_what_is_missing_comes_before_a_threshold_that_pays_the_same():
    """Rows without weight say nothing about the side of theirs."""
    X, u = np.array([[1.0], [2.0], [3.0], [np.nan]]), np.array([0.0, -0.25, -0.25, 0.5])
    [tree] = BestTree(1).prepare(X, np.ones(4), np.ones(4))(u).hypotheses
    assert str(tree) == "if x0 is not missing:\n  -1\nelse:\n  +1"


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_gains_are_what_each_split_adds_to_the_edge(depth):
    rng = np.random.default_rng(3)
    X, y, d = rng.normal(size=(80, 3)), rng.choice([-1.0, 1.0], 80), rng.dirichlet(np.ones(80))
    oracle = BestTree(depth, columns_per_round=3).prepare(X, y, np.ones(80))
    trees = oracle(d * y).hypotheses
    expected = np.zeros((len(trees), 3))
    for row, tree in zip(expected, trees, strict=True):
        reach = {0: np.full(80, True)}
        for k in np.flatnonzero(tree.feature >= 0):
            left = X[:, tree.feature[k]] <= tree.threshold[k]
            reach[tree.left[k]], reach[tree.right[k]] = reach[k] & left, reach[k] & ~left
            parts = [abs((d * y)[reach[node]].sum()) for node in (tree.left[k], tree.right[k], k)]
            row[tree.feature[k]] += parts[0] + parts[1] - parts[2]
    np.testing.assert_allclose(oracle.gains(trees, d * y), expected, atol=1e-12)


def test_a_single_row_of_weight_and_a_constant_class():
    X = np.zeros((3, 2))
    y = np.array([1.0, -1.0, -1.0])
    [tree] = BestTree().prepare(X, y, np.ones(3))(y * np.array([0.2, 0.3, 0.5])).hypotheses
    np.testing.assert_array_equal(tree(X), [-1, -1, -1])


def test_vote_adds_up_the_trees():
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(100, 3)), rng.choice([-1.0, 1.0], 100)
    trees = BestTree(columns_per_round=3).prepare(X, y, np.ones(100))(y * np.full(100, 0.01)).hypotheses
    w = np.array([0.5, 0.3, 0.2])
    expected = sum(v * tree(X) for v, tree in zip(w, trees, strict=True))
    for threads in (1, 2, 4):
        np.testing.assert_allclose(vote(trees, w, X, threads), expected, atol=1e-15)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("rows", [1, 255, 1000])
def test_votes_are_walks(depth, rows):
    """Small trees are evaluated whole, large ones row by row; a row of X walks the same way in both."""
    rng = np.random.default_rng(depth)
    X, y = rng.normal(size=(500, 4)), rng.choice([-1.0, 1.0], 500)
    X[rng.random(X.shape) < 0.1] = np.nan
    [tree] = BestTree(max_depth=depth).prepare(X, y, np.ones(500))(y * np.full(500, 1 / 500)).hypotheses
    unseen = rng.normal(size=(rows, 4))
    unseen[rng.random(unseen.shape) < 0.2] = np.nan

    def walk(x, k=0):
        f = tree.feature[k]
        if f < 0:
            return tree.value[k]
        left = tree.missing_left[k] if np.isnan(x[f]) else x[f] <= tree.threshold[k]
        return walk(x, (tree.left if left else tree.right)[k])

    np.testing.assert_array_equal(tree(unseen), [walk(x) for x in unseen])


@pytest.mark.parametrize(
    ("settings_", "error", "message"),
    [
        ({"max_depth": 0}, ValueError, "max_depth must be an integer >= 1; got 0"),
        ({"max_depth": 2.5}, TypeError, "max_depth must be an integer >= 1; got 2.5"),
        ({"max_bins": 256}, ValueError, r"max_bins must be an integer in \[1, 255\] or None; got 256"),
        ({"columns_per_round": 0}, ValueError, "columns_per_round must be an integer >= 1 or None; got 0"),
    ],
)
def test_bad_settings_are_named(settings_, error, message):
    with pytest.raises(error, match=message):
        BestTree(**settings_).prepare(np.zeros((2, 1)), np.array([1.0, -1.0]), np.ones(2))


def test_deep_trees_need_no_deep_stack():
    """A tree with more levels than Python may nest calls, which here are few."""
    X, y = np.arange(150.0)[:, None], np.where(np.arange(150) % 2, 1.0, -1.0)
    oracle = BestTree(max_depth=75, max_bins=None).prepare(X, y, np.ones(150))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 60)
    try:
        [tree] = oracle(y / 150).hypotheses
    finally:
        sys.setrecursionlimit(limit)
    assert tree.depth() == 75
    np.testing.assert_array_equal(tree(X), y)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_search_that_is_stopped_answers_with_what_it_has(depth):
    """No edge is above the sum of |u|, and so above the bound."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3000)), rng.choice([-1.0, 1.0], 200)
    learner = BestTree(max_depth=depth, max_bins=None, columns_per_round=3)
    oracle = learner.prepare(X, y, np.ones(200))
    oracle.stop = lambda: True
    u = 2.0 ** rng.integers(-9, -5, 200) * y
    answer = oracle(u)
    assert max(u @ tree(X) for tree in answer.hypotheses) > 0
    # The search for stumps is over before it asks, unless the kernels are slow ones under a sanitizer.
    assert answer.bound in ((None, np.abs(u).sum()) if depth == 1 else (np.abs(u).sum(),))
