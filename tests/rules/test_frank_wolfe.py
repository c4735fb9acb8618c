"""Frank-Wolfe rules: on the simplex, upwards, and as their formulas say."""

import numpy as np
import pytest

from frankboost.rules.base import Position
from frankboost.rules.frank_wolfe import (
    Away,
    BlendedPairwise,
    Classic,
    LineSearch,
    Pairwise,
    ShortStep,
)
from games import distribution, scripted_room

M, T = 50, 8
MONOTONE = [ShortStep(), LineSearch(), Away(), Pairwise(), BlendedPairwise()]


def position(seed, support=4, eta=60.0):
    """A room with T hypotheses, at weights that use `support` of them."""
    rng = np.random.default_rng(seed)
    A = rng.choice([-1.0, 1.0], (M, T))
    room = scripted_room(lambda u: A.T, np.ones(M), 0.3, eta=eta)
    room.ask()
    weights = np.zeros(T)
    weights[rng.permutation(T)[:support]] = rng.dirichlet(np.ones(support))
    asked = room.at(weights)
    edges = asked.edges()
    return room, A, Position(3, weights, asked, edges, int(edges.argmax()))


def step(rule, room, at):
    return rule.start(room)(at).at.multipliers


@pytest.mark.parametrize("rule", [Classic(), *MONOTONE], ids=repr)
@pytest.mark.parametrize("support", [1, 2, 5, T])
@pytest.mark.parametrize("seed", range(10))
def test_steps_stay_on_the_simplex(rule, support, seed):
    room, _, at = position(seed, support)
    w = step(rule, room, at)
    assert w.min() >= 0.0
    assert w.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("rule", MONOTONE, ids=repr)
@pytest.mark.parametrize("seed", range(10))
def test_steps_go_up(rule, seed):
    room, _, at = position(seed)
    assert room.at(step(rule, room, at)).value >= room.at(at.weights).value - 1e-14


@pytest.mark.parametrize("seed", range(5))
def test_formulas(seed):
    room, A, at = position(seed)
    new = np.eye(T)[at.newest]
    np.testing.assert_allclose(step(Classic(), room, at), at.weights + 0.4 * (new - at.weights), atol=1e-14)
    change = A @ (new - at.weights)
    short = min(1.0, max(0.0, distribution(at.asked) @ change / (room.eta * np.abs(change).max() ** 2)))
    np.testing.assert_allclose(
        step(ShortStep(), room, at), at.weights + short * (new - at.weights), atol=1e-12
    )


@pytest.mark.parametrize("rule", [LineSearch(), Away(), Pairwise(), BlendedPairwise()], ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_line_searches_find_the_best_step(rule, seed):
    room, _, at = position(seed)
    w = step(rule, room, at)
    direction = w - at.weights
    if np.abs(direction).max() == 0.0:
        return
    best = room.at(w).value
    for stretch in (0.9, 0.99, 1.01, 1.1):
        trial = at.weights + stretch * direction
        if trial.min() >= 0.0:
            assert room.at(trial).value <= best + 1e-12


def test_a_line_search_does_at_least_as_well_as_the_short_step():
    for seed in range(20):
        room, _, at = position(seed)
        line, short = (room.at(step(rule, room, at)).value for rule in (LineSearch(), ShortStep()))
        assert line >= short - 1e-13


def test_pairwise_moves_two_weights_and_drops_a_used_up_one():
    dropped = 0
    for seed in range(40):
        room, _, at = position(seed, eta=5.0)
        w = step(Pairwise(), room, at)
        moved = np.flatnonzero(np.abs(w - at.weights) > 1e-12)
        worst = int(np.argmin(np.where(at.weights > 0, at.edges, np.inf)))
        assert set(moved) <= {at.newest, worst}
        if w[worst] < 1e-12:
            dropped += 1
            assert w[worst] == 0.0
    assert dropped > 0


def test_away_steps_can_drop_a_hypothesis():
    dropped = 0
    for seed in range(60):
        room, _, at = position(seed, support=T, eta=3.0)
        w = step(Away(), room, at)
        dropped += np.count_nonzero(w) < np.count_nonzero(at.weights)
    assert dropped > 0


def test_nothing_moves_from_the_newest_alone():
    room, _, at = position(0)
    alone = Position(1, np.eye(T)[at.newest], at.asked, at.edges, at.newest)
    for rule in [Classic(), *MONOTONE]:
        np.testing.assert_array_equal(step(rule, room, alone), alone.weights)


def test_blended_steps_stay_inside_the_ensemble_while_that_promises_more():
    local = 0
    for seed in range(40):
        room, _, at = position(seed, support=5)
        used = at.weights > 0.0
        inside = at.edges[used].max() - at.edges[used].min()
        outside = at.edges[at.newest] - at.edges @ at.weights
        moved = np.flatnonzero(np.abs(step(BlendedPairwise(), room, at) - at.weights) > 1e-12)
        if inside >= outside:
            local += 1
            assert used[moved].all()
            assert len(moved) == 2
        else:
            assert at.newest in moved
    assert 0 < local < 40
