"""Any tolerance: small ones are reached by a crossover to the linear program, and nothing loops for ever."""

import signal
from fractions import Fraction
from threading import Event

import highspy
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from frankboost import (
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
    verify,
)
from frankboost.learners.base import Answer, HypothesisClass, Oracle, WeakLearner
from frankboost.learners.columns import Columns
from games import problem

NEARLY_SEPARATED = np.arange(64.0)[:, None]
LABELS = np.where(np.arange(64) >= 32, 1, -1)
LABELS[5] = 1


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("nu", [0.9999990400009174, 0.999, 0.02])
@pytest.mark.parametrize("tol", [3e-8, 1e-9, 1e-12, 0.0])
def test_next_to_rounding_fits_end(tol, nu, depth):
    """At 3e-8 and the first nu phases followed one another for ever, whatever the limits."""
    clf = SoftMarginClassifier(nu, tol, max_depth=depth, max_iter=500).fit(NEARLY_SEPARATED, LABELS)
    assert clf.certificate_.status == ("optimal" if clf.certificate_.gap <= tol else "converged")
    assert clf.certificate_.gap < 1e-13


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [SoftMarginClassifier, LPBoostClassifier])
def test_small_tolerances_are_reached(kind, seed):
    data = problem(30, 2, seed=seed, weighted=seed % 2 == 1)
    for nu in (0.1, 0.4):
        certificate = kind(nu, 1e-9).fit(data.X, data.y, data.weight).certificate_
        assert certificate.status == "optimal"
        assert certificate.gap <= 1e-9
        assert certificate.soft_margin == pytest.approx(data.optimum(nu), abs=1e-8)


def test_softboost_hands_over_too():
    data = problem(30, 1, seed=0)
    certificate = SoftBoostClassifier(0.4, 1e-9, max_depth=1).fit(data.X, data.y).certificate_
    assert certificate.status == "optimal"
    assert certificate.gap <= 1e-9


def test_a_tolerance_of_nothing_ends_where_the_search_confirms_the_basis():
    data = problem(30, 2, seed=1)
    clf = SoftMarginClassifier(0.3, 0.0).fit(data.X, data.y)
    assert clf.certificate_.status == "converged"
    assert 0.0 < clf.certificate_.gap < 1e-12
    assert clf.trace_[-1].rule == "crossover"
    assert clf.trace_[0].rule == "secondary"
    assert "crossover" not in SoftMarginClassifier(0.3, 0.01).fit(data.X, data.y).trace_["rule"]


@pytest.mark.parametrize("kind", [ERLPBoostClassifier, MLPBoostClassifier])
def test_who_stalls_is_finished_by_the_linear_program(kind):
    """Equal rows of both classes: the first round is the last that changes anything."""
    X, y = np.zeros((6, 1)), np.array([0, 1, 0, 1, 0, 1])
    certificate = kind(0.5, 1e-15).fit(X, y).certificate_
    assert certificate.status in ("optimal", "converged")


class Guess(WeakLearner):
    """The same hypothesis for ever, and no bound."""

    def prepare(self, X, y, sample_weight):
        return GuessOracle()


class Any(HypothesisClass):
    def __str__(self):
        return "anything"


class GuessOracle(Oracle):
    exact = False
    hypothesis_class = Any()

    def __call__(self, u):
        return Answer([lambda X: np.where(X[:, 0] >= 32, 1.0, -1.0)], 1.0)


def test_a_learner_that_is_not_exact_stalls():
    clf = SoftMarginClassifier(0.1, 1e-3, estimator=Guess()).fit(NEARLY_SEPARATED, LABELS)
    assert clf.certificate_.status == "stalled"


def test_an_interrupted_crossover_keeps_what_was_there(monkeypatch):
    import frankboost.rules.linear_program as module  # noqa: PLC0415

    def interrupted(self, room):
        raise KeyboardInterrupt

    monkeypatch.setattr(module.LinearProgram, "start", interrupted)
    data = problem(30, 2, seed=1)
    clf = SoftMarginClassifier(0.3, 1e-9)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        certificate = clf.fit(data.X, data.y).certificate_
    assert certificate.status == "interrupted"
    assert 1e-9 < certificate.gap <= 1e-4


@pytest.mark.parametrize("status", ["time_limit", "interrupted"])
def test_a_crossover_ends_in_time_whatever_its_solver_does(status, monkeypatch):
    """An iteration over very many rows may take longer than the rest of the fit."""
    let_go = Event()

    def stuck(self):
        if status == "interrupted":
            signal.raise_signal(signal.SIGINT)
        assert let_go.wait(60)

    monkeypatch.setattr(highspy.Highs, "run", stuck)
    data = problem(30, 2, seed=1)
    clf = SoftMarginClassifier(0.3, 1e-9, time_limit=2.0 if status == "time_limit" else None)
    with pytest.warns(ConvergenceWarning):
        clf.fit(data.X, data.y)
    assert not let_go.is_set()
    let_go.set()
    assert clf.certificate_.status == status
    verify(clf, data.X, data.y)


def test_rounds_are_counted_over_the_crossover():
    data = problem(30, 2, seed=1)
    whole = SoftMarginClassifier(0.3, 1e-9).fit(data.X, data.y)
    first = whole.trace_["rule"].index("crossover")
    for most in (first, first + 1):
        clf = SoftMarginClassifier(0.3, 1e-9, max_iter=most).fit(data.X, data.y)
        assert clf.n_iter_ == most
        assert clf.certificate_.status == "max_iter"


def test_leaves_of_little_weight_count_where_the_distribution_says_so():
    """One row of 40 has a weight of 4e-8, but nu lets it have all of the distribution."""
    X, y, weight = np.arange(40.0)[:, None], np.where(np.arange(40) < 20, -1, 1), np.ones(40)
    y[-1], weight[-1] = -1, 4e-8
    certificate = SoftMarginClassifier(1e-10).fit(X, y, sample_weight=weight).certificate_
    assert certificate.status == "optimal"
    assert certificate.soft_margin == 1.0


def test_columns_that_round_to_one_leave_the_bound_alone():
    """Two hypotheses of a round with the same entries in single precision; the later has a smaller edge."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(50) % 2, 1, -1)
    large = rng.uniform(0.1, 0.9, 50)
    H = y[:, None] * np.column_stack([large, np.nextafter(large, 0.0), -large])
    clf = SoftMarginClassifier(0.3, estimator=Columns(H)).fit(np.arange(50.0)[:, None], y)
    d = [Fraction(each) for each in clf.distribution_]
    edges = [
        sum(a * b * int(c) for a, b, c in zip(d, map(Fraction, column), y, strict=True)) for column in H.T
    ]
    assert sum(d) == 1
    assert max(edges) <= Fraction(clf.certificate_.bound)


def test_a_learner_that_is_not_exact_hands_over_too():
    data = problem(30, 2, seed=1)
    clf = SoftMarginClassifier(0.3, 1e-7, max_depth=3).fit(data.X, data.y)
    assert clf.certificate_.status == "closed"
    assert clf.certificate_.gap <= 1e-7
