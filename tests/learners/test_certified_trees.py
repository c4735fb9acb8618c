"""The search of depth 3 equals brute force, and its bound holds however early it may end."""

import numpy as np
import pytest
from hypothesis import given, settings

import reference
from frankboost import BestTree, SoftMarginClassifier, load, save, verify
from frankboost.learners.base import Need
from learners import test_best_tree, test_category_splits
from records import assert_same


def prepared(X, y, max_bins=255, *, columns=1, jobs=1, categorical=()):
    learner = BestTree(3, max_bins, columns, jobs, categorical, exact=True)
    return learner.prepare(X, y, np.ones(len(y)))


def on_grid(d):
    return np.rint(d * 2**52) / 2**52


@pytest.mark.parametrize("max_bins", [255, None, 2])
@settings(max_examples=40, deadline=None)
@given(test_best_tree.problems(most_rows=12))
def test_edge_equals_brute_force(max_bins, problem):
    X, y, d = problem
    oracle = prepared(X, y, max_bins)
    assert oracle.exact
    answer = oracle(d * y)
    best = reference.best_edge(X, d * y, 3, oracle.hypothesis_class.thresholds)
    assert d @ (y * answer.hypotheses[0](X)) == pytest.approx(best, abs=1e-12)
    assert answer.bound == pytest.approx(best, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(test_category_splits.problems(most_rows=10))
def test_edge_over_categories_equals_brute_force(problem):
    X, y, d, categorical = problem
    oracle = prepared(X, y, columns=3, categorical=categorical)
    answer = oracle(d * y)
    best = reference.best_edge(X, d * y, 3, oracle.hypothesis_class.thresholds, categorical)
    edges = [d @ (y * tree(X)) for tree in answer.hypotheses]
    assert edges[0] == pytest.approx(best, abs=1e-12)
    assert answer.bound == pytest.approx(best, abs=1e-12)
    assert (np.diff(edges) <= 1e-12).all()
    assert all(oracle.recall(tree) is not None for tree in answer.hypotheses)
    said = oracle.values(answer.hypotheses, X)
    np.testing.assert_array_equal(said, [tree(X) for tree in answer.hypotheses])


def depth_3_edge(X, y, u):
    """The best depth-2 trees on both sides of every root, each by the search for depth 2."""
    pairs = BestTree(2).prepare(X, y, np.ones(len(y)))
    edge = lambda u: float((u * pairs(u).hypotheses[0](X)).sum())  # noqa: E731
    return max(edge(np.where(left, u, 0.0)) + edge(np.where(left, 0.0, u)) for left in reference.splits(X))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["equal", "random", "missing"])
def test_more_rows_and_bins_than_fit_the_lanes(seed, kind):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(120, 4)) * [1, 4, 8, 20])
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where(np.nansum(X[:, :2], axis=1) * np.nan_to_num(X[:, 2]) + rng.normal(size=120) > 0, 1.0, -1.0)
    d = np.full(120, 1 / 120) if kind == "equal" else on_grid(rng.dirichlet(np.ones(120)))
    oracle = prepared(X, y)
    answer = oracle(d * y)
    expected = depth_3_edge(X, y, d * y)
    assert answer.bound == pytest.approx(expected, abs=1e-12)
    assert d @ (y * answer.hypotheses[0](X)) == pytest.approx(expected, abs=1e-12)
    # Bounds carried over from another distribution prune, and change nothing.
    other = on_grid(0.9 * d + 0.1 * rng.dirichlet(np.ones(120)))
    oracle(other * y)
    again = oracle(d * y)
    assert again.bound == answer.bound


