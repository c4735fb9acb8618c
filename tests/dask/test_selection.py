"""Thresholds of partitions are those of one machine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frankboost.dask import thresholds
from frankboost.dask.thresholds import Selection, SortedColumn
from frankboost.learners.thresholds import Span, choose_thresholds


def select(x, weight, most, cuts):
    """The thresholds, and the passes that were needed."""
    span, passes = Span.of(weight), 0
    parts = zip(np.split(x, cuts), np.split(weight, cuts), strict=True)
    columns = [SortedColumn.of(each, span.units(w)) for each, w in parts]
    chosen = Selection(most)
    while chosen.is_open:
        chosen.narrow([each.sketch(chosen.intervals, chosen.samples) for each in columns])
        passes += 1
    if chosen.thresholds is None:
        chosen.finish([each.neighbours(chosen.found) for each in columns])
    return chosen.thresholds, passes


VALUES = {
    "normal": lambda rng, m: rng.normal(size=m),
    "sorted": lambda rng, m: np.sort(rng.normal(size=m)),
    "heavy": lambda rng, m: np.round(np.exp(5.0 * rng.normal(size=m)), 2),
    "few": lambda rng, m: rng.integers(0, 40, m) / 7.0,
    "gaps": lambda rng, m: np.where(rng.random(m) < 0.3, np.nan, rng.normal(size=m)),
}


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("weights", ["equal", "whole", "any"])
@pytest.mark.parametrize("parts", [1, 2, 7])
def test_those_of_one_machine(values, weights, parts):
    rng = np.random.default_rng(3)
    m = 20_000
    x = VALUES[values](rng, m)
    weight = {
        "equal": np.full(m, 0.1),
        "whole": rng.integers(1, 5, m).astype(float),
        "any": np.exp(3.0 * rng.normal(size=m)),
    }[weights]
    cuts = np.sort(rng.integers(0, m, parts - 1))
    chosen, passes = select(x, weight, 255, cuts)
    np.testing.assert_array_equal(chosen, choose_thresholds(x, weight, 255))
    assert passes <= 4


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_small_samples_narrow_to_the_same_values(data):
    """With two values in a pass every corner is met: heavy ties, empty partitions, the largest value."""
    m = data.draw(st.integers(1, 60))
    numbers = st.lists(st.integers(-12, 12), min_size=m, max_size=m)
    x = np.array(data.draw(numbers)) / 3.0
    weight = np.abs(np.array(data.draw(numbers), dtype=float)) + 0.25
    cuts = sorted(data.draw(st.lists(st.integers(0, m), max_size=4)))
    most = data.draw(st.integers(1, 9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thresholds, "FIRST_SAMPLES", most + 1)
        patch.setattr(thresholds, "SAMPLES", 2)
        chosen, _ = select(x, weight, most, cuts)
    np.testing.assert_array_equal(chosen, choose_thresholds(x, weight, most))
