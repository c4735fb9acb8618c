"""What the local room alone promises: rounding, threads, and what it refuses from a weak learner."""

from fractions import Fraction

import numpy as np
import pytest

from frankboost import LPBoostClassifier, native
from frankboost.boosting import rounds
from frankboost.learners.base import Answer, Start, WeakLearner
from frankboost.learners.finite import FiniteOracle
from frankboost.rooms.host_part import Examples
from frankboost.rooms.margins import BinaryMargins
from frankboost.rules.level import Level
from games import LocalRoom, Scripted, scripted_room

rng = np.random.default_rng(0)
M = 60


def test_rounding_never_overstates():
    """float32 columns: the soft margin is not above the true one, the bound not below it."""
    H = rng.uniform(-1, 1, (M, 9))
    weight = rng.uniform(0.5, 2, M)
    room = scripted_room(lambda u: H.T, weight, 0.3)
    room.ask()
    for w in rng.dirichlet(np.ones(9), size=50):
        true = native.soft_margin(H @ w, weight, 0.3, float(weight.sum()), 1)[0]
        assert true - 1e-6 < room.at(w).soft_margin() <= true
    d = room.outcome(np.eye(9)[0]).distribution
    edge = max(sum(Fraction(x) * Fraction(h) for x, h in zip(d, column, strict=True)) for column in H.T)
    assert edge <= Fraction(room.bound) <= edge + Fraction(1e-12)


def test_the_bound_is_the_oracles_where_that_is_larger():
    columns = rng.choice([-1.0, 1.0], (3, M))

    class Modest(Scripted):
        def __call__(self, u):
            return Answer(super().__call__(u).hypotheses, 0.9)

    examples = Examples(np.zeros((M, 1)), BinaryMargins(np.ones(M)), np.ones(M))
    room = LocalRoom(examples, Modest(lambda u: columns), nu=0.3, tol=0.01)
    room.ask()
    assert room.bound == 0.9


def test_a_game_from_known_weights_begins_where_they_lead():
    left = []
    for _ in range(10):
        H = np.sign(rng.normal(size=(M, 40)) + 0.3)
        own = [lambda X, j=j, H=H: H[:, j] for j in range(40)]
        examples = Examples(np.zeros((M, 1)), BinaryMargins(np.ones(M)), np.ones(M))
        room, led = (LocalRoom(examples, FiniteOracle(H, own, "signs"), nu=0.3, tol=0.01) for _ in range(2))
        states = []
        for state in rounds(room, [Level(0.01)]):
            states.append(state)
            if state.gap <= 0.01:
                break
        led.recall(Start(room.hypotheses, state.best_weights))
        led.ask()
        left.append((led.bound - state.soft_margin) / (states[0].bound - state.soft_margin))
    assert min(left) >= 0.0
    assert np.mean(left) < 0.3  # of the gap at the prior


def test_hypotheses_that_the_class_lacks_are_not_taken_in():
    """The certificate of a warm start would be false otherwise."""
    H = rng.choice([-1.0, 1.0], (M, 4))
    own, foreign = [[lambda X, j=j: H[:, j] for j in range(4)] for _ in range(2)]
    examples = Examples(np.zeros((M, 1)), BinaryMargins(np.ones(M)), np.ones(M))
    room = LocalRoom(examples, FiniteOracle(H, own, "signs"), nu=0.3, tol=0.01)
    d = np.full(M, 1 / M)
    assert room.recall(Start(foreign, np.full(4, 0.25), d)) is None
    assert len(room) == 0
    known = room.recall(Start([own[2], *foreign, own[0]], np.full(6, 1 / 6), d))
    np.testing.assert_allclose(known, [0.5, 0.5])
    assert room.hypotheses == [own[2], own[0]]


def test_points_of_other_rooms_are_refused():
    room = scripted_room(lambda u: [np.ones(M)], np.ones(M), 0.3)
    other = scripted_room(lambda u: [np.ones(M)], np.ones(M), 0.3)
    other.ask()
    with pytest.raises(TypeError, match="the point must be one of this room"):
        room.ask(other.at(np.ones(1)))


class Bad(WeakLearner):
    """A weak learner that answers from a list."""

    def __init__(self, *answers):
        self.answers = answers

    def prepare(self, X, y, sample_weight):
        return Scripted(lambda u: self.answers)

    def __repr__(self):
        return "Bad()"


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (
            (np.full(4, 1.5),),
            r"Bad\(\) returned a hypothesis with values from 1.5 to 1.5; allowed: \[-1, 1\]",
        ),
        (
            (np.full(4, np.nan),),
            r"Bad\(\) returned a hypothesis with values from nan to nan; allowed: \[-1, 1\]",
        ),
        ((np.ones(3),), r"Bad\(\) returned a hypothesis with values of shape \(3,\) for 4 rows"),
        ((), r"Bad\(\) returned no hypothesis"),
    ],
)
def test_a_bad_answer_names_the_weak_learner(answers, message):
    clf = LPBoostClassifier(estimator=Bad(*answers))
    with pytest.raises(ValueError, match=message):
        clf.fit(np.zeros((4, 1)), [0, 1, 0, 1])
    assert not hasattr(clf, "certificate_")
