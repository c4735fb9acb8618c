"""Which values of nu are tried, and when there have been enough."""

from types import SimpleNamespace

import numpy as np
import pytest

from frankboost.estimators.nu_course import FAR, OTHERWISE, RATIOS, is_over, nus_after, nus_below

ROWS = 400
rng = np.random.default_rng(0)
BELOW = [ratio for ratio in RATIOS if ratio <= 1.0]


def visits(losses, ratios=RATIOS, bound=0.05, spread=0.0):
    """Visits with these losses; that of a row differs by `spread` from one nu to the next."""
    found = []
    for loss, ratio in zip(losses, ratios, strict=False):
        noise = rng.normal(size=ROWS)
        rows = loss + spread * (noise - noise.mean())
        tried = SimpleNamespace(nu=0.1 * ratio, loss=loss, bound=bound)
        held_out = SimpleNamespace(weight=np.ones(ROWS))
        found.append(SimpleNamespace(tried=tried, held_out=held_out, row_losses=rows))
    return found


def ends(*args, **kwargs):
    """After how many values it is over."""
    path = visits(*args, **kwargs)
    return next((k for k in range(1, len(path) + 1) if is_over(path[:k], 0.1)), None)


def test_values_lie_between_one_example_and_all():
    assert nus_below(0.6, 100)[0] == 1.0
    assert nus_below(1e-4, 100) == [0.01]
    assert nus_below(0.0, 100) == [OTHERWISE]
    assert nus_below(0.1, 100)[0] > nus_below(0.1, 10_000)[0] == pytest.approx(0.195)


def test_where_many_trees_do_far_better_than_one_the_best_nu_is_below_its_error():
    near, far = (SimpleNamespace(bound=bound) for bound in (FAR, 2.0 * FAR))
    assert nus_after(near, [0.18, 0.1, 0.05], 0.1, 5000) == [0.18, 0.1, 0.05]
    assert nus_after(far, [0.18, 0.1, 0.05], 0.1, 5000) == [0.1, 0.05]
    assert nus_after(far, [0.18, 0.1, 0.05], 0.1, 500) == [0.18, 0.1, 0.05]
    assert nus_after(far, [0.18, 0.14], 0.1, 5000) == [0.14]


def test_a_loss_that_falls_is_followed_to_the_end():
    assert ends(0.5 * 0.95 ** np.arange(len(RATIOS))) is None


def test_a_loss_that_stays_is_left_when_nu_has_fallen_by_a_sixth():
    path = 0.5 - 1e-4 * np.arange(len(RATIOS))
    assert RATIOS[ends(path) - 1] == 1.6
    assert BELOW[ends(path, BELOW) - 1] == 0.8


def test_ensembles_that_stay_the_same_say_nothing():
    assert ends(np.full(len(RATIOS), 0.5)) is None


def test_a_loss_that_rises_twice_is_left_at_once():
    near = np.linspace(1.0, 0.9, 5)
    assert ends([0.5, 0.4, 0.41, 0.42, 0.43], near) == 4
    assert ends([0.5, 0.4, 0.41, 0.41, 0.42], near) == 5  # the same ensemble counts once
    assert ends([0.5, 0.4, 0.41, 0.399, 0.41], near) is None
    assert ends([0.5, 0.4, 0.402, 0.403, 0.403], near) is None  # by less than decides anything


def test_a_rise_within_a_standard_error_is_chance():
    assert ends([0.5, 0.4, 0.41, 0.42], np.linspace(1.0, 0.9, 4), spread=1.0) is None


def test_values_above_e_are_no_measure_where_the_best_is_below():
    path, ratios = [0.5, 0.52, 0.53, 0.51, 0.511, 0.4], [1.95, 1.8, 1.6, *BELOW]
    assert ends(path, ratios, bound=2.0 * FAR) == 5
    assert ends(path, ratios, bound=0.5 * FAR) == 3
