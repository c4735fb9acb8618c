"""The caller's loop: limits, interrupts, observers, and the same model for any number of threads."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning

from frankboost import (
    BestTree,
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.learners.base import WeakLearner
from games import Scripted, problem

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :8]
CLASSIFIERS = [
    LPBoostClassifier,
    ERLPBoostClassifier,
    CERLPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
]


def honest(clf):
    """The certificate describes the ensemble that is there, whatever ended the fit."""
    certificate = clf.certificate_
    margins = np.where(y == clf.classes_[1], 1.0, -1.0) * clf.decision_function(X)
    worst = np.sort(margins)
    share = certificate.nu * len(y)
    whole = int(share)
    mean = (worst[:whole].sum() + (share - whole) * worst[min(whole, len(y) - 1)]) / share
    assert certificate.soft_margin == pytest.approx(mean, abs=1e-9)
    assert clf.estimator_weights_.sum() == pytest.approx(1.0, abs=1e-12)
    assert clf.distribution_.sum() == pytest.approx(1.0, abs=1e-9)
    assert clf.distribution_.max() <= 1 / share + 1e-12
    signed = clf.distribution_ * np.where(y == 1, 1.0, -1.0)
    best = BestTree().prepare(X, np.where(y == 1, 1.0, -1.0), np.ones(len(y)))(signed).hypotheses[0]
    edge = signed @ best(X)
    # A first search that was cut short proves no more than that no edge is above 1.
    assert certificate.bound in (pytest.approx(edge, abs=1e-12), pytest.approx(1.0, abs=1e-12))


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_out_of_rounds(classifier):
    clf = classifier(0.2, 1e-3, max_iter=7).fit(X, y)
    assert clf.certificate_.status == "max_iter"
    assert clf.n_iter_ == len(clf.trace_) == 7
    assert clf.certificate_.gap > 1e-3
    honest(clf)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_out_of_time(classifier):
    """Rounds of at least 20 ms: a limit of 50 ms is seen after three of them at the latest."""
    clf = classifier(0.2, 1e-5, time_limit=0.05, callbacks=[lambda record: time.sleep(0.02)]).fit(X, y)
    assert clf.certificate_.status == "time_limit"
    assert clf.n_iter_ <= 3
    assert all(seconds < 0.05 for seconds in clf.trace_["seconds"][:-1])
    honest(clf)


class Waiting(WeakLearner):
    """Answers with columns of half votes; from its `last` answer on it searches until it is stopped."""

    def __init__(self, last):
        self.last = last

    def prepare(self, X, y, sample_weight):
        def answer(u):
            oracle.asked += 1
            while oracle.asked >= self.last and not oracle.stop():
                time.sleep(0.001)
            return [np.where(rows == oracle.asked % 7, -0.5, 0.5) * y]

        rows = np.arange(len(y)) % 7
        oracle = Scripted(answer)
        oracle.asked = 0
        return oracle


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_out_of_time_within_a_search(classifier):
    """The round is as if it had not been begun; only the first one is played to its end."""
    clf = classifier(0.2, 1e-5, time_limit=0.3, estimator=Waiting(last=3)).fit(X, y)
    assert clf.certificate_.status == "time_limit"
    assert 1 <= clf.n_iter_ <= 2
    assert clf.trace_[-1].bound == clf.certificate_.bound
    clf = classifier(0.2, 1e-5, time_limit=0.01, estimator=Waiting(last=1)).fit(X, y)
    assert clf.certificate_.status == "time_limit"
    assert clf.n_iter_ == len(clf.estimators_) == 1


def wide(rows, columns, classes=2):
    """A search for the best depth-2 tree over all pairs of columns takes minutes."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, columns)), np.arange(rows) % classes


