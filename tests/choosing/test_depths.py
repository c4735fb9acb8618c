"""The depths that a default tries."""

import numpy as np
import pytest

from frankboost import BestTree, SoftMarginClassifier, SoftMarginClassifierCV
from frankboost.choosing import depths
from frankboost.choosing.depths import depths_to_try, pair_search_seconds


def learner(numbers, twos=0, categorical=0):
    """One with 15 thresholds for each column of numbers; it is not asked to search."""
    thresholds = [np.arange(15.0)] * numbers + [np.zeros(1)] * twos + [np.zeros(0)] * categorical
    return BestTree(thresholds=tuple(thresholds), categorical=tuple(range(numbers + twos, len(thresholds))))


@pytest.mark.parametrize(
    ("columns", "rows", "kept"),
    [
        ({"numbers": 500}, 2_000, True),
        ({"numbers": 2_000}, 2_000, False),
        ({"numbers": 200}, 100_000, False),
        ({"twos": 300}, 65_000, True),  # a product of bits is fast
        ({"twos": 5_000}, 10_000, False),
        ({"numbers": 0, "categorical": 2_000}, 2_000, False),
    ],
)
def test_depth_2_is_tried_where_a_search_of_all_pairs_is_short(columns, rows, kept):
    few = learner(**{"numbers": 0, **columns})
    assert depths_to_try(None, [2, 1], few, rows) == ([2, 1] if kept else [1])
    assert depths_to_try([2], [2, 1], few, rows) == [2]


def test_columns_that_no_tree_splits_cost_nothing():
    constant = BestTree(thresholds=(np.zeros(0),) * 5_000)
    assert pair_search_seconds(constant, 10**6) == 0.0
    assert pair_search_seconds(BestTree(), 10**6) == 0.0  # nothing is known of its columns


@pytest.mark.parametrize(
    "clf",
    [SoftMarginClassifier(), SoftMarginClassifierCV(), SoftMarginClassifierCV(scoring="accuracy", cv=2)],
)
def test_where_a_search_is_long_depth_1_alone_is_tried(clf, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = X[:, 0] * X[:, 1] > 0.0
    monkeypatch.setattr(depths, "MAX_PAIR_SEARCH_SECONDS", 0.0)
    path = clf.set_params(calibration=None).fit(X, y)
    assert all(tree.depth() <= 1 for tree in path.estimators_)
