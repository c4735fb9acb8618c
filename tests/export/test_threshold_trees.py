"""Trees without sets of categories vote as those with them, whatever the sets."""

import numpy as np
import pytest

from frankboost.export.threshold_trees import with_thresholds
from frankboost.learners.nodes import blank_nodes, packed
from frankboost.learners.tree import Tree

COUNTS = {0: 3, 1: 70, 2: 255}


def random_tree(rng, depth=3):
    """All nodes but the lowest are splits, of numbers (feature 3) or of categories."""
    nodes, sets = blank_nodes(2 ** (depth + 1) - 1), []
    splits = 2**depth - 1
    for k in range(splits):
        f = int(rng.integers(4))
        nodes["feature"][k], nodes["missing_left"][k] = f, rng.integers(2)
        nodes["left"][k], nodes["right"][k] = 2 * k + 1, 2 * k + 2
        if f == 3:
            nodes["threshold"][k] = rng.normal()
        else:
            nodes["set_index"][k] = len(sets)
            share = rng.choice([0.0, 0.1, 0.5, 1.0])
            sets.append(packed(np.flatnonzero(rng.random(COUNTS[f]) < share).tolist()))
    nodes["value"][splits:] = rng.uniform(-1, 1, splits + 1)
    return Tree(nodes, np.array(sets, dtype=np.uint64).reshape(-1, 4))


@pytest.mark.parametrize("seed", range(20))
def test_the_same_votes(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng)
    places = [rng.integers(0, count, 500) for count in COUNTS.values()]
    X = np.column_stack([*places, rng.normal(size=500)])
    X[rng.random(X.shape) < 0.2] = np.nan
    plain = with_thresholds(tree, COUNTS)
    assert len(plain.sets) == 0
    assert not np.isnan(plain.threshold[plain.feature >= 0]).any()
    np.testing.assert_array_equal(plain(X), tree(X))


def test_runs_are_searched_by_halves():
    nodes = blank_nodes(3)
    nodes["feature"][0], nodes["set_index"][0] = 2, 0
    nodes["left"][0], nodes["right"][0] = 1, 2
    every_second = Tree(nodes, packed(range(0, 255, 2))[None])
    assert with_thresholds(every_second, COUNTS).depth() == 8


def test_a_tree_without_sets_stays_as_it_is():
    tree = random_tree(np.random.default_rng(0), depth=0)
    assert with_thresholds(tree, COUNTS) is tree
