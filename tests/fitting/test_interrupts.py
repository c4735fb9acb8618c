"""Ctrl-C in fits that choose, and in loops of others."""

import signal

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from frankboost import SoftMarginClassifier, SoftMarginClassifierCV, verify
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.fitting.run import Run

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]


@pytest.fixture
def interrupt(monkeypatch):
    """Raise SIGINT before a call of a method."""

    def before(owner, name, number):
        method, calls = getattr(owner, name), []

        def counted(*args, **settings):
            calls.append(args)
            if len(calls) == number:
                signal.raise_signal(signal.SIGINT)
            return method(*args, **settings)

        monkeypatch.setattr(owner, name, counted)
        return calls

    return before


@pytest.mark.parametrize("clf", [SoftMarginClassifier(), SoftMarginClassifierCV(cv=2)], ids=["auto", "cv"])
@pytest.mark.parametrize("number", [2, 3])
def test_the_best_nu_until_then_is_kept(clf, number, interrupt):
    interrupt(HeldOutLoss, "visit", number)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf.fit(X, y)
    assert clf.certificate_.status == "interrupted"
    assert len(clf.nu_path_.path) == number - 1
    assert clf.nu_path_.interrupted
    assert clf.n_iter_ == 1
    verify(clf, X, y)


def test_the_best_depth_until_then_is_kept(interrupt):
    """The first visit of the second depth is the fourth."""
    interrupt(HeldOutLoss, "visit", 4)
    clf = SoftMarginClassifierCV([0.3, 0.2, 0.1], max_depth=[1, 2], cv=2)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf.fit(X, y)
    assert list(clf.cv_results_["param_max_depth"]) == [1, 1, 1]
    assert clf.max_depth_ == 1
    verify(clf, X, y)


def test_before_the_first_nu_there_is_nothing_to_keep(interrupt):
    clf = SoftMarginClassifier(0.3).fit(X, y)
    before = clf.certificate_
    interrupt(HeldOutLoss, "visit", 1)
    with pytest.raises(KeyboardInterrupt):
        clf.set_params(nu="auto").fit(X, y)
    assert clf.certificate_ is before


def test_an_interrupt_as_the_last_fit_begins(interrupt):
    runs = interrupt(Run, "play", -1)
    whole = SoftMarginClassifier().fit(X, y)
    interrupt(Run, "play", len(runs))
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf = SoftMarginClassifier().fit(X, y)
    assert clf.nu_ == whole.nu_
    verify(clf, X, y)


def stopping(record):
    if record.round == 3:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(
    "loop",
    [
        lambda clf: cross_val_score(clf, X, y, cv=3),
        lambda clf: GridSearchCV(clf, {"nu": [0.1, 0.2]}, cv=2).fit(X, y),
        lambda clf: CalibratedClassifierCV(make_pipeline(clf), cv=2).fit(X, y),
    ],
    ids=["scores", "search", "calibration"],
)
def test_loops_of_others_end(loop):
    with pytest.raises(KeyboardInterrupt):
        loop(SoftMarginClassifier(0.1, 1e-3, callbacks=[stopping]))


def test_a_pipeline_is_no_loop():
    pipe = make_pipeline(SoftMarginClassifier(0.1, 1e-3, callbacks=[stopping]))
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        pipe.fit(X, y)
    assert pipe[-1].certificate_.status == "interrupted"


def test_folds_of_calibration_that_are_interrupted(interrupt):
    interrupt(Run, "play", 2)
    clf = SoftMarginClassifier(0.3, calibration=3)
    with pytest.warns(ConvergenceWarning, match="interrupted before the folds of calibration were done"):
        clf.fit(X, y)
    assert clf.certificate_.status == "optimal"
    shares = (1 + clf.decision_function(X)) / 2
    np.testing.assert_array_equal(clf.predict_proba(X)[:, 1], shares)


def test_an_interrupted_fit_is_not_calibrated(monkeypatch):
    """One Ctrl-C is enough."""
    monkeypatch.setattr("frankboost.estimators.cross_calibration.calibrated", pytest.fail)
    clf = SoftMarginClassifier(0.1, 1e-3, callbacks=[stopping], calibration=3)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf.fit(X, y)
    assert clf.model_.calibration is None
