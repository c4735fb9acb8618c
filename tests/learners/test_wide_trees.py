"""The search of very many features equals the search of all pairs, and its bounds hold."""

from functools import partial

import numpy as np
import pytest

import reference
from frankboost import BestTree, SoftMarginClassifier, verify
from frankboost.learners import tree_oracle
from frankboost.learners.base import Need
from frankboost.learners.certified_trees import STRETCH
from frankboost.learners.wide_trees import MANY_COLUMNS, WideTrees, is_wide
from records import assert_same

KINDS = ["numbers", "0/1", "few values", "mixed", "missing", "categories"]


def problem(kind, seed, m=150, n=40):
    """Columns of a kind, labels, and a distribution on the grid, some of it 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n))
    if kind == "0/1":
        X = (rng.normal(size=n) < X).astype(float)
    elif kind == "few values":
        X = np.round(X * rng.choice([1, 5], n))
    elif kind == "mixed":
        X[:, ::2] = X[:, ::2] > 0.5
    elif kind == "missing":
        X[rng.random(X.shape) < 0.01] = np.nan
    elif kind == "categories":
        X[:, :3] = rng.integers(0, 5, (m, 3))
    y = np.where(np.nan_to_num(X[:, 0]) + rng.normal(size=m) > 0.0, 1.0, -1.0)
    d = rng.exponential(size=m) ** 3 * (rng.random(m) < 0.8)
    return X, y, np.round(d / d.sum() * 2**52) * 2.0**-52


def oracles(X, y, kind, threads=1, columns=3):
    """The oracle that looks at all pairs, and the search of wide data over the same bins."""
    categorical = (0, 1, 2) if kind == "categories" else ()
    learner = BestTree(columns_per_round=columns, n_jobs=threads, categorical=categorical)
    oracle = learner.prepare(X, y, np.ones(len(y)))
    return oracle, partial(WideTrees(columns, threads), oracle._search)


def never():
    return False


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_best_tree_is_that_of_all_pairs(kind, seed):
    X, y, d = problem(kind, seed)
    oracle, wide = oracles(X, y, kind)
    [best, *_] = oracle(d * y).hypotheses
    trees, bound = wide(d * y, Need(), 0.0, never)
    assert_same(trees[0].nodes, best.nodes)
    assert bound == float((d * y) @ best(X))


@pytest.mark.parametrize("seed", range(20))
def test_best_edge_is_that_of_brute_force(seed):
    X, y, d = problem("mixed", seed, m=12, n=4)
    oracle, wide = oracles(X, y, "mixed")
    _, bound = wide(d * y, Need(), 0.0, never)
    assert bound == reference.best_edge(X, d * y, 2, oracle.hypothesis_class.thresholds)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_give_the_same_trees(kind):
    X, y, d = problem(kind, 3)
    answers = [oracles(X, y, kind, threads, 5)[1](d * y, Need(), 0.0, never) for threads in (1, 2, 3)]
    for trees, bound in answers[1:]:
        assert bound == answers[0][1]
        for tree, same in zip(trees, answers[0][0], strict=True):
            assert_same(tree.nodes, same.nodes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_answer_does_what_is_needed(kind, seed):
    """The bound holds, and it or the edge is as good as the round needs."""
    X, y, d = problem(kind, seed)
    oracle, wide = oracles(X, y, kind)
    best = float((d * y) @ oracle(d * y).hypotheses[0](X))
    rng = np.random.default_rng(seed)
    for _ in range(5):
        known, bound, close = (
            best * rng.uniform(0.3, 1.0),
            best * rng.uniform(1.0, 2.0),
            best * rng.uniform(0.5, 1.2),
        )
        trees, found = wide(d * y, Need(known, bound, close), 0.01, never)
        edge = float((d * y) @ trees[0](X))
        assert edge <= best <= found
        assert min(bound, found) <= max(edge + 0.01, close, known + STRETCH * (edge - known))


def test_search_cut_short_has_the_trivial_bound():
    X, y, d = problem("numbers", 0, m=3000, n=200)
    _, wide = oracles(X, y, "numbers")
    trees, bound = wide(d * y, Need(), 0.0, lambda: True)
    assert len(trees) >= 1
    assert bound == pytest.approx(1.0)


def test_weights_that_are_all_zero():
    X, y, d = problem("numbers", 0)
    trees, bound = oracles(X, y, "numbers")[1](0.0 * d, Need(), 0.0, never)
    assert len(trees) == 1
    assert bound == 0.0


def test_who_has_many_columns_does_without_all_pairs():
    narrow, y, _ = problem("numbers", 0, m=50, n=20)
    assert BestTree().prepare(narrow, y, np.ones(50))._on_demand is None
    wide = (np.random.default_rng(0).random((50, 5000)) < 0.5).astype(float)
    assert isinstance(BestTree().prepare(wide, y, np.ones(50))._on_demand.func, WideTrees)
    assert BestTree(max_depth=1).prepare(wide, y, np.ones(50))._on_demand is None


@pytest.mark.parametrize("rows", [1000, 2_000_000, 10**8])
@pytest.mark.parametrize("features", [28, 100, MANY_COLUMNS - 1])
def test_rows_alone_make_no_data_wide(rows, features):
    assert not is_wide(np.full(features, 256), rows)


@pytest.mark.parametrize("kind", ["numbers", "0/1"])
def test_fit_is_proved_and_of_the_same_value(kind, monkeypatch):
    X, y, _ = problem(kind, 1)
    narrow = SoftMarginClassifier(nu=0.4, tol=0.02).fit(X, y).certificate_
    monkeypatch.setattr(tree_oracle, "is_wide", lambda bins, rows: True)
    clf = SoftMarginClassifier(nu=0.4, tol=0.02).fit(X, y)
    assert clf.certificate_.status == "optimal"
    assert clf.certificate_.soft_margin <= narrow.bound
    assert narrow.soft_margin <= clf.certificate_.bound
    assert verify(clf, X, y).bound <= clf.certificate_.bound


def test_many_columns_have_few_thresholds():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 1000)), rng.choice([-1.0, 1.0], 60)
    counts = {
        depth: max(map(len, BestTree(max_depth=depth).prepare(X, y, np.ones(60)).hypothesis_class.thresholds))
        for depth in (1, 2)
    }
    assert counts == {1: 59, 2: 15}
    fixed = BestTree().fixed(X, np.ones(60))
    assert max(map(len, fixed.thresholds)) == 15
    assert max(map(len, BestTree(max_bins=None).fixed(X, np.ones(60)).thresholds)) == 59
