"""Trees whose leaves hold enough weight: the best of all by enumeration, and what keeps every tree to it."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from constrained import Enumerated, Every, gappy_problem, random_problem, rare_problem
from frankboost import BestTree, CertificateError, SoftMarginClassifier, load, save, verify
from frankboost.constraints import NEARLY, Constraints
from frankboost.verification import search
from frankboost.verification.heavy_search import heavy_edge
from frankboost.verification.tree_walk import Splits, check_held, tree_values

X, y = load_breast_cancer(return_X_y=True)


def drawn(seed):
    """A problem, weights of its rows and what a leaf is to weigh."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, signs=False) if seed < 60 else rare_problem(rng)
    rows = len(problem.X)
    weight = [np.ones(rows), rng.integers(1, 4, rows).astype(float), rng.uniform(0.1, 2.0, rows)][seed % 3]
    least = rng.choice([1.0, 2.0, 3.0, 5.0, weight.sum() / 3.0, weight.sum() / 2.0])
    return problem, weight, min(float(least), weight.sum() / 2.0)


@pytest.mark.parametrize("depth", [1, 2])
def test_the_best_tree_is_that_of_enumeration(depth):
    for seed in range(120):
        problem, weight, least = drawn(seed)
        learner = BestTree(
            depth,
            columns_per_round=1 + seed % 4,
            categorical=problem.categorical,
            thresholds=problem.thresholds,
            interaction_cst=problem.sets,
            min_samples_leaf=least,
        )
        trees = learner.prepare(problem.X, np.ones(len(weight)), weight)(problem.u).hypotheses
        edges = [float((tree(problem.X) * problem.u).sum()) for tree in trees]
        sets = problem.sets if depth == 2 else None
        expected = Every(replace(problem, sets=sets), weight, least * NEARLY).best(
            np.ones(len(weight), bool), depth
        )
        assert edges[0] == max(edges) == expected, seed
        kept = Constraints((), sets, least)
        declared = Splits(depth, problem.thresholds, problem.categories, weight, kept.least)
        assert heavy_edge(problem.X, problem.u, weight, declared, kept) == expected, seed
        for tree in trees:
            tree_values("tree", tree, problem.X, declared)  # or it raises


def test_the_best_tree_in_order_is_that_of_enumeration():
    for seed in range(180):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng) if seed < 100 else gappy_problem(rng)
        depth = 1 if seed % 5 == 0 else 2
        rows = len(problem.X)
        weight = np.ones(rows) if seed % 2 else rng.integers(1, 4, rows).astype(float)
        least = min(float(rng.choice([1.0, 2.0, 3.0, 5.0, weight.sum() / 3.0])), weight.sum() / 2.0)
        kept = Constraints(problem.signs, problem.sets if depth == 2 else None, least)
        learner = BestTree(
            depth,
            columns_per_round=1 + seed % 4,
            categorical=problem.categorical,
            thresholds=problem.thresholds,
            monotonic_cst=problem.signs,
            interaction_cst=problem.sets,
            min_samples_leaf=least,
        )
        trees = learner.prepare(problem.X, np.ones(rows), weight)(problem.u).hypotheses
        edges = [float((tree(problem.X) * problem.u).sum()) for tree in trees]
        expected = Enumerated(problem, weight, kept.least).best(depth)
        assert edges[0] == max(edges) == expected, seed
        declared = Splits(depth, problem.thresholds, problem.categories, weight, kept.least)
        assert heavy_edge(problem.X, problem.u, weight, declared, kept) == expected, seed
        for tree in trees:
            tree_values("tree", tree, problem.X, declared)  # or it raises
            assert kept.broken_by(tree) is None, seed


def test_an_order_and_heavy_leaves_are_proved():
    signs = np.sign(((X - X.mean(axis=0)) * (y - y.mean())[:, None]).sum(axis=0)).astype(int)
    clf = SoftMarginClassifier(0.2, max_iter=8, max_bins=31, min_samples_leaf=30, monotonic_cst=signs)
    clf.fit(X, y)
    assert verify(clf, X, y) == clf.certificate_
    assert "rising in" in str(clf.certificate_)
    assert "each leaf with at least 30 of the weight" in str(clf.certificate_)


