"""Laws of Algorithm 1 for every algorithm: duality at every round, and the end it must come to."""

from itertools import islice

import numpy as np
import pytest

from frankboost import MLPBoostClassifier
from frankboost.boosting import rounds
from frankboost.fitting.run import SmoothedGap
from frankboost.rules.base import Proposal
from frankboost.rules.frank_wolfe import LineSearch
from frankboost.rules.level import Level
from games import ALGORITHMS, CONTESTS, UNAIMED, LocalRoom, distribution, problem

M = 20
FRACTIONS = {"below one example": 0.4 / M, "one example": 1 / M, "a tenth": 0.1, "half": 0.5, "all": 1.0}


def rules_of(name):
    return MLPBoostClassifier(**(ALGORITHMS | UNAIMED)[name]).rules()


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("name", ALGORITHMS | UNAIMED)
def test_weak_duality_at_every_round(name, depth):
    data = problem(M, depth, seed=depth)
    for nu in (0.4 / M, 0.3):
        optimum = data.optimum(nu)
        for state in islice(rounds(data.room(nu, 0.05), rules_of(name)), 60):
            assert state.soft_margin <= optimum + 1e-9
            assert optimum <= state.bound + 1e-9
            assert state.weights.min() >= 0.0
            assert state.weights.sum() == pytest.approx(1.0, abs=1e-12)
            assert state.best_weights.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("nu", FRACTIONS.values(), ids=FRACTIONS)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_ends_within_tol_of_the_enumerated_optimum(name, nu, weighted):
    tol = 0.05
    for depth in (1, 2):
        data = problem(M, depth, seed=10 + depth, weighted=weighted)
        clf = MLPBoostClassifier(nu, tol, max_depth=depth, max_iter=100_000, **ALGORITHMS[name])
        certificate = clf.fit(data.X, data.y, data.weight).certificate_
        optimum = data.optimum(nu)
        assert certificate.status == "optimal"
        assert certificate.gap <= tol
        assert certificate.soft_margin - 1e-9 <= optimum <= certificate.bound + 1e-9


@pytest.mark.parametrize("name", ["lpb", "erlpb", "mlpb-pairwise"])
def test_a_small_tolerance_is_reached(name):
    data = problem(M, 2, seed=6)
    clf = MLPBoostClassifier(0.2, 1e-4, **ALGORITHMS[name]).fit(data.X, data.y)
    assert clf.certificate_.status == "optimal"
    assert clf.certificate_.soft_margin == pytest.approx(data.optimum(0.2), abs=1e-4)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_weight_of_two_is_the_row_twice(name):
    data = problem(M, 1, seed=8, weighted=True)
    count = data.weight.astype(int)
    settings = {"nu": 0.3, "tol": 0.02, "max_depth": 1, "max_iter": 100_000, **ALGORITHMS[name]}
    one = MLPBoostClassifier(**settings).fit(data.X, data.y, data.weight).certificate_
    twice = (
        MLPBoostClassifier(**settings)
        .fit(np.repeat(data.X, count, axis=0), np.repeat(data.y, count))
        .certificate_
    )
    assert one.soft_margin <= twice.bound + 1e-9
    assert twice.soft_margin <= one.bound + 1e-9
    if name in ("lpb", "erlpb"):  # the objective is the same, so is the path
        assert one.soft_margin == pytest.approx(twice.soft_margin, abs=1e-6)


@pytest.mark.parametrize("name", CONTESTS)
def test_the_smoothed_objective_never_falls_in_a_contest(name):
    for seed in range(3):
        data = problem(30, 2, seed=seed)
        smoothed = [state.smoothed for state in islice(rounds(data.room(0.2, 0.02), rules_of(name)), 80)]
        assert (np.diff(smoothed) >= -1e-12).all()


@pytest.mark.parametrize(
    "name", ["fw-classic", "fw-short", "fw-line", "mlpb-classic", "mlpb-short", "mlpb-line"]
)
def test_the_theorems_number_of_rounds(name):
    tol, nu = 0.1, 0.1
    for seed in range(3):
        data = problem(40, 1, seed=seed)
        room = data.room(nu, tol)
        stop = SmoothedGap(tol, room)  # the paper's own test, to which its theorem applies
        most = 32 * np.log(1 / nu) / tol**2
        states = islice(rounds(room, rules_of(name)), int(most))
        assert any(stop(state) for state in states)


