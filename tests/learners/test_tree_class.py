"""A class recalls its own trees, with the bins they have in it, and no others."""

import numpy as np
import pytest

from frankboost import BestTree
from frankboost.learners.nodes import NO_SETS, packed
from frankboost.learners.thresholds import PRESENT
from frankboost.learners.tree import Tree
from frankboost.learners.tree_class import TreeClass
from records import assert_same, records, with_nodes

CUTS = np.array([0.5, 1.5, 2.5])


def tree_class(max_depth=2, categories=(0, 12)):
    return TreeClass(max_depth, (CUTS, np.zeros(0)), categories)


def stump(**changes):
    nodes = {"feature": [0, -1, -1], "left": [1, -1, -1], "right": [2, -1, -1], "value": [0.0, -1.0, 0.5]}
    return Tree(records(**{**nodes, "threshold": [1.5, np.nan, np.nan], **changes}), NO_SETS)


def by_set(*categories, level=0):
    """A stump of categories, or one below a split of numbers."""
    word = packed(categories)[None]
    if level == 0:
        return Tree(stump(feature=[1, -1, -1], threshold=np.nan, set_index=[0, -1, -1]).nodes, word)
    nodes = records(
        feature=[0, -1, 1, -1, -1],
        threshold=[0.5, *[np.nan] * 4],
        left=[1, -1, 3, -1, -1],
        right=[2, -1, 4, -1, -1],
        value=[0.0, 1.0, 0.0, 1.0, -1.0],
        set_index=[-1, -1, 0, -1, -1],
    )
    return Tree(nodes, word)


def test_bins_are_those_of_the_class():
    recalled = tree_class().recall(stump())
    np.testing.assert_array_equal(recalled.last_bin, [1, -1, -1])
    assert_same(with_nodes(recalled, last_bin=-1).nodes, stump().nodes)
    np.testing.assert_array_equal(tree_class().recall(stump(last_bin=7)).last_bin, [1, -1, -1])


@pytest.mark.parametrize(
    "stranger",
    [
        stump(threshold=[1.25, np.nan, np.nan]),
        stump(threshold=[9.0, np.nan, np.nan]),
        stump(feature=[1, -1, -1]),
        stump(feature=[2, -1, -1]),
        Tree(stump(set_index=[0, -1, -1]).nodes, np.zeros((1, 4), dtype=np.uint64)),
        by_set(0, 12),
        lambda X: np.ones(len(X)),
    ],
)
def test_strangers_are_not_recalled(stranger):
    assert tree_class().recall(stranger) is None


def test_no_more_levels_than_the_class_has():
    below = by_set(1, level=1)
    assert tree_class(2).recall(below) is not None
    assert tree_class(1).recall(below) is None


@pytest.mark.parametrize(
    ("sent", "shallow"), [((), True), ((3,), True), ((1, 2), False), (tuple(range(11)), True)]
)
def test_sets_of_many_categories_above_the_last_level(sent, shallow):
    """A set above leaves is one of the last level only if the class has no deeper one."""
    assert tree_class(1).recall(by_set(*sent)) is not None
    assert (tree_class(2).recall(by_set(*sent)) is not None) == shallow
    assert tree_class(2).recall(by_set(*sent, level=1)) is not None
    assert tree_class(2, (0, 8)).recall(by_set(*(c for c in sent if c < 8))) is not None


def test_a_class_has_the_trees_of_its_coarse_class():
    rng = np.random.default_rng(0)
    X, y, even = rng.normal(size=(900, 24)), rng.choice([-1.0, 1.0], 900), np.full(900, 1.0)
    X[:, 1] = rng.integers(0, 5, 900)
    X[:, 2] = rng.integers(0, 9, 900)
    fine = BestTree(2, columns_per_round=3, categorical=(2,)).fixed(X, even)
    assert [len(each) for each in fine.coarse().thresholds[:4]] == [63, 4, 0, 63]
    low, middle, high = fine.thresholds[0].searchsorted(fine.coarse().thresholds[0][[0, 31, 62]])
    assert (low, middle, high) == (2, 127, 252)
    few = BestTree(2).fixed(X[:, :4], even)  # pairs of few features take no time
    assert [len(each) for each in few.coarse().thresholds] == [255, 4, 8, 255]
    trees = fine.coarse().prepare(X, y, even)(y / 900).hypotheses
    assert all(fine.prepare(X, y, even).recall(tree) is not None for tree in trees)
    assert BestTree(3).fixed(X, even).coarse().max_depth == 3


def test_a_coarse_class_tells_missing_values_too():
    X, even = np.random.default_rng(0).normal(size=(900, 24)), np.ones(900)
    X[:9, 0] = np.nan
    fine = BestTree(2).fixed(X, even)
    assert [len(each) for each in fine.coarse().thresholds[:2]] == [64, 63]
    assert [each[-1] == PRESENT for each in fine.coarse().thresholds[:2]] == [True, False]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("max_bins", [255, 9, None])
def test_an_oracle_recalls_what_it_answers(depth, max_bins):
    rng = np.random.default_rng(depth)
    X, y = rng.normal(size=(300, 4)), rng.choice([-1.0, 1.0], 300)
    X[:, 3] = rng.integers(0, 12, 300)
    X[rng.random(X.shape) < 0.1] = np.nan
    oracle = BestTree(depth, max_bins, columns_per_round=4, categorical=(3,)).prepare(X, y, np.ones(300))
    for tree in oracle(y * rng.dirichlet(np.ones(300))).hypotheses:
        assert_same(oracle.recall(with_nodes(tree, last_bin=-1)).nodes, tree.nodes)
