"""Which values of nu are tried, and when there have been enough."""

from types import SimpleNamespace

import numpy as np
import pytest

from frankboost.choosing.constants import FAR, OTHERWISE, RATIOS
from frankboost.choosing.nu_path import falling_nus, has_stopped_improving, remaining_nus
from frankboost.choosing.trials import NuTrial

BELOW = [ratio for ratio in RATIOS if ratio <= 1.0]


def ends(losses, ratios=RATIOS, bound=0.05):
    """After how many values with these losses it is over."""
    pairs = zip(losses, ratios, strict=False)
    path = [SimpleNamespace(nu=0.1 * ratio, loss=loss, bound=bound) for loss, ratio in pairs]
    return next((k for k in range(1, len(path) + 1) if has_stopped_improving(path[:k], 0.1)), None)


def tried(bound, capped=(True, True)):
    """A trial of one fit per entry of `capped`, which says whether a row of the fit is at its cap."""
    fits = [SimpleNamespace(capped=np.array([False, each])) for each in capped]
    return NuTrial(SimpleNamespace(bound=bound), fits)


def test_values_lie_between_one_example_and_all():
    assert falling_nus(0.6, 100)[0] == 1.0
    assert falling_nus(1e-4, 100) == [0.01]
    assert falling_nus(0.0, 100) == [OTHERWISE]
    assert falling_nus(0.1, 100)[0] > falling_nus(0.1, 10_000)[0] == pytest.approx(0.195)


def test_values_above_the_largest_are_left_out_but_one_remains():
    values = falling_nus(0.1, 10_000)
    assert falling_nus(0.1, 10_000, largest=0.1) == [each for each in values if each <= 0.1]
    assert falling_nus(0.1, 10_000, largest=1e-3) == values[-1:]


def test_where_many_trees_do_far_better_than_one_the_best_nu_is_below_its_error():
    near, far = tried(FAR), tried(2.0 * FAR)
    assert remaining_nus(near, [0.18, 0.1, 0.05], 0.1, 5000) == [0.18, 0.1, 0.05]
    assert remaining_nus(far, [0.18, 0.1, 0.05], 0.1, 5000) == [0.1, 0.05]
    assert remaining_nus(far, [0.18, 0.1, 0.05], 0.1, 500) == [0.18, 0.1, 0.05]
    assert remaining_nus(far, [0.18, 0.14], 0.1, 5000) == [0.14]


def test_of_values_at_which_no_cap_binds_the_smallest_is_enough():
    values = [0.18, 0.1, 0.05]
    assert remaining_nus(tried(FAR, (False, False)), values, 0.1, 500) == [0.05]
    assert remaining_nus(tried(FAR, (False, True)), values, 0.1, 500) == values
    assert remaining_nus(tried(FAR, ()), values, 0.1, 500) == values  # nothing is known of the fits
    assert remaining_nus(tried(FAR, (False, False)), [], 0.1, 500) == []


def test_a_loss_that_falls_is_followed_to_the_end():
    assert ends(0.5 * 0.95 ** np.arange(len(RATIOS))) is None


def test_a_loss_that_stays_is_left_when_nu_has_fallen_by_a_sixth():
    path = 0.5 - 1e-4 * np.arange(len(RATIOS))
    assert RATIOS[ends(path) - 1] == 1.6
    assert BELOW[ends(path, BELOW) - 1] == 0.6  # one value that brings nothing may do so by chance


def test_ensembles_that_stay_the_same_say_nothing():
    assert ends(np.full(len(RATIOS), 0.5)) is None


def test_a_loss_that_rises_is_left_as_soon():
    path = 0.5 + 0.01 * np.arange(len(RATIOS))
    assert RATIOS[ends(path) - 1] == 1.6
    assert BELOW[ends(path, BELOW) - 1] == 0.8
    assert BELOW[ends([0.5, 0.4, *path], BELOW) - 1] == 0.6  # 0.8 brought something


def test_values_above_e_are_no_measure_where_the_best_is_below():
    path, ratios = [0.5, 0.52, 0.53, 0.51, 0.511, 0.4], [1.95, 1.8, 1.6, *BELOW]
    assert ends(path, ratios, bound=2.0 * FAR) is None
    assert ends(path, ratios, bound=0.5 * FAR) == 3
