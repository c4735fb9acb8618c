"""Thresholds: all where values are few, weighted quantiles elsewhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from frankboost.learners.binning import BinnedFeatures, thresholds_of
from frankboost.learners.nodes import NO_SETS
from frankboost.learners.thresholds import PRESENT, choose_thresholds
from records import records

floats = st.floats(allow_nan=False, allow_infinity=False, width=64)


@settings(max_examples=200, deadline=None)
@given(arrays(np.float64, st.integers(1, 30), elements=floats))
def test_thresholds_separate_every_two_distinct_values(x):
    cuts = choose_thresholds(x, np.ones(len(x)), None)
    values = np.unique(x)
    assert len(cuts) == len(values) - 1
    assert (values[:-1] <= cuts).all()
    assert (cuts < values[1:]).all()
    binned = BinnedFeatures.from_rows(x[:, None], np.ones(len(x)), None)
    assert binned.all_thresholds
    np.testing.assert_array_equal(binned.codes[0], np.searchsorted(values, x))


def test_few_values_keep_every_threshold_and_many_become_quantiles():
    x = np.arange(256.0)
    assert len(choose_thresholds(x, np.ones(256), 255)) == 255
    assert BinnedFeatures.from_rows(x[:, None], np.ones(256), 255).all_thresholds
    x = np.random.default_rng(0).normal(size=10_000)
    cuts = choose_thresholds(x, np.ones(10_000), 9)
    assert not BinnedFeatures.from_rows(x[:, None], np.ones(10_000), 9).all_thresholds
    np.testing.assert_allclose(cuts, np.quantile(x, np.arange(1, 10) / 10), atol=1e-2)


def test_a_weight_of_two_is_the_row_twice():
    rng = np.random.default_rng(1)
    x, weight = rng.normal(size=900), rng.integers(0, 4, 900)
    once = choose_thresholds(x[weight > 0], weight[weight > 0].astype(float), 50)
    twice = choose_thresholds(np.repeat(x, weight), np.ones(weight.sum()), 50)
    np.testing.assert_array_equal(once, twice)


@pytest.mark.parametrize("max_bins", [255, None])
def test_missing_values_have_a_code_of_their_own(max_bins):
    x = np.append(np.arange(400.0), np.nan)
    binned = BinnedFeatures.from_rows(x[:, None], np.ones(401), max_bins)
    assert len(binned.thresholds[0]) == (254 if max_bins else 400)
    assert binned.codes[0, -1] == binned.bins[0]
    assert (binned.codes[0, :-1] < binned.bins[0]).all()
    stump = {"feature": [0, -1, -1], "left": [1, -1, -1], "right": [2, -1, -1], "value": [0.0, 1.0, -1.0]}
    for side in (False, True):
        nodes = records(**stump, last_bin=3, threshold=binned.thresholds[0][3], missing_left=side)
        [votes] = binned.search().votes(nodes, np.array([0]), NO_SETS, 1)
        np.testing.assert_array_equal(votes[:-1] > 0, binned.codes[0, :-1] <= 3)
        assert (votes[-1] > 0) == side


@pytest.mark.parametrize(
    ("x", "max_bins", "expected"),
    [
        ([1.0, 3.0, np.nan], 255, [2.0, PRESENT]),
        ([1.0, 3.0, np.nan], None, [2.0, PRESENT]),
        ([1.0, 3.0, 5.0, np.nan], 2, [4.0, PRESENT]),
        ([1.0, 3.0, np.nan], 1, [2.0]),  # a number is worth more than whether it is there
        ([1.0, 1.0, np.nan], 1, [PRESENT]),
        ([np.nan, np.nan], 255, []),
        ([1.0, 3.0], 255, [2.0]),
    ],
)
def test_one_threshold_tells_missing_values_from_all_others(x, max_bins, expected):
    [thresholds] = thresholds_of(np.array(x)[:, None], np.ones(len(x)), max_bins)
    assert thresholds.tolist() == expected


def test_thresholds_from_elsewhere():
    """The same rows get the same bins; others get those of the thresholds."""
    x = np.append(np.random.default_rng(2).normal(size=500), np.nan)[:, None]
    own = BinnedFeatures.from_rows(x, np.ones(501), 20)
    given_ = BinnedFeatures.from_rows(x, np.ones(501), 20, thresholds=own.thresholds)
    np.testing.assert_array_equal(own.codes, given_.codes)
    assert not given_.all_thresholds
    few = BinnedFeatures.from_rows(np.array([[-9.0], [9.0]]), np.ones(2), 20, thresholds=own.thresholds)
    assert few.codes.tolist() == [[0, 19]]  # the last threshold tells missing values from all others
    assert few.all_thresholds


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ([], "one array for each of the 1 columns of X; got 0"),
        ([[1.0, 1.0]], r"thresholds\[0\] must hold at most 255 finite numbers in increasing order"),
        ([[np.nan]], "finite"),
        ([np.arange(256.0)], "at most 255"),
        ([[[1.0]]], "increasing"),
    ],
)
def test_thresholds_that_are_none(thresholds, message):
    with pytest.raises(ValueError, match=message):
        BinnedFeatures.from_rows(np.zeros((2, 1)), np.ones(2), 255, thresholds=thresholds)