def test_stalled_means_that_nothing_changes_again():
    data = problem(M, 1, seed=2)
    states = list(islice(rounds(data.room(0.3, 0.05), rules_of("lpb")), 40))
    assert states[-1].stalled
    first = next(i for i, state in enumerate(states) if state.stalled)
    for state in states[first:]:
        np.testing.assert_array_equal(state.weights, states[first].weights)
        assert state.bound == states[first].bound


def test_the_state_is_a_snapshot():
    data = problem(M, 1, seed=2)
    states, kept = [], []
    for state in islice(rounds(data.room(0.3, 0.05), rules_of("mlpb-short")), 10):
        states.append(state)
        kept.append((state.weights.copy(), state.best_weights.copy()))
    for state, (weights, best) in zip(states, kept, strict=True):
        np.testing.assert_array_equal(state.weights, weights)
        np.testing.assert_array_equal(state.best_weights, best)
    assert [state.round for state in states] == list(range(1, 11))


class Scripted:
    """A rule that proposes a function of the number of hypotheses, and perhaps a distribution of its own."""

    kind = "secondary"

    def __init__(self, weights, own=None):
        self.weights, self.own = weights, own

    def start(self, room):
        def step(at):
            weights = self.weights(len(at.weights))
            return Proposal(room.at(weights), self.own and room.point(weights, self.own(room)))

        return step


def uniform(size):
    return np.full(size, 1 / size)


def oldest(size):
    return np.eye(size)[0]


@pytest.mark.parametrize("order", [[uniform, oldest], [oldest, uniform]])
def test_a_contest_is_won_by_the_larger_smoothed_objective(order):
    room = problem(30, 2, seed=1).room(0.3, 0.05)
    for state in islice(rounds(room, [Scripted(weights) for weights in order]), 8):
        size = len(state.weights)
        best = max(room.at(weights(size)).value for weights in (uniform, oldest))
        assert state.smoothed >= best - 1e-12


def test_weights_stay_if_every_proposal_of_a_contest_is_worse():
    room = problem(30, 2, seed=1).room(0.3, 0.05)
    states = list(islice(rounds(room, [LineSearch(), Scripted(oldest)]), 6))
    later = list(islice(rounds(room, [Scripted(uniform), Scripted(oldest)]), 3))
    assert (np.diff([state.smoothed for state in states]) >= -1e-12).all()
    assert [state.rule for state in later[1:]] == ["none", "none"]
    np.testing.assert_array_equal(later[2].weights, later[1].weights)


class Asked(LocalRoom):
    """A room that remembers where it was asked, and about what."""

    def ask(self, point=None, low=-np.inf, level=-np.inf):
        self.last, self.level = point, level
        return super().ask(point, low, level)


def test_only_a_rule_alone_may_bring_its_own_distribution():
    data = problem(30, 2, seed=1)
    room = Asked(*data.parts(), nu=0.3, tol=0.05)

    def own(room):
        return np.full(30, 1 / 30)

    list(islice(rounds(room, [Scripted(uniform, own)]), 2))
    np.testing.assert_allclose(distribution(room.last), own(room), atol=1e-15)
    states = list(islice(rounds(room, [Scripted(uniform, own), Scripted(oldest, own)]), 2))
    there = room.at(states[0].weights)
    np.testing.assert_array_equal(distribution(room.last), distribution(there))
    assert np.abs(distribution(room.last) - own(room)).max() > 1e-3


def test_a_rule_alone_says_which_edges_are_of_use():
    """The search is to find one above the level, from which Theorem 2 counts, not above known ones alone."""
    data = problem(30, 2, seed=1)
    room = Asked(*data.parts(), nu=0.3, tol=1e-3)
    levels = []
    for state in rounds(room, [Level(1e-3)]):
        need = room.search._oracle.need
        assert need.known >= room.level
        levels.append(room.level)
        if state.gap <= 1e-3:
            break
    assert levels[0] == -np.inf < min(levels[1:])


def test_a_contest_says_that_edges_above_the_smoothed_soft_margin_are_of_use():
    """Theorem 1 with relative errors counts from there."""
    data = problem(30, 2, seed=1)
    room = Asked(*data.parts(), nu=0.3, tol=1e-3)
    level = -np.inf
    for state in islice(rounds(room, [LineSearch(), Level(1e-3)]), 5):
        assert room.level == level
        level = state.smoothed