@pytest.mark.parametrize("missing", [False, True])
def test_an_early_end_gives_a_bound_all_the_same(missing):
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(200, 3)), rng.choice([-1.0, 1.0], 200)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    u = y * on_grid(rng.dirichlet(np.ones(200)))
    best = prepared(X, y)(u).bound
    for known in (-1.0, best - 0.1, best, 1.0):
        for bound in (best, best + 0.05, np.inf):
            for close in (-1.0, best + 0.02):
                oracle = prepared(X, y)
                oracle.need, oracle.kappa = Need(known, bound, close), 0.01
                answer = oracle(u)
                edge = float((u * answer.hypotheses[0](X)).sum())
                assert edge <= best <= answer.bound
                least = min(bound, answer.bound)
                assert least <= max(edge + 0.01, close, known + 2.0 * (edge - known)) + 1e-12


def test_a_search_that_is_stopped_gives_a_bound():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(3000, 8)), rng.choice([-1.0, 1.0], 3000)
    u = y * on_grid(rng.dirichlet(np.ones(3000)))
    best = prepared(X, y, 15)(u).bound
    for patience in (0, 1, 3):
        asked = iter(range(1000))
        oracle = prepared(X, y, 15)
        oracle.stop = lambda asked=asked, patience=patience: next(asked) >= patience
        answer = oracle(u)
        assert float((u * answer.hypotheses[0](X)).sum()) <= best <= answer.bound <= 1.0 + 1e-9


@pytest.mark.parametrize("missing", [False, True])
def test_threads_give_the_same_trees_and_bound(missing):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(400, 5)), rng.choice([-1.0, 1.0], 400)
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
    u = y * on_grid(rng.dirichlet(np.ones(400)))
    first, *others = [prepared(X, y, 31, columns=4, jobs=jobs)(u) for jobs in (1, 2, 4)]
    for other in others:
        assert other.bound == first.bound
        for tree, same in zip(first.hypotheses, other.hypotheses, strict=True):
            assert_same(tree.nodes, same.nodes)


def test_exact_goes_no_deeper_than_3():
    X, y = np.arange(8.0)[:, None], np.array([1.0, -1.0] * 4)
    with pytest.raises(ValueError, match=r"max_depth must be in \[1, 3\] with exact=True; got 4"):
        BestTree(4, exact=True).prepare(X, y, np.ones(8))
    for depth in (1, 2):
        plain, same = (BestTree(depth, exact=exact).prepare(X, y, np.ones(8)) for exact in (False, True))
        assert str(plain.hypothesis_class) == str(same.hypothesis_class)
        assert_same(plain(y / 8).hypotheses[0].nodes, same(y / 8).hypotheses[0].nodes)


@pytest.mark.parametrize("missing", [False, True])
def test_a_fit_is_certified_verified_and_saved(missing, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = np.where(X[:, 0] * X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=80) > 0, "yes", "no")
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    clf = SoftMarginClassifier(nu=0.3, tol=0.02, estimator=BestTree(3, 15, exact=True)).fit(X, y)
    assert clf.certificate_.exact
    assert clf.certificate_.status == "optimal"
    assert (
        clf.certificate_.hypothesis_class
        == "depth-3 trees over 3 features, at most 15 thresholds per feature"
    )
    found = verify(clf, X, y)
    assert clf.certificate_.soft_margin <= found.soft_margin <= found.bound <= clf.certificate_.bound
    save(clf, tmp_path / "model.json")
    assert verify(load(tmp_path / "model.json"), X, y) == found


@pytest.mark.parametrize("tol", [0.05, 1e-3])
def test_the_optimum_is_that_of_the_linear_program(tol):
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 3, (14, 2)).astype(float), rng.choice([-1.0, 1.0], 14)
    learner = BestTree(3, None, exact=True)
    clf = SoftMarginClassifier(nu=0.4, tol=tol, estimator=learner).fit(X, y)
    columns = np.unique(reference.tree_values(X, 3), axis=0)
    optimum = reference.game_value((columns * y).T, np.full(14, 1 / (0.4 * 14)))
    assert clf.certificate_.soft_margin <= optimum + 1e-9
    assert optimum <= clf.certificate_.bound + 1e-9
    assert clf.certificate_.gap <= tol
