"""The weighted vote."""

import numpy as np

from frankboost.learners.best_tree import BestTree
from frankboost.model import weighted_vote

rng = np.random.default_rng(0)
X, y = rng.normal(size=(50, 2)), rng.choice([-1.0, 1.0], 50)


def test_trees_and_others_vote_alike():
    trees = BestTree(columns_per_round=2).prepare(X, y, np.ones(50))(np.full(50, 0.02))
    w = np.array([0.7, 0.3])
    native = weighted_vote(trees, w, X)
    plain = weighted_vote([lambda rows, tree=tree: tree(rows) for tree in trees], w, X)
    np.testing.assert_allclose(native, plain, atol=1e-15)


def test_rounding_never_leaves_the_range():
    votes = weighted_vote([lambda rows: np.ones(len(rows))] * 3, np.array([0.5, 0.3, 0.2 + 1e-15]), X)
    assert votes.max() <= 1.0
