"""The game of a matrix: the optimum of linear programming, by every rule."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import frankboost
import reference
from frankboost import Certificate, solve
from frankboost.learners.columns import worst_case_margins
from frankboost.rules import Proposal
from frankboost.rules.names import FW_RULES, SECONDARIES

RNG = np.random.default_rng(0)
REAL, SIGNS = RNG.uniform(-1, 1, (30, 50)), RNG.choice([-1.0, 1.0], (40, 60), p=[0.4, 0.6])


def test_sparse_matrices_are_refused():
    with pytest.raises(TypeError, match=r"A must be a dense array; got a csr_array: give A.toarray\(\)"):
        solve(csr_array(SIGNS), 0.3)


def soft_margin(A, nu, weights):
    return reference.soft_margin(A @ weights, np.full(len(A), 1 / (nu * len(A))))


def check(A, nu, found):
    """Both ends are what weights and distribution give, and the optimum is between them."""
    m, certificate = len(A), found.certificate
    caps = np.full(m, 1 / (nu * m))
    assert found.weights.sum() == 1.0
    assert (found.weights >= 0).all()
    assert found.distribution.sum() == pytest.approx(1.0, abs=1e-15)
    assert (found.distribution >= 0).all()
    assert (found.distribution <= caps * (1 + 1e-12)).all()
    # Both may give away what rounding can do, and give nothing that is not there.
    assert 0.0 <= soft_margin(A, nu, found.weights) - certificate.soft_margin + 1e-15 <= 1e-7
    assert 0.0 <= certificate.bound - (found.distribution @ A).max() + 1e-15 <= 1e-12
    optimum = reference.game_value(A, caps)
    assert certificate.soft_margin - 1e-9 <= optimum <= certificate.bound + 1e-9


@pytest.mark.parametrize("nu", [1e-30, 0.01, 0.1, 0.37, 1.0])
@pytest.mark.parametrize("A", [REAL, SIGNS, worst_case_margins(16)], ids=["real", "signs", "worst case"])
def test_the_optimum_is_that_of_linear_programming(A, nu):
    found = solve(A, nu, 1e-7)
    check(A, nu, found)
    assert found.certificate.gap <= 1e-7
    assert len(found.trace) >= 1


@pytest.mark.parametrize("rule", [*FW_RULES, *SECONDARIES])
def test_every_rule_plays(rule):
    found = solve(SIGNS, 0.3, 0.1, rule, max_iter=30)
    check(SIGNS, 0.3, found)
    assert len(found.trace) <= 30


@pytest.mark.parametrize("rule", [*FW_RULES, *SECONDARIES])
@pytest.mark.parametrize("edge", [-1.0, 1.0])
def test_every_rule_plays_where_all_are_wrong_or_right(rule, edge):
    certificate = solve(np.full((4, 2), edge), 0.5, rule=rule).certificate
    assert certificate.soft_margin == certificate.bound == edge


def test_a_rule_of_your_own():
    class Uniform:
        kind = "secondary"

        def start(self, room):
            return lambda position: Proposal(room.at(np.full(n := len(position.weights), 1 / n)))

    check(SIGNS, 0.3, solve(SIGNS, 0.3, 0.01, Uniform(), max_iter=5))


def test_one_example_and_one_hypothesis():
    found = solve([[0.25]], 0.5)
    assert (found.weights.tolist(), found.distribution.tolist()) == ([1.0], [1.0])
    assert isinstance(found.certificate, Certificate)
    assert found._repr_html_().count("<svg") == 2
    assert "1 of 1 hypotheses, soft margin 0.24999 <= optimum <= 0.25001" in repr(found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[2.0]], 0.1), r"A must hold margins in \[-1, 1\]; got 2 to 2"),
        (([[np.nan]], 0.1), r"A must hold margins in \[-1, 1\]"),
        (([1.0], 0.1), r"A must have examples as rows and hypotheses as columns; got shape \(1,\)"),
        ((np.zeros((3, 0)), 0.1), r"A must have examples .* got shape \(3, 0\)"),
        (([["a"]], 0.1), "A must hold numbers"),
        (([[1.0]], 0.0), r"nu must be a number in \(0, 1\]; got 0.0"),
        (([[1.0]], 0.1, -1.0), "tol must be a finite number >= 0; got -1.0"),
        (([[1.0]], 0.1, 0.1, "best"), "rule must be 'classic', .* or a rule; got 'best'"),
        (([[1.0]], 0.1, 0.1, 7), "rule must be .* got 7"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        frankboost.solve(*arguments)
