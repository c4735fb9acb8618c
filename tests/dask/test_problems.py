"""The rows of a game on a cluster are those of one machine."""

import dask.array as da
import numpy as np
import pytest

from frankboost import BestTree, SoftMarginClassifier
from frankboost.dask.ingestion import read_rows
from frankboost.dask.problems import DistributedProblems
from frankboost.fitting.problems import Problems


@pytest.mark.parametrize("columns", [slice(0, 4), slice(2, 4)], ids=["distinct", "merged"])
def test_rows_bins_and_shares(client, columns):
    rng = np.random.default_rng(4)
    m = 2100
    X = np.column_stack([rng.normal(size=(m, 2)), rng.integers(0, 6, m), rng.integers(0, 4, m)])[:, columns]
    X[rng.random(X.shape) < 0.05] = np.nan
    y, weight = rng.integers(0, 2, m), rng.exponential(size=m) * (rng.random(m) < 0.9)
    weight[700:1400] = 0.0
    clf = SoftMarginClassifier(categorical_features=[X.shape[1] - 1])
    here = Problems.of(clf, X, y, weight)
    oracle = here.learner.prepare(here.sets[0].X, here.sets[0].y, here.sets[0].sample_weight)

    data = read_rows(
        client, clf, *(da.from_array(each, chunks=(700, *each.shape[1:])) for each in (X, y, weight))
    )
    problems = DistributedProblems(client, data, BestTree())
    game = problems.class_game(1)
    rows = client.gather(game.rows)

    sizes = [len(each.sample_weight) for each in rows]

    def joined(name):
        return np.concatenate(
            [np.broadcast_to(getattr(each, name), size) for each, size in zip(rows, sizes, strict=True)]
        )

    y_there = np.concatenate([each.margins.y for each in rows])
    np.testing.assert_array_equal(y_there, here.sets[0].y)
    for name in ("sample_weight", "members"):
        np.testing.assert_array_equal(joined(name), getattr(here.sets[0], name))
    assert game.weight_error == here.sets[0].weight_error
    expected, found = oracle.hypothesis_class, problems.hypothesis_class
    assert str(found) == str(expected)
    for one, other in zip(found.thresholds, expected.thresholds, strict=True):
        np.testing.assert_array_equal(one, other)

    total = float(here.sets[0].sample_weight.sum())
    d = np.floor(here.sets[0].sample_weight / total * 2.0**52) / 2.0**52
    parts = client.scatter(np.split(d, np.cumsum(sizes)[:-1]))
    spread = game.distribution(parts, 0.5, total)
    np.testing.assert_array_equal(spread.compute(), here.sets[0].distribution_given(d, 0.5))
