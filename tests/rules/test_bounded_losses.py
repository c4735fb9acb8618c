"""MadaBoost, logistic boosting and SmoothBoost held to their laws, round by round."""

from dataclasses import dataclass
from itertools import islice
from math import ceil, cosh, exp, log, sinh, sqrt

import numpy as np
import pytest

import reference
from frankboost.boosting import rounds
from frankboost.rules.bounded_losses import LogisticBoost, MadaBoost, SmoothBoost
from games import Spy, dense, distribution, inexact_room, problem, random_signs
from rooms.laws import sample
from rooms.stumps import in_parts

M = 40
LOSSES = {  # what each weight is minus the slope of
    "MadaBoost": (MadaBoost(), lambda z: np.where(z < 0, 1 - z, np.exp(-np.maximum(z, 0)))),
    "logistic": (LogisticBoost(), lambda z: np.log1p(np.exp(-z))),
}
SLOPES = {
    "MadaBoost": lambda z: np.minimum(1.0, np.exp(-z)),
    "logistic": lambda z: 1 / (1 + np.exp(z)),
}


@dataclass(frozen=True, eq=False)
class Round:
    """What was known before a step, and its point afterwards."""

    edge: float
    mass: float
    distribution: np.ndarray
    multipliers: np.ndarray  # afterwards


def before(run):
    return run.point.edges().max(), run.mass, distribution(run.point)


def played(room, rule, number):
    spy = Spy(rule, before, lambda run: run.point.multipliers.copy())
    states = list(islice(rounds(room, [spy]), number))
    log, A = [Round(*each) for each in spy.log], dense(room)
    return log, [A[:, : len(each.multipliers)] @ each.multipliers for each in log], states


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", LOSSES)
def test_the_mean_loss_falls_as_the_law_says(name, weighted):
    rule, loss = LOSSES[name]
    data = problem(M, 1, 3, weighted=weighted)
    room = data.room(0.3, 0.05)
    prior = data.weight / data.weight.sum()
    log_, margins, _ = played(room, rule, 40)
    z = np.zeros(M)
    for each, then in zip(log_, margins, strict=True):
        slope = SLOPES[name](z)
        assert each.mass == pytest.approx(prior @ slope, abs=1e-12)
        if slope.max() < each.mass / 0.3:  # no cap binds
            np.testing.assert_allclose(each.distribution, prior * slope / each.mass, atol=1e-12)
            fall = prior @ loss(z) - prior @ loss(then)
            assert fall >= each.mass * (1.0 - sqrt(1.0 - each.edge**2)) - 1e-12
        else:
            d = reference.project(z, prior, prior / 0.3, 1.0)
            np.testing.assert_allclose(each.distribution, d, atol=1e-12)
        z = then


def test_both_kinds_of_rounds_occur():
    """Where the class separates the rows the weights fall until caps bind; elsewhere they never do."""
    kinds = set()
    for A in (random_signs(M, 60, 1), random_signs(M, 4, 1)):
        log_, _, _ = played(inexact_room(A, 0.0, 0.3), MadaBoost(), 100)
        kinds |= {each.mass > 0.3 for each in log_}
    assert kinds == {True, False}


def test_madaboosts_errors_fall_below_any_fraction():
    A = random_signs(M, 60, 1)
    room = inexact_room(A, 0.0, 0.1)
    edge = reference.game_value(A, room.caps)
    log_, margins, _ = played(room, MadaBoost(), ceil(2.0 / (0.1 * edge**2)))
    first = next(t for t, each in enumerate(log_) if each.mass < 0.1)
    assert (margins[first - 1] <= 0.0).mean() < 0.1


def test_truncated_weights_are_a_projection_onto_another_cap():
    """min(1, exp(-z)) / W is the entropy projection onto the capped simplex with nu/m = W."""
    z = np.random.default_rng(0).normal(0.5, 1.0, M)
    prior = np.full(M, 1 / M)
    weight = np.minimum(1.0, np.exp(-z))
    mass = prior @ weight
    np.testing.assert_allclose(
        reference.project(z, prior, prior / mass, 1.0), prior * weight / mass, atol=1e-12
    )


def test_smoothboost_leaves_few_margins_below_its_target():
    nu = 0.2
    A = random_signs(M, 200, 1)
    room = inexact_room(A, 0.0, nu)
    gamma = reference.game_value(A, room.caps) / 2.0
    theta, step = gamma / (2.0 + gamma), -log(1.0 - gamma) / 2.0
    log_, margins, _ = played(room, SmoothBoost(gamma), ceil(2.0 / (nu * gamma**2 * sqrt(1.0 - gamma))))
    first = next(t for t, each in enumerate(log_) if each.mass < nu)
    assert (margins[first - 1] / log_[first - 1].multipliers.sum() <= theta).mean() < nu
    fall = 1.0 - exp(step * theta) * (cosh(step) - 2.0 * gamma * sinh(step))
    assert fall >= gamma**2 * sqrt(1.0 - gamma) / 2.0
    for t, each in enumerate(log_[:first]):  # the caps are kept to of its own accord
        z = margins[t - 1] - t * step * theta if t else np.zeros(M)
        weight = np.minimum(1.0, np.exp(-z))
        np.testing.assert_allclose(each.distribution, weight / weight.sum(), atol=1e-12)
        assert each.distribution.max() <= 1 / (nu * M)
        assert each.multipliers.sum() == pytest.approx(step * (t + 1))


@pytest.mark.parametrize(
    "rule", [MadaBoost(), LogisticBoost(), SmoothBoost()], ids=lambda rule: type(rule).__name__
)
def test_a_hypothesis_that_is_best_again_is_no_end(rule):
    """The weights are those before, the distribution is not."""
    A = np.where(np.arange(M)[:, None] < [30, 10], 1.0, -1.0)[:, [0]]
    _, _, states = played(inexact_room(np.column_stack([A, -A]), 0.0, 0.3), rule, 4)
    assert len(states[1].weights) == 1
    assert not any(state.stalled for state in states)


@pytest.mark.parametrize("gamma", [0.0, 0.5])
def test_an_advantage_is_less_than_half(gamma):
    with pytest.raises(ValueError, match="gamma must be"):
        SmoothBoost(gamma)


def test_without_whole_columns_they_are_refused():
    room = in_parts(*sample(signs=True), nu=0.3, tol=0.01, columns=1)
    with pytest.raises(TypeError, match="needs whole columns"):
        MadaBoost().start(room)


@pytest.mark.parametrize("nu", [1e-9, 1.0])
def test_no_caps_and_nothing_but_caps(nu):
    room = inexact_room(random_signs(M, 60, 1), 0.0, nu)
    for rule in (MadaBoost(), LogisticBoost(), SmoothBoost()):
        _, _, states = played(room, rule, 300)
        assert states[-1].soft_margin <= states[-1].bound