@pytest.mark.parametrize(("max_depth", "n_jobs"), [(2, 1), (2, 2), (3, 1)])
def test_the_first_search_is_out_of_time(max_depth, n_jobs):
    """What it has found by then is the ensemble, and the bound is the one that always holds."""
    X, y = wide(100, 5000)
    clf = SoftMarginClassifier(0.2, time_limit=0.2, max_depth=max_depth, n_jobs=n_jobs).fit(X, y)
    certificate = clf.certificate_
    assert (certificate.status, clf.n_iter_) == ("time_limit", 1)
    assert certificate.bound == pytest.approx(1.0, abs=1e-12)
    assert certificate.exact == (max_depth == 2)
    margins = np.sort(np.where(y == 1, 1.0, -1.0) * clf.decision_function(X))
    assert certificate.soft_margin == pytest.approx(margins[:20].mean(), abs=1e-12)
    assert certificate.gap > 0


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_interrupted(classifier):
    def interrupt(record):
        if record.round == 5:
            signal.raise_signal(signal.SIGINT)

    clf = classifier(0.2, 1e-3, callbacks=[interrupt])
    with pytest.warns(ConvergenceWarning, match=r"was interrupted at a gap of .*, above tol=0.001; "):
        clf.fit(X, y)
    assert clf.certificate_.status == "interrupted"
    assert clf.n_iter_ == 5
    honest(clf)


SLOW_FIT = """
import numpy as np
from frankboost import CERLPBoostClassifier
rng = np.random.default_rng(0)
X, y = rng.normal(size=(2000, 10)), rng.integers(0, 2, 2000)
go = lambda record: record.round == 3 and print("go", flush=True)
clf = CERLPBoostClassifier(0.2, 1e-6, max_iter=10**9, callbacks=[go])
print(clf.fit(X, y).certificate_.status, clf.n_iter_ >= 3, len(clf.estimators_) > 0)
"""


def test_interrupted_from_outside():
    """Another process sends the signal, wherever the fit is at that moment."""
    with subprocess.Popen([sys.executable, "-c", SLOW_FIT], stdout=subprocess.PIPE, text=True) as fit:
        assert fit.stdout.readline() == "go\n"
        fit.send_signal(signal.SIGINT)
        assert fit.stdout.readline() == "interrupted True True\n"
        assert fit.wait(60) == 0


LONG_SEARCH = """
import os
import sys
import numpy as np
from frankboost import SoftMarginClassifier
from frankboost.learners import wide_trees
from frankboost.learners.tree_oracle import TreeOracle
wide_trees.MANY_COLUMNS = 10**9  # all pairs are searched
classes, jobs, nu = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
rng = np.random.default_rng(0)
X, y = rng.normal(size=(100, 6000)), np.arange(100) % classes
search = TreeOracle.__call__
TreeOracle.__call__ = lambda oracle, u: os.write(1, b"go\\n") and search(oracle, u)  # in one write
try:
    fits = SoftMarginClassifier(nu if nu == "auto" else float(nu), n_jobs=jobs).fit(X, y).certificate_
    print([fit.status for fit in fits])
except KeyboardInterrupt:
    print("passed on")
"""


@pytest.mark.parametrize(
    ("classes", "jobs", "nu", "end"),
    [
        (2, 1, "0.2", "passed on"),
        (2, 2, "0.2", "passed on"),
        (3, 3, "0.2", str(["interrupted"] * 3)),
        (2, 2, "auto", "passed on"),
        (3, 3, "auto", str(["interrupted"] * 3)),
    ],
)
def test_interrupted_within_a_search(classes, jobs, nu, end):
    """The search would take minutes. Classes side by side have what their first searches found."""
    command = [sys.executable, "-c", LONG_SEARCH, str(classes), str(jobs), nu]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as fit:
        for _ in range(1 if classes == 2 else classes):
            assert fit.stdout.readline() == "go\n"
        time.sleep(0.5)
        fit.send_signal(signal.SIGINT)
        try:
            assert fit.communicate(timeout=60)[0].splitlines()[-1] == end
        finally:
            fit.kill()


