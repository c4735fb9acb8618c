"""Beta calibration: the likelihood's maximum, and what it promises of its shape."""

import numpy as np
import pytest
from scipy.optimize import minimize

from frankboost.choosing.calibration import FLAT, HeldOutVotes, beta_calibration, log_loss
from frankboost.choosing.constants import DOUBT
from frankboost.model import Calibration
from frankboost.model.model import log_shares


def sample(rows, seed, slope=4.0):
    rng = np.random.default_rng(seed)
    votes = np.tanh(rng.normal(size=rows))
    return votes, rng.random(rows) < 1 / (1 + np.exp(-slope * votes)), rng.integers(1, 4, rows).astype(float)


def doubtful_loss(parts, votes, target, weight):
    """What is minimised: the log-loss with some doubt about each label."""
    a, b, intercept = parts
    share, other = log_shares(votes)
    log_odds = a * share - b * other + intercept
    n = [weight[target == side].sum() for side in (False, True)]
    goal = np.where(target, (n[1] + DOUBT) / (n[1] + 2 * DOUBT), DOUBT / (n[0] + 2 * DOUBT))
    return (weight * (np.logaddexp(0, log_odds) - goal * log_odds)).sum()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("slope", [4.0, 0.5, -1.0])
def test_no_other_calibration_of_that_shape_is_more_likely(seed, slope):
    data = sample(300, seed, slope)
    found = beta_calibration(HeldOutVotes(*data))
    parts = np.array([found.a[0], found.b[0], found.intercept[0]])
    best = minimize(doubtful_loss, np.ones(3), data, bounds=[(0, None), (0, None), (None, None)])
    if best.x[:2].max() < 1e-6:  # the votes rank the wrong way round
        assert parts[:2].tolist() == [FLAT, FLAT]
        other = minimize(lambda last: doubtful_loss([FLAT, FLAT, last[0]], *data), np.zeros(1))
        assert doubtful_loss(parts, *data) <= other.fun + 1e-4
        return
    assert doubtful_loss(parts, *data) <= best.fun + 1e-4
    assert (parts[:2] >= 0).all()


def test_votes_that_say_nothing_give_the_share_of_the_class():
    target = np.arange(100) < 30
    found = beta_calibration(HeldOutVotes(np.zeros(100), target, np.ones(100)))
    np.testing.assert_allclose(found(np.array([[-0.5], [0.0], [0.5]]))[1], 0.3, atol=0.01)


def test_votes_that_tell_the_classes_apart_leave_a_doubt():
    votes = np.r_[np.full(50, -0.3), np.full(50, 0.3)]
    p = beta_calibration(HeldOutVotes(votes, votes > 0, np.ones(100)))(votes[:, None])[:, 0]
    assert 0.98 < p[-1] < 1.0
    assert 0.0 < p[0] < 0.02


def test_no_probability_is_closer_to_0_than_all_rows_can_tell():
    votes = np.r_[np.full(50, -1.0), np.full(50, 1.0)]
    found = beta_calibration(HeldOutVotes(votes, votes > 0, np.ones(100), total_weight=5000.0))
    assert found.floor == DOUBT / 5000
    assert found(votes[:1, None]) >= found.floor


def test_a_weight_of_two_is_the_row_twice():
    votes, target, weight = sample(200, 0)
    times = weight.astype(int)
    once = beta_calibration(HeldOutVotes(votes, target, weight))
    twice = beta_calibration(
        HeldOutVotes(np.repeat(votes, times), np.repeat(target, times), np.ones(times.sum()))
    )
    grid = np.linspace(-1, 1, 9)[:, None]
    np.testing.assert_allclose(once(grid), twice(grid), rtol=1e-6)


def test_the_log_loss_is_a_weighted_mean():
    even = Calibration(*(np.zeros(1) for _ in range(4)))
    assert log_loss(
        even, HeldOutVotes(np.zeros(3), np.array([True, False, True]), np.ones(3))
    ) == pytest.approx(np.log(2))
    sure = Calibration(np.zeros(1), np.zeros(1), np.array([1e4]), np.zeros(1))
    assert log_loss(
        sure, HeldOutVotes(np.zeros(2), np.array([True, False]), np.array([1.0, 0.0]))
    ) == pytest.approx(0.0)
    assert np.isfinite(log_loss(sure, HeldOutVotes(np.zeros(1), np.array([False]), np.ones(1))))