def test_many_rare_categories():
    """As many roots as are grown together, of sets and of single categories; against the search of verify."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        rows, counts = 400, (0, 0, 6, 40)
        X = np.column_stack([rng.integers(0, 30, (rows, 2)), *(rng.geometric(0.2, (2, rows)) - 1)])
        X = np.where(rng.random(X.shape) < 0.1, np.nan, np.minimum(X, [30, 30, 5, 39]))
        problem = replace(
            random_problem(rng, signs=False),
            X=X,
            u=rng.integers(-1000, 1001, rows) * 2.0**-52,
            thresholds=(np.arange(30) + 0.5, np.arange(0, 30, 3) + 0.5, np.zeros(0), np.zeros(0)),
            categories=counts,
        )
        weight, least = rng.uniform(0.5, 2.0, rows), float(rng.choice([2.0, 10.0, 40.0]))
        learner = BestTree(
            columns_per_round=1 + seed % 6,
            categorical=problem.categorical,
            thresholds=problem.thresholds,
            min_samples_leaf=least,
        )
        trees = learner.prepare(X, np.ones(rows), weight)(problem.u).hypotheses
        edges = [float((tree(X) * problem.u).sum()) for tree in trees]
        kept = Constraints((), None, least)
        declared = Splits(2, problem.thresholds, counts, weight, kept.least)
        assert edges == sorted(edges, reverse=True)
        assert edges[0] == heavy_edge(X, problem.u, weight, declared, kept), seed
        for tree in trees:
            tree_values("tree", tree, X, declared)  # or it raises


def test_the_check_of_many_cuts_in_turn_is_that_of_all_at_once(monkeypatch):
    """Features of different sizes are looked through in different portions of the cuts of a root."""
    rng, found = np.random.default_rng(0), []
    table = np.column_stack([rng.normal(size=30), rng.integers(0, 4, 30), rng.integers(0, 12, 30)])
    thresholds = tuple(np.unique(x)[:-1] for x in table.T)
    problems = [rng.integers(-5, 6, 30).astype(float) for _ in range(10)]
    kept, weight = Constraints((), None, 3.0), np.ones(30)
    declared = Splits(2, thresholds, (0, 0, 0), weight, kept.least)
    for entries in (search.TABLE_ENTRIES, 60):
        monkeypatch.setattr(search, "TABLE_ENTRIES", entries)
        found.append([heavy_edge(table, u, weight, declared, kept) for u in problems])
    assert found[0] == found[1]


def test_what_parts_of_the_rows_hold_adds_up():
    """A tree of any class is judged alike by all rows, and by what each of three parts of them holds."""
    judged = []
    for seed in range(60):
        problem, weight, least = drawn(seed)
        kept = {"categorical": problem.categorical, "thresholds": problem.thresholds}
        trees = BestTree(2, columns_per_round=20, **kept).prepare(problem.X, np.ones(len(weight)), weight)
        for tree in trees(problem.u).hypotheses:
            declared = Splits(2, problem.thresholds, problem.categories, weight, least * NEARLY)
            told, held = complaint(tree_values, "tree", tree, problem.X, declared), []
            for part in np.array_split(np.arange(len(weight)), 3):
                held.append({})
                tree_values("tree", tree, problem.X[part], replace(declared, weight=weight[part]), held[-1])
            assert (told is None) == (complaint(check_held, held, least * NEARLY) is None)
            judged.append(told)
    for word in ("a leaf of weight", "light categories"):
        assert any(word in (each or "") for each in judged)
    assert None in judged


def complaint(check, *args):
    try:
        check(*args)
    except CertificateError as error:
        return str(error)
    return None


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_every_leaf_of_every_tree_is_heavy(depth):
    rng = np.random.default_rng(depth)
    weight = rng.integers(1, 4, len(y))
    clf = SoftMarginClassifier(0.1, max_depth=depth, min_samples_leaf=40, max_iter=15, max_bins=31)
    clf.fit(X, y, sample_weight=weight)
    for tree in clf.estimators_:
        nodes = tree.nodes.copy()
        nodes["value"] = 1.0 / (1.0 + np.arange(len(nodes)))  # tells the leaves apart
        places = replace(tree, nodes=nodes)(X)
        assert min(weight[places == place].sum() for place in np.unique(places)) >= 40
        assert len(np.unique(places)) == (tree.feature < 0).sum()
    if depth < 3:
        assert verify(clf, X, y, weight) == clf.certificate_
        assert "each leaf with at least 40 of the weight" in str(clf.certificate_)
    else:
        assert not clf.certificate_.exact


def test_a_weight_of_two_is_the_row_twice(tmp_path):
    settings = {"nu": 0.2, "min_samples_leaf": 25.0, "max_iter": 20}
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    one = SoftMarginClassifier(**settings).fit(X, y, sample_weight=weight)
    other = SoftMarginClassifier(**settings).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert one.certificate_.soft_margin == pytest.approx(other.certificate_.soft_margin, abs=1e-12)
    assert one.certificate_.bound == pytest.approx(other.certificate_.bound, abs=1e-12)
    path = tmp_path / "model.json"
    save(one, path)
    assert verify(load(path), X, y, weight) == one.certificate_


def test_trees_with_light_leaves_are_found_out():
    clf = SoftMarginClassifier(0.2, max_iter=10).fit(X, y)
    declared = clf.hypothesis_class_
    clf.hypothesis_class_ = replace(declared, constraints=Constraints(leaf_weight=60.0))
    with pytest.raises(CertificateError, match=r"claimed a leaf of weight 59\.9999 or more, found \d"):
        verify(clf, X, y)


def test_threads_do_not_matter():
    one, other = (
        SoftMarginClassifier(0.1, min_samples_leaf=30, max_iter=5, n_jobs=jobs).fit(X, y) for jobs in (1, 3)
    )
    for a, b in zip(one.estimators_, other.estimators_, strict=True):
        assert a.nodes.tobytes() == b.nodes.tobytes()


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, "20", True])
def test_what_is_no_weight(value):
    with pytest.raises(ValueError, match="min_samples_leaf must be None or a number above 0"):
        SoftMarginClassifier(0.3, min_samples_leaf=value).fit(X, y)


def test_what_cannot_be_had():
    with pytest.raises(ValueError, match=r"and at most 284\.5, half the weight of the rows; got 285"):
        SoftMarginClassifier(0.3, min_samples_leaf=285).fit(X, y)
    with pytest.raises(ValueError, match="None with monotonic_cst for trees deeper than 2; got 9"):
        SoftMarginClassifier(0.3, max_depth=3, min_samples_leaf=9, monotonic_cst=[1] * 30).fit(X, y)
    with pytest.raises(ValueError, match="exact must be False for trees of depth 3 with"):
        SoftMarginClassifier(0.3, estimator=BestTree(3, exact=True, min_samples_leaf=9)).fit(X, y)