def test_an_interrupt_before_the_first_round_is_passed_on():
    class Never(WeakLearner):
        def prepare(self, X, y, sample_weight):
            return Scripted(interrupt)

    def interrupt(u):
        raise KeyboardInterrupt

    clf = LPBoostClassifier(estimator=Never())
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert not hasattr(clf, "classes_")
    assert not hasattr(clf, "n_features_in_")


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_the_same_model_for_any_number_of_threads(classifier):
    Z = np.where(np.random.default_rng(0).random(X.shape) < 0.05, np.nan, X)
    fits = [
        classifier(0.2, 0.03, n_jobs=jobs, columns_per_round=3, max_iter=40).fit(Z, y)
        for jobs in (1, 2, 4, None)
    ]
    for other in fits[1:]:
        np.testing.assert_array_equal(other.estimator_weights_, fits[0].estimator_weights_)
        np.testing.assert_array_equal(other.distribution_, fits[0].distribution_)
        np.testing.assert_array_equal(other.decision_function(Z), fits[0].decision_function(Z))
        assert other.certificate_ == fits[0].certificate_


def test_the_trace_tells_the_whole_story():
    seen = []
    clf = MLPBoostClassifier(0.3, 0.02, callbacks=[seen.append]).fit(X, y)
    trace = clf.trace_
    assert list(trace) == [event.record() for event in seen]
    assert trace["round"] == list(range(1, clf.n_iter_ + 1))
    assert (np.diff(trace["bound"]) <= 0).all()
    assert (np.diff(trace["soft_margin"]) >= 0).all()
    assert (np.diff(trace["seconds"]) >= 0).all()
    np.testing.assert_allclose(np.subtract(trace["bound"], trace["soft_margin"]), trace["gap"])
    assert set(trace["rule"]) <= {"fw", "secondary", "none"}
    assert trace[-1].bound == clf.certificate_.bound
    # The certificate says what is left of it after rounding.
    assert trace[-1].soft_margin == pytest.approx(clf.certificate_.soft_margin, abs=1e-13)
    busy = sum(trace["oracle_seconds"]) + sum(trace["rule_seconds"])
    assert 0 < busy <= trace[-1].seconds
    assert all(
        0 < support <= found for support, found in zip(trace["support"], trace["hypotheses"], strict=True)
    )


def test_several_columns_a_round_take_fewer_rounds():
    one, many = (LPBoostClassifier(0.2, columns_per_round=k).fit(X, y) for k in (1, 8))
    assert many.n_iter_ < one.n_iter_
    assert many.certificate_.soft_margin <= one.certificate_.bound
    assert one.certificate_.soft_margin <= many.certificate_.bound


def test_rows_without_weight_are_as_if_absent():
    data = problem(25, 2, seed=1)
    weight = np.where(np.arange(25) % 4 == 2, 0.0, 1.0)
    with_zeros = LPBoostClassifier(0.3).fit(data.X, data.y, weight)
    without = LPBoostClassifier(0.3).fit(data.X[weight > 0], data.y[weight > 0])
    assert with_zeros.certificate_ == without.certificate_
    np.testing.assert_array_equal(with_zeros.distribution_[weight > 0], without.distribution_)
    assert (with_zeros.distribution_[weight == 0] == 0).all()


def test_one_example_of_nu_is_the_hard_margin():
    data = problem(20, 2, seed=3, noise=0.0)
    clf = LPBoostClassifier(0.01, 1e-4).fit(data.X, data.y)
    margins = data.y * clf.decision_function(data.X)
    assert clf.certificate_.soft_margin == pytest.approx(margins.min(), abs=1e-9)


def test_nu_of_all_examples_is_the_single_best_hypothesis():
    for classifier in CLASSIFIERS:
        clf = classifier(1.0).fit(X, y)
        assert clf.n_iter_ == len(clf.estimators_) == 1
        assert clf.certificate_.gap == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_two_rows_and_contradicting_rows(classifier):
    clf = classifier(0.5, max_iter=1000).fit([[0.0], [1.0]], ["a", "b"])
    assert clf.certificate_.soft_margin == pytest.approx(1.0)
    clf = classifier(0.5, 0.02, max_iter=100_000).fit([[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1])
    assert clf.certificate_.status == "optimal"
    assert clf.certificate_.soft_margin == pytest.approx(0.0, abs=0.02)
