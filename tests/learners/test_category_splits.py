"""Trees over categories equal brute force over the declared class, whatever the data and the threads."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from frankboost import BestTree
from frankboost.learners.tree import vote
from records import assert_same


@st.composite
def problems(draw, most_rows=14, most_categories=12):
    """Categories beside numbers, both with missing values, and a distribution with zeros."""
    m, n = draw(st.integers(2, most_rows)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    columns, categorical = [], []
    for f in range(n):
        kind = draw(st.sampled_from(["categories", "categories", "numbers", "all missing"]))
        if kind == "categories":
            C = draw(st.integers(1, most_categories))
            column = rng.integers(0, C, m).astype(float)
        else:
            column = rng.integers(0, 4, m).astype(float) if kind == "numbers" else np.full(m, np.nan)
        if f == 0 or kind == "categories":
            categorical.append(f)
        if draw(st.booleans()):
            column[rng.random(m) < 0.3] = np.nan
        columns.append(column)
    y = rng.choice([-1.0, 1.0], m)
    d = rng.dirichlet(np.full(m, draw(st.sampled_from([0.3, 5.0]))))
    d = np.where(d < 1e-2, 0.0, d) if draw(st.booleans()) else np.full(m, 1 / m)
    return np.column_stack(columns), y, d / d.sum(), tuple(categorical)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("max_bins", [255, None, 2])
@pytest.mark.parametrize("columns", [1, 3])
@settings(max_examples=80, deadline=None)
@given(problems())
def test_edge_equals_brute_force(depth, max_bins, columns, problem):
    X, y, d, categorical = problem
    learner = BestTree(depth, max_bins, columns_per_round=columns, categorical=categorical)
    oracle = learner.prepare(X, y, np.ones(len(y)))
    assert oracle.exact
    trees = oracle(d * y).hypotheses
    best = reference.best_edge(X, d * y, depth, oracle.hypothesis_class.thresholds, categorical)
    edges = [d @ (y * tree(X)) for tree in trees]
    assert edges[0] == pytest.approx(best, abs=1e-12)
    assert (np.diff(edges) <= 1e-12).all()
    np.testing.assert_array_equal(oracle.values(trees, X), [tree(X) for tree in trees])


@pytest.mark.parametrize("depth", [1, 2])
@settings(max_examples=25, deadline=None)
@given(problems(most_rows=7))
def test_edge_equals_the_enumerated_class(depth, problem):
    """A second brute force that shares nothing with the first: every tree, literally."""
    X, y, d, categorical = problem
    [tree] = BestTree(depth, None, categorical=categorical).prepare(X, y, np.ones(len(y)))(d * y).hypotheses
    values = reference.tree_values(X, depth, categorical=categorical)
    assert d @ (y * tree(X)) == pytest.approx((values @ (d * y)).max(), abs=1e-12)
    assert (values == tree(X)).all(axis=1).any()


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("m", "max_bins"), [(300, 255), (4000, 63), (1500, None)])
def test_threads_give_the_same_tree(depth, m, max_bins):
    rng = np.random.default_rng(m)
    X = rng.normal(size=(m, 6))
    X[:, 2] = rng.integers(0, 7, m)
    X[:, 4] = rng.integers(0, 40, m)
    X[rng.random(X.shape) < 0.05] = np.nan
    y, d = rng.choice([-1.0, 1.0], m), rng.dirichlet(np.ones(m))
    answers = [
        BestTree(depth, max_bins, columns_per_round=6, n_jobs=jobs, categorical=(2, 4))
        .prepare(X, y, np.ones(m))(d * y)
        .hypotheses
        for jobs in (1, 2, 4)
    ]
    assert any((tree.feature == 4).any() for tree in answers[0])
    for other in answers[1:]:
        for tree, same in zip(answers[0], other, strict=True):
            assert_same(tree.nodes, same.nodes)
            assert_same(tree.sets, same.sets)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("m", [60, 900])
def test_all_thresholds_are_searched_as_well_as_few(m, missing):
    """Features of many bins are searched row by row, others by tables."""
    rng = np.random.default_rng(m)
    X = np.column_stack([rng.integers(0, C, m) for C in (5, 20)] + [rng.integers(0, 200, m)]).astype(float)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    y, d = rng.choice([-1.0, 1.0], m), rng.dirichlet(np.ones(m))
    more = np.vstack([X, np.column_stack([np.zeros((400, 2)), 1000.0 + np.arange(400)])])
    few = BestTree(2, 255, categorical=(0, 1)).prepare(X, y, np.ones(m))(d * y).hypotheses[0]
    many = (
        BestTree(2, None, categorical=(0, 1))
        .prepare(more, np.append(y, np.ones(400)), np.ones(m + 400))(np.append(d * y, np.zeros(400)))
        .hypotheses[0]
    )
    assert d @ (y * many(X)) == pytest.approx(d @ (y * few(X)), abs=1e-12)


def test_deeper_trees_never_pay_less():
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.normal(size=(150, 2)), rng.integers(0, 12, (150, 2))])
    X[rng.random(X.shape) < 0.1] = np.nan
    y, d = rng.choice([-1.0, 1.0], 150), rng.dirichlet(np.ones(150))
    edges = []
    for depth in (1, 2, 3, 4):
        oracle = BestTree(depth, categorical=(2, 3)).prepare(X, y, np.ones(150))
        [tree] = oracle(d * y).hypotheses
        np.testing.assert_array_equal(oracle.values([tree], X)[0], tree(X))
        edges.append(d @ (y * tree(X)))
    assert edges == sorted(edges)


def test_categories_follow_their_signs():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    [tree] = BestTree(1, categorical=(0,)).prepare(X, y, np.ones(5))(y * np.full(5, 0.2)).hypotheses
    np.testing.assert_array_equal(tree(X), y)
    np.testing.assert_array_equal(tree.categories(0), [0, 2, 4])
    assert np.isnan(tree.threshold[0])
    # As a number it takes more than a stump.
    [number] = BestTree(1).prepare(X, y, np.ones(5))(y * np.full(5, 0.2)).hypotheses
    assert (number(X) == y).sum() < 5
    assert len(number.sets) == 0


@pytest.mark.parametrize("heavier", [-1.0, 1.0])
def test_what_was_not_seen_goes_where_more_weight_went(heavier):
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array([-1.0, 1.0, 1.0, -1.0])
    d = np.where(y == heavier, 0.3, 0.2)
    [tree] = BestTree(1, categorical=(0,)).prepare(X, y, np.ones(4))(d * y).hypotheses
    unknown = np.array([[np.nan], [-1.0], [0.5], [300.0], [np.inf], [-np.inf], [256.0]])
    assert (tree(unknown) == heavier).all()


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("C", [5, 20])
def test_at_every_split_what_has_no_weight_goes_where_more_went(depth, C):
    rng = np.random.default_rng(C)
    X = np.column_stack([rng.integers(0, C, 300), rng.normal(size=300), rng.integers(0, 6, 300)])
    y, d = rng.choice([-1.0, 1.0], 300), rng.dirichlet(np.full(300, 0.05))
    d = np.where(d < 1e-4, 0.0, d) / d[d >= 1e-4].sum()
    trees = (
        BestTree(depth, columns_per_round=3, categorical=(0, 2)).prepare(X, y, np.ones(300))(d * y).hypotheses
    )
    todo, seen = [(tree, 0, d) for tree in trees], 0
    while todo:
        tree, k, mass = todo.pop()
        f = tree.feature[k]
        if f < 0:
            continue
        left = X[:, f] <= tree.threshold[k]
        if np.isnan(tree.threshold[k]):
            seen += 1
            left = np.isin(X[:, f], tree.categories(k))
            heavier = mass[left].sum() > mass[~left].sum()
            assert tree.missing_left[k] == heavier
            weightless = set(range([C, 0, 6][f])) - set(X[mass > 0.0, f].astype(int))
            if tree.feature[tree.left[k]] < 0 and tree.feature[tree.right[k]] < 0:
                assert {c in tree.categories(k) for c in weightless} <= {bool(heavier)}
        todo.append((tree, tree.left[k], np.where(left, mass, 0.0)))
        todo.append((tree, tree.right[k], np.where(left, 0.0, mass)))
    assert seen > 0


def test_missing_values_of_training_go_where_they_pay():
    X = np.array([[0.0], [0.0], [1.0], [np.nan]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    [tree] = (
        BestTree(1, categorical=(0,)).prepare(X, y, np.ones(4))(y * np.array([0.4, 0.4, 0.1, 0.1])).hypotheses
    )
    np.testing.assert_array_equal(tree(X), y)
    # Without weight there is nothing to pay: where more weight went.
    [tree] = (
        BestTree(1, categorical=(0,)).prepare(X, y, np.ones(4))(y * np.array([0.4, 0.4, 0.2, 0.0])).hypotheses
    )
    np.testing.assert_array_equal(tree(X), [1, 1, -1, 1])


def test_categories_without_weight_go_where_more_weight_went():
    X = np.arange(6.0)[:, None]
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    d = np.array([0.3, 0.2, 0.3, 0.2, 0.0, 0.0])
    [tree] = BestTree(1, categorical=(0,)).prepare(X, y, np.ones(6))(d * y).hypotheses
    np.testing.assert_array_equal(tree(X), [1, -1, 1, -1, 1, 1])


def test_a_root_of_many_categories_is_one_against_the_rest():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 20, 500), rng.integers(0, 3, 500)]).astype(float)
    y = rng.choice([-1.0, 1.0], 500)
    oracle = BestTree(2, columns_per_round=2, categorical=(0, 1)).prepare(X, y, np.ones(500))
    for _ in range(20):
        d = rng.dirichlet(np.full(500, 0.02))
        for tree in oracle(d * y).hypotheses:
            if tree.feature[0] == 0:
                assert len(tree.categories(0)) <= 1
    assert "one against the rest if there are more than 8" in str(oracle.hypothesis_class)
    assert oracle.hypothesis_class.categories == (20, 3)


def test_a_large_ensemble_walks_as_it_is_evaluated():
    """Trees too large to be evaluated whole are walked row by row."""
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.integers(0, 30, (800, 2)), rng.normal(size=800)])
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.choice([-1.0, 1.0], 800)
    oracle = BestTree(7, categorical=(0, 1)).prepare(X, y, np.ones(800))
    [tree] = oracle(y / 800).hypotheses
    assert len(tree.feature) > 31
    np.testing.assert_array_equal(oracle.values([tree], X)[0], tree(X))
    np.testing.assert_array_equal(vote([tree], np.ones(1), X, 2), tree(X))


def test_trees_are_pickled():
    X, y = np.arange(5.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    [tree] = BestTree(1, categorical=(0,)).prepare(X, y, np.ones(5))(y * np.full(5, 0.2)).hypotheses
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(again(X), y)
    np.testing.assert_array_equal(again.sets, tree.sets)
    assert len(again.sets) == 1


@pytest.mark.parametrize("bad", [-1.0, 0.5, 255.0, np.inf])
def test_what_is_no_category_is_named(bad):
    X = np.array([[0.0], [bad]])
    with pytest.raises(ValueError, match=rf"column 0 .*integers in \[0, 255\), or NaN; got {bad:g}"):
        BestTree(categorical=(0,)).prepare(X, np.array([1.0, -1.0]), np.ones(2))


@pytest.mark.parametrize("column", [-1, 2, "a"])
def test_what_is_no_column_is_named(column):
    with pytest.raises(ValueError, match=r"categorical must hold columns in \[0, 1\]; got"):
        BestTree(categorical=(column,)).prepare(np.zeros((2, 2)), np.array([1.0, -1.0]), np.ones(2))
