"""The best trees that keep to constraints, against enumeration of all trees."""

from dataclasses import replace

import numpy as np
import pytest

from constrained import GRID, Enumerated, random_problem
from frankboost import BestTree
from frankboost.constraints import Constraints
from frankboost.learners.thresholds import PRESENT
from frankboost.verification.search import largest_edge


def prepared(problem, depth, thresholds=None, **settings):
    ones = np.ones(len(problem.X))
    learner = BestTree(
        depth,
        max_bins=None,
        columns_per_round=3,
        categorical=problem.categorical,
        thresholds=problem.thresholds if thresholds is None else thresholds,
        monotonic_cst=problem.signs,
        interaction_cst=problem.sets,
        **settings,
    )
    return learner.prepare(problem.X, ones, ones)


def edges(problem, trees):
    return [float((tree(problem.X) * problem.u).sum()) for tree in trees]


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(("signs", "sets"), [(True, False), (False, True), (True, True)])
def test_the_best_tree_is_that_of_enumeration(depth, signs, sets):
    for seed in range(80):
        problem = random_problem(np.random.default_rng(seed), signs=signs, sets=sets)
        expected = Enumerated(problem).best(depth)
        trees = prepared(problem, depth)(problem.u).hypotheses
        assert max(edges(problem, trees)) == edges(problem, trees)[0] == expected, seed
        kept = Constraints(problem.signs, problem.sets)
        found = largest_edge(
            problem.X, problem.u, problem.thresholds, depth, problem.categories, constraints=kept
        )
        assert found == expected, seed


@pytest.mark.parametrize("many", [30, 120])  # sweeps in bytes, and over more bins than tables have
def test_more_thresholds_between_the_same_values_change_nothing(many):
    for seed in range(60):
        problem = random_problem(np.random.default_rng(seed))
        dense = []
        for cuts in problem.thresholds:
            numbers = cuts[cuts != PRESENT]
            between = np.unique(np.add.outer(numbers, 1e-3 * np.arange(many)))
            dense.append(np.append(between, PRESENT) if len(cuts) > len(numbers) else between)
        trees = prepared(problem, 2, tuple(dense))(problem.u).hypotheses
        assert edges(problem, trees)[0] == Enumerated(problem).best(2), seed


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_every_tree_keeps_to_the_constraints(depth):
    for seed in range(60):
        problem = random_problem(np.random.default_rng(seed))
        kept = Constraints(problem.signs, problem.sets)
        assert [
            kept.broken_by(tree)
            for tree in prepared(problem, depth)(problem.u).hypotheses
            if kept.broken_by(tree)
        ] == []


def sample(rows=3000):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 6))
    X[:, 4] = rng.integers(0, 6, rows)
    X[rng.random(rows) < 0.1, 1] = np.nan
    y = np.where(X[:, 0] - np.nan_to_num(X[:, 1]) + X[:, 2] * X[:, 3] + rng.normal(size=rows) > 0, 1.0, -1.0)
    return X, y


CONSTRAINED = BestTree(
    2, 63, 5, categorical=(4,), monotonic_cst=(1, -1, 0, 0, 0, 1), interaction_cst=[(0, 1, 4)]
)


@pytest.mark.parametrize("depth", [2, 4])
def test_threads_do_not_matter(depth):
    X, y = sample()
    ones = np.ones(len(y))
    u = np.round(y * np.random.default_rng(1).uniform(size=len(y)) / len(y) / GRID) * GRID
    found = [
        replace(CONSTRAINED, max_depth=depth, n_jobs=jobs).prepare(X, y, ones)(u).hypotheses
        for jobs in (1, 3)
    ]
    assert len(found[0]) == len(found[1]) > 1
    for one, other in zip(*found, strict=True):
        assert one.nodes.tobytes() == other.nodes.tobytes()
        assert one.sets.tobytes() == other.sets.tobytes()


def test_constraints_that_are_none_change_nothing():
    X, y = sample(400)
    ones = np.ones(len(y))
    free = replace(CONSTRAINED, monotonic_cst=None, interaction_cst=None)
    vacuous = replace(CONSTRAINED, monotonic_cst=[0] * 6, interaction_cst="pairwise")
    one, other = (each.prepare(X, y, ones) for each in (free, vacuous))
    assert other.hypothesis_class.constraints is None
    for a, b in zip(one(y / 400).hypotheses, other(y / 400).hypotheses, strict=True):
        assert a.nodes.tobytes() == b.nodes.tobytes()


def test_many_columns_are_searched_by_pairs():
    """The search for very many columns takes no constraints, and another takes its place."""
    rng = np.random.default_rng(0)
    X, y = (rng.normal(size=(60, 1001)) > 0).astype(float), rng.choice([-1.0, 1.0], 60)
    ones = np.ones(60)
    oracle = BestTree(monotonic_cst=[1] * 1001, interaction_cst="no_interactions").prepare(X, y, ones)
    [tree] = oracle(y / 64).hypotheses
    best = largest_edge(
        X, y / 64, oracle.hypothesis_class.thresholds, 2, constraints=oracle.hypothesis_class.constraints
    )
    assert float((tree(X) * y / 64).sum()) == best


def test_exact_trees_of_depth_3_take_none():
    X, y = sample(50)
    with pytest.raises(ValueError, match="exact must be False for trees of depth 3 with monotonic_cst"):
        replace(CONSTRAINED, max_depth=3, exact=True).prepare(X, y, np.ones(50))


def test_a_class_recalls_only_trees_that_keep_to_it():
    X, y = sample(400)
    ones = np.ones(len(y))
    falling = replace(CONSTRAINED, monotonic_cst=[-1, 0, 0, 0, 0, 0]).prepare(X, y, ones)
    rising = CONSTRAINED.prepare(X, y, ones)
    trees = falling(-y / 512).hypotheses
    assert all(falling.recall(tree) is not None for tree in trees)
    assert rising.recall(trees[0]) is None or rising.hypothesis_class.constraints.broken_by(trees[0]) is None
    assert any(rising.recall(tree) is None for tree in trees)
