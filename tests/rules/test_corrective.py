"""Corrective rules held to their laws, round by round, with caps and without."""

from itertools import islice
from math import atanh, ceil, cosh, log, sinh

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier

import reference
from frankboost import BestTree
from frankboost.boosting import rounds
from frankboost.rooms.host_part import Examples
from frankboost.rooms.margins import BinaryMargins
from frankboost.rules.corrective import AdaBoost, AdaBoostStar, ArcGV, Hedge
from frankboost.rules.frank_wolfe import ShortStep
from games import LocalRoom, Spy, breast_cancer, dense, distribution, inexact_room, problem, random_signs

M = 40
RULES = {
    "AdaBoost": AdaBoost(),
    "AdaBoost_rho": AdaBoost(0.05),
    "AdaBoost*": AdaBoostStar(0.05),
    "arc-gv": ArcGV(),
    "Hedge": Hedge(0.05),
}


def fractions(m=M, n=30, seed=4):
    """Columns of entries between -1 and 1, with edges above 0.05."""
    return np.clip(np.random.default_rng(seed).normal(0.3, 0.6, (m, n)), -1.0, 1.0)


ROOMS = {
    "signs": lambda nu: inexact_room(random_signs(M, 60, 1), 0.0, nu, tol=0.05),
    "fractions": lambda nu: inexact_room(fractions(), 0.0, nu, tol=0.05),
    "weighted rows": lambda nu: problem(M, 1, 3, weighted=True).room(nu, 0.05),
}
NU = {"no caps": 0.5 / M, "caps": 0.2}


def played(room, rule, number, beside=()):
    spy = Spy(rule, lambda run: (run.point, run.point.edges().max()), lambda run: run.point)
    states = list(islice(rounds(room, [spy, *beside]), number))
    return spy.log, states


@pytest.mark.parametrize("nu", NU.values(), ids=NU)
@pytest.mark.parametrize("where", ROOMS)
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("beside", [[], [ShortStep()]], ids=["alone", "in a contest"])
def test_every_step_gains_what_the_law_says(name, where, nu, beside):
    room = ROOMS[where](nu)
    exact = where == "signs" and nu < 1 / M
    log_, _ = played(room, RULES[name], 60, beside)
    for before, edge, after in log_:
        step = after.multipliers.sum() - before.multipliers.sum()
        assert step >= 0.0
        gain, least = after.value - before.value, -log(cosh(step) - edge * sinh(step))
        assert gain >= least - 1e-10
        assert not exact or gain == pytest.approx(least, abs=1e-10)
        assert after.value <= after.soft_margin() + room.entropy_range + 1e-10


@pytest.mark.parametrize("where", ["signs", "fractions"])
def test_without_caps_the_distribution_is_adaboosts(where):
    room = ROOMS[where](NU["no caps"])
    log_, states = played(room, AdaBoost(), 25)
    A = dense(room)
    for (_, _, point), state in zip(log_, states, strict=True):
        lam = point.multipliers
        d = np.exp(-A[:, : len(lam)] @ lam)
        np.testing.assert_allclose(distribution(point), d / d.sum(), atol=1e-12)
        np.testing.assert_allclose(state.weights, lam / lam.sum(), atol=1e-12)


class LeastError(ClassifierMixin, BaseEstimator):
    """The stump of least weighted error, as scikit-learn wants it."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        self.values = max(reference.stump_values(X), key=lambda values: (sample_weight * y) @ values)
        return self

    def predict(self, X):
        return self.values


def test_adaboost_is_scikit_learns_over_the_same_stumps():
    """Weights that tell all rows apart leave no ties for the last bit to decide."""
    data = breast_cancer(120, 1)
    weight = np.random.default_rng(0).uniform(0.5, 1.5, 120)
    them = AdaBoostClassifier(LeastError(), n_estimators=25).fit(data.X, data.y, weight)
    oracle = BestTree(max_depth=1).prepare(data.X, data.y, weight)
    room = LocalRoom(Examples(data.X, BinaryMargins(data.y), weight), oracle, nu=1e-9, tol=0.01)
    state = list(islice(rounds(room, [AdaBoost()]), 25))[-1]
    votes = [data.y * each.predict(data.X) for each in them.estimators_]
    expected = them.estimator_weights_ @ votes / them.estimator_weights_.sum()
    np.testing.assert_allclose(dense(room) @ state.weights, expected, atol=1e-9)


@pytest.mark.parametrize("nu", [0.5 / M, 0.1, 0.4])
@pytest.mark.parametrize("rule", [AdaBoostStar, Hedge])
def test_the_gap_closes_within_the_rounds_of_the_theorem(rule, nu):
    tol = 0.1
    for A in (random_signs(M, 60, 1), fractions()):
        room = inexact_room(A, 0.0, nu, tol=tol)
        most = ceil(2.0 * room.entropy_range / tol**2)
        _, states = played(room, rule(tol), most)
        assert states[-1].gap <= tol
        assert room.at(states[-1].weights).soft_margin() >= states[-1].bound - tol - 1e-9


@pytest.mark.parametrize("nu", NU.values(), ids=NU)
def test_a_target_below_the_optimum_is_reached(nu):
    A = random_signs(M, 60, 1)
    room = inexact_room(A, 0.0, nu)
    optimum = reference.game_value(A, room.caps)
    target = optimum - 0.1
    _, states = played(room, AdaBoost(target), ceil(2.0 * room.entropy_range / 0.1**2))
    assert room.at(states[-1].weights).soft_margin() >= target


def test_a_target_above_the_optimum_is_not_tried():
    data = problem(M, 1, 3)
    _, states = played(data.room(0.2, 0.05), AdaBoost(0.99), 3)
    assert states[-1].stalled
    assert states[-1].bound < 0.99


def test_adaboost_comes_to_half_of_the_edge_and_arc_gv_to_all_of_it():
    A = fractions()
    room = inexact_room(A, 0.0, 0.2)
    optimum = reference.game_value(A, room.caps)
    _, states = played(room, AdaBoost(), 1000)
    assert states[-1].soft_margin >= optimum / 2
    assert states[-1].gap > 0.01
    _, states = played(inexact_room(A, 0.0, 0.2), ArcGV(), 2000)
    assert states[-1].gap <= 0.01


def test_a_hypothesis_that_is_always_right_ends_the_game():
    room = inexact_room(np.ones((M, 1)), 0.0, 0.2)
    for rule in RULES.values():
        _, states = played(room, rule, 3)
        assert states[-1].gap <= 1e-12


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AdaBoost(1.0), r"target must be in \(-1, 1\); got 1.0"),
        (lambda: AdaBoostStar(0.0), "tol must be a finite number > 0; got 0.0"),
        (lambda: Hedge(-1.0), "tol must be a finite number > 0; got -1.0"),
    ],
)
def test_settings_are_checked(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_step_is_adaboosts():
    room = inexact_room(random_signs(M, 60, 1), 0.0, 0.5 / M)
    [(_, edge, point)], _ = played(room, AdaBoost(), 1)
    assert point.multipliers.max() == pytest.approx(0.5 * log((1 + edge) / (1 - edge)))
    room = inexact_room(random_signs(M, 60, 1), 0.0, 0.5 / M)
    [(_, edge, point)], _ = played(room, AdaBoost(0.1), 1)
    assert point.multipliers.max() == pytest.approx(atanh(edge) - 0.5 * log(1.1 / 0.9))
