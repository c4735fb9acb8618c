"""MDBoost, SoftBoost and the stabilised LPBoost held to their laws."""

from itertools import islice
from math import ceil, log

import numpy as np
import pytest

from frankboost.boosting import rounds
from frankboost.learners.columns import worst_case_margins
from frankboost.rules.fully_corrective import MDBoost
from frankboost.rules.level import Level, SoftBoost
from frankboost.rules.linear_program import InOut, LinearProgram
from games import WatchedRule, dense, distribution, inexact_room, problem, random_signs

M = 40


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("D", [0.5, 10.0])
def test_mdboosts_weights_are_optimal(D, weighted):
    data = problem(M, 2, 3, weighted=weighted)
    room = data.room(0.3, 0.05)
    q = data.weight / data.weight.sum()
    for state in islice(rounds(room, [MDBoost(D)]), 12):
        A = dense(room)
        mean, covariance = A.T @ q, np.cov(A.T, aweights=q, ddof=0).reshape(A.shape[1], -1)
        gradient = mean - D * covariance @ state.weights
        assert gradient.max() <= gradient @ state.weights + 1e-6
        z = A @ state.weights
        np.testing.assert_allclose(gradient, A.T @ (q * (1 - D * (z - q @ z))), atol=1e-12)


def test_mdboost_asks_next_to_its_multipliers():
    data = problem(M, 2, 3)
    room = data.room(0.3, 0.05)
    rule = WatchedRule(MDBoost(0.01), lambda run, room, at, proposal: proposal)
    list(islice(rounds(room, [rule]), 6))
    A, proposal = dense(room), rule.log[-1]
    z = A[:, : len(proposal.at.multipliers)] @ proposal.at.multipliers
    np.testing.assert_allclose(distribution(proposal.ask), (1 - 0.01 * (z - z.mean())) / M, atol=1e-5)


def test_softboost_is_the_level_rule_in_one_phase():
    assert vars(SoftBoost(0.05)) == vars(Level(0.05, place=1.0, shrink=0.0))


def test_without_caps_softboost_is_totalboost():
    """d is the entropy projection of the prior onto the distributions of no edge above bound - tol."""
    A = random_signs(M, 60, 1)
    room = inexact_room(A, 0.0, 0.5 / M)
    tol = 0.1
    rule = SoftBoost(tol, excess=1e-9)
    levels = []
    log_ = WatchedRule(rule, lambda run, room, at, proposal: levels.append(run.level) or proposal)
    states = list(islice(rounds(room, [log_]), 6))
    assert states[-1].gap > tol
    for proposal, level in zip(log_.log, levels, strict=True):
        lam = proposal.ask.multipliers
        d = np.exp(-dense(room)[:, : len(lam)] @ lam)
        np.testing.assert_allclose(distribution(proposal.ask), d / d.sum(), atol=1e-12)
        edges = dense(room)[:, : len(lam)].T @ distribution(proposal.ask)
        assert edges.max() <= level + 1e-6
        assert edges[lam > 1e-6].min() >= level - 0.01  # a Newton step may go a little too far
    assert levels[-1] == pytest.approx(states[-1].bound - tol / 1.1, abs=1e-6)


def games():
    yield inexact_room(random_signs(M, 200, 1), 0.0, 0.2, tol=1e-4), 200
    yield inexact_room(random_signs(12, 8, 2), 0.0, 0.1, tol=1e-4), 8


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_stabilised_lpboost_finds_a_hypothesis_or_closes_the_gap(share):
    for room, n in games():
        size, bound, low = 0, np.inf, -1.0
        for state in islice(rounds(room, [InOut(share)]), n + ceil(log(2.0 / 1e-4) / log(1.0 / share))):
            assert len(room) > size or state.bound <= low + share * (bound - low) + 1e-9
            assert not state.stalled or state.gap <= 1e-9
            size, bound, low = len(room), state.bound, state.soft_margin
        assert state.gap <= 1e-4


def test_stabilised_lpboost_comes_to_lpboosts_end():
    data = problem(20, 2, seed=6)
    ends = []
    for rule in (LinearProgram(), InOut()):
        states = islice(rounds(data.room(0.2, 1e-6), [rule]), 200)
        ends.append(next(state for state in states if state.gap <= 1e-6).soft_margin)
    assert ends[0] == pytest.approx(ends[1], abs=2e-6)
    assert ends[0] == pytest.approx(data.optimum(0.2), abs=2e-6)


def test_the_worst_case_of_the_linear_program_is_none_of_the_stabilised_one():
    counts = {}
    for rule in (LinearProgram(), InOut()):
        room = inexact_room(worst_case_margins(64), 0.0, 1 / 64)
        counts[type(rule)] = next(s.round for s in islice(rounds(room, [rule]), 100) if s.gap <= 0.01)
    assert counts[LinearProgram] == 33
    assert counts[InOut] < 33


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_is_between_none_and_all(share):
    with pytest.raises(ValueError, match=r"share must be a number in \(0, 1\)"):
        InOut(share)


def test_a_variance_is_never_welcome():
    with pytest.raises(ValueError, match=r"D must be a finite number > 0; got 0\.0"):
        MDBoost(0.0)
