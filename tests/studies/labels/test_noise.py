"""Labels turned wrong are as many as was said, and of the classes that were said."""

import numpy as np
import pytest

from frankboost.datasets import ringnorm, twonorm
from studies.labels.noise import NOISES, add_noise
from studies.labels.scoring import bayes_labels


def given(name, count=3, rows=2000):
    rng = np.random.default_rng(0)
    y = rng.integers(0, count, rows)
    X = y[:, None] + rng.normal(size=(rows, 2))
    return y, add_noise(name, y, X, (X[::-1], y[::-1]), rng)


@pytest.mark.parametrize(
    ("name", "share"), [("5 %", 0.05), ("20 %", 0.2), ("near the boundary", 0.1), ("none", 0.0)]
)
def test_shares(name, share):
    y, found = given(name)
    assert (found != y).sum() == round(share * len(y))


def test_one_sided():
    y, found = given("one-sided", 2)
    assert set(y[found != y]) == {1}
    assert (found != y).sum() == 200


def test_classes_have_their_own_rates():
    y, found = given("by class")
    rates = [(found != y)[y == k].mean() for k in range(3)]
    assert (found != y).mean() == pytest.approx(0.12, abs=0.03)
    assert max(rates) > 1.3 * min(rates)


def test_rows_near_the_boundary_are_turned_more_often():
    y, found = given("near the boundary", 2)
    X = np.abs(y - 0.5)
    assert (found != y).mean() == pytest.approx(0.1)
    assert X.max() == 0.5
    assert set(found) == {0, 1}


def test_all_have_names():
    assert all(given(name)[1].dtype.kind == "i" for name in NOISES)


@pytest.mark.parametrize(("make", "error"), [(twonorm, 0.023), (ringnorm, 0.012)])
def test_the_bayes_rule_errs_as_little_as_it_can(make, error):
    data = make(20_000, 0)
    found = bayes_labels(make.__name__, data.X)
    assert (found != (data.y > 0)).mean() == pytest.approx(error, abs=0.004)
