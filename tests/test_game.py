"""The game against dense NumPy, and what it refuses from a weak learner."""

import numpy as np
import pytest

from frankboost import LPBoostClassifier
from frankboost.game import Game
from frankboost.objective import CappedSimplex

rng = np.random.default_rng(0)
M = 60
MATRIX = np.column_stack([rng.choice([-1.0, 1.0], (M, 7)), rng.uniform(-1, 1, (M, 5)).astype(np.float32)])
MATRIX = MATRIX[:, rng.permutation(12)]


class Scripted:
    """A weak learner that answers from a list, whatever the distribution."""

    exact = False
    hypothesis_class = "a script"

    def __init__(self, *answers):
        self.answers = answers

    def prepare(self, X, y, sample_weight):
        return self

    def __call__(self, d):
        return [lambda X, column=column: column for column in self.answers]


def game(*columns, nu=0.3, eta=40.0):
    simplex = CappedSimplex.from_weights(rng.uniform(0.5, 2, M), nu)
    return Game(simplex, Scripted(*columns), np.zeros((M, 1)), np.ones(M), eta=eta)


def test_rounding_never_overstates():
    """float32 columns: the soft margin is not above the true one, the bound not below it."""
    H = rng.uniform(-1, 1, (M, 9))
    g = game(*H.T)
    g.ask()
    for w in rng.dirichlet(np.ones(9), size=50):
        true = g.simplex.soft_margin(H @ w)
        assert true - 1e-6 < g.value(w).soft_margin <= true
    assert g.least.edge == pytest.approx((H.T @ g.least.distribution).max(), abs=1e-15)


def test_asking_keeps_the_least_best_edge_and_where_it_was():
    g = game(*MATRIX.T)
    answer = g.ask()
    prior = g.simplex.prior
    edges = MATRIX.T @ prior
    assert answer.edge == pytest.approx(edges.max())
    assert answer.newest == edges.argmax()
    assert answer.grew
    assert g.least.edge == pytest.approx(edges.max())
    np.testing.assert_array_equal(g.least.distribution, prior)
    assert not g.ask().grew


@pytest.mark.parametrize("nu", [0.1, 0.6])
def test_other_caps_leave_the_hypotheses_and_nothing_else(nu):
    """With more room or less, a restricted game is a fresh one that knows the same columns."""
    g = game(*MATRIX.T)
    g.ask()
    weights = rng.dirichlet(np.ones(12))
    g.tilt(20.0 * weights)
    g.ask()
    g.value(weights)
    where = g.least.distribution
    simplex = CappedSimplex(g.simplex.prior, g.simplex.prior / nu)
    g.restrict(simplex, 15.0)
    fresh = Game(simplex, Scripted(*MATRIX.T), np.zeros((M, 1)), np.ones(M), eta=15.0)
    fresh.ask()
    assert len(g) == 12
    assert g.least.edge == np.inf
    assert g.value(weights) == fresh.value(weights)
    assert g.play(weights) == fresh.play(weights)
    np.testing.assert_array_equal(g.edges(), fresh.edges())
    g.restrict(simplex, 15.0)
    assert (g.distribution <= simplex.caps + 1e-15).all()
    assert g.distribution.sum() == pytest.approx(1.0, abs=1e-12)
    if nu == 0.1:  # it was allowed before and is allowed now
        np.testing.assert_allclose(g.distribution, where, atol=1e-12)
    assert g.ask().edge == pytest.approx((MATRIX.T @ g.distribution).max())


def test_value_line_and_curvature():
    g = game(*MATRIX.T)
    g.ask()
    w, v = rng.dirichlet(np.ones(12)), rng.dirichlet(np.ones(12))
    smoothed, d = g.simplex.smoothed(MATRIX @ w, g.eta)
    assert g.value(w).smoothed == pytest.approx(smoothed, abs=1e-14)
    assert g.value(w).soft_margin == pytest.approx(g.simplex.soft_margin(MATRIX @ w), abs=1e-14)
    assert g.play(w) == pytest.approx(smoothed, abs=1e-14)
    np.testing.assert_allclose(g.edges(), MATRIX.T @ d, atol=1e-14)

    line = g.line(w, v - w)
    assert line.value(0.25) == pytest.approx(g.value(0.75 * w + 0.25 * v).smoothed, abs=1e-14)
    assert line.slope(0.25) == pytest.approx(
        (line.value(0.25 + 1e-6) - line.value(0.25 - 1e-6)) / 2e-6, abs=1e-6
    )
    assert line.length() == pytest.approx(np.abs(MATRIX @ (v - w)).max())

    columns = np.arange(12)
    H = g.eta * g.curvature(columns)
    for j in columns:
        ahead, behind = w.copy(), w.copy()
        ahead[j] += 1e-6
        behind[j] -= 1e-6
        slopes = []
        for point in (ahead, behind):
            g.play(point)
            slopes.append(g.edges())
        np.testing.assert_allclose((slopes[1] - slopes[0]) / 2e-6, H[:, j], atol=1e-4)


class Bad(Scripted):
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
