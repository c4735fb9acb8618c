"""The weights of the ensemble."""

import numpy as np
import pytest

from frankboost.display import WeightsDisplay


def test_bars_are_the_weights_and_the_line_their_sums(cancer):
    weights = cancer[0].estimator_weights_
    display = WeightsDisplay.from_estimator(cancer[0])
    np.testing.assert_array_equal([bar.get_height() for bar in display.bars_], weights)
    np.testing.assert_allclose(display.line_.get_ydata(), np.cumsum(weights))
    assert display.line_.get_ydata()[-1] == pytest.approx(1.0)
    assert "weight" in display.ax_.get_ylabel()
    assert "sum" in display.cumulated_ax_.get_ylabel()
    assert display.cumulated_ax_.yaxis.get_label_position() == "right"


def test_the_largest_only(cancer, ax):
    display = WeightsDisplay.from_estimator(cancer[0], most=5, ax=ax, color="red")
    np.testing.assert_array_equal(display.weights, cancer[0].estimator_weights_[:5])
    assert len(display.bars_) == 5
    assert display.bars_[0].get_facecolor() == (1.0, 0.0, 0.0, 1.0)
    everything = WeightsDisplay.from_estimator(cancer[0], most=10_000)
    assert len(everything.bars_) == len(cancer[0].estimators_)


def test_one_of_many_classes(iris):
    display = WeightsDisplay.from_estimator(iris[0], label="setosa")
    np.testing.assert_array_equal(display.weights, iris[0].estimator_weights_[0])


def test_most_is_checked(cancer):
    with pytest.raises(ValueError, match="most must be an integer >= 1 or None; got 0"):
        WeightsDisplay.from_estimator(cancer[0], most=0)
