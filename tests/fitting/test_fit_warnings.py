"""A fit that has not reached what was asked for says so, once."""

import signal
import warnings

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from frankboost import LPBoostClassifier, SoftMarginClassifier, SoftMarginClassifierCV, reweight, verify
from frankboost.callbacks import EarlyStopping
from frankboost.choosing.constants import NU_PARTS
from frankboost.choosing.held_out_loss import HeldOutLoss
from frankboost.cli.main import main
from frankboost.fitting import run
from frankboost.fitting.fit_warnings import NuWarning
from frankboost.fitting.run import Run
from frankboost.saying import unsaid
from studies.fits import fit_trial
from studies.running.trial import Trial


def rows(classes=2, m=120, noise=0.5):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, 3))
    y = np.digitize(X[:, 0] * X[:, 1] + noise * rng.normal(size=m), np.linspace(-0.3, 0.3, classes - 1))
    return X, y


def warnings_of(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return caught


@pytest.mark.parametrize("limit", [{"max_iter": 2}, {"time_limit": 1e-6}])
def test_a_fit_that_a_limit_ends_above_tol_warns(limit):
    clf = SoftMarginClassifier(0.1, 1e-3, **limit)
    (one,) = warnings_of(lambda: clf.fit(*rows()))
    (name, value), promise = next(iter(limit.items())), clf.certificate_
    assert promise.status == name
    assert promise.gap > promise.tol
    assert one.category is ConvergenceWarning
    for word in (f"{name}={value:g}", f"{promise.gap:.4g}", "tol=0.001", f"larger {name}"):
        assert word in str(one.message)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_margin_matrix_too_large_for_a_linear_program_is_told(classes, monkeypatch):
    monkeypatch.setattr(run, "MOST_ENTRIES", 10)
    clf = SoftMarginClassifier(0.3, 1e-9, max_depth=1)
    (one,) = warnings_of(lambda: clf.fit(*rows(classes)))
    certificates = [each.certificate for each in clf.model_.ensembles]
    assert {each.status for each in certificates} == {"stalled"}
    gap = max(each.gap for each in certificates)
    assert 1e-9 < gap <= 1e-4
    assert one.category is ConvergenceWarning
    for word in (f"a gap of {gap:.4g}, above tol=1e-09: ", "1e8 entries", "give a larger tol"):
        assert word in str(one.message)
    assert ("of 3 of 3 classes" in str(one.message)) == (classes == 3)
    assert not warnings_of(lambda: clf.set_params(tol=0.01).fit(*rows(classes)))


def test_many_classes_have_one_warning_that_counts_them():
    clf = LPBoostClassifier(0.3, 0.05, max_iter=4)
    (one,) = warnings_of(lambda: clf.fit(*rows(classes=4)))
    above = sum(each.gap > each.tol for each in clf.certificate_)
    assert above > 1
    assert f"{above} of 4 classes" in str(one.message)


def test_a_fit_that_is_done_says_nothing():
    assert not warnings_of(lambda: SoftMarginClassifier(0.1, 0.02).fit(*rows()))


def test_the_last_round_may_close_the_gap():
    X, y = rows()
    count = SoftMarginClassifier(0.1, 0.02).fit(X, y).n_iter_
    assert not warnings_of(lambda: SoftMarginClassifier(0.1, 0.02, max_iter=count).fit(X, y))


def test_a_callback_that_stops_says_nothing():
    X, y = rows()
    clf = SoftMarginClassifier(0.1, 1e-4, callbacks=[lambda event: event.round == 3])
    assert not warnings_of(lambda: clf.fit(X, y))
    assert clf.certificate_.status == "stopped"
    watch = EarlyStopping(X[:40], y[:40], patience=1)
    assert not warnings_of(lambda: clf.set_params(callbacks=[watch]).fit(X[40:], y[40:]))


def test_folds_are_silent_and_the_final_fit_warns_once():
    X, y = rows()
    limited = {"tol": 1e-3, "max_iter": 2}
    for clf in (
        SoftMarginClassifier(0.1, calibration=3, **limited),
        SoftMarginClassifier("auto", **limited),
        SoftMarginClassifierCV([0.3, 0.1], max_depth=1, cv=3, **limited),
        SoftMarginClassifierCV(max_depth=1, cv=3, scoring="accuracy", **limited),
        SoftMarginClassifierCV([0.3, 0.1], max_depth=1, cv=3, calibration=3, **limited),
    ):
        assert len(warnings_of(lambda clf=clf: clf.fit(X, y))) == 1, clf


def test_those_who_tell_it_themselves_are_silent():
    trial = Trial("compare", "wisconsin", "FW", 0.1, 569, tol=1e-4, max_depth=1, max_bins=15, time_limit=0.05)
    assert not warnings_of(lambda: fit_trial(trial))


def test_the_command_line_has_a_line_of_its_own(tmp_path, capsys):
    X, y = rows()
    table = "\n".join(
        ",".join(map(str, [*row, label])) for row, label in zip(X.tolist(), y.tolist(), strict=True)
    )
    (tmp_path / "rows.csv").write_text(f"a,b,c,y\n{table}\n")
    words = ["fit", str(tmp_path / "rows.csv"), "--target", "y", "--model", str(tmp_path / "model.json")]

    limited = [*words, "--nu", "0.1", "--tol", "1e-9", "--time-limit", "1e-6"]
    assert not warnings_of(lambda: main(limited))
    assert capsys.readouterr().err.count("the gap is") == 1


def test_unsaid_holds_within_its_block_alone():
    clf = SoftMarginClassifier(0.1, 1e-3, max_iter=2)
    with unsaid(ConvergenceWarning):
        with unsaid(DeprecationWarning):
            assert not warnings_of(lambda: clf.fit(*rows()))
        assert not warnings_of(lambda: clf.fit(*rows()))
    assert warnings_of(lambda: clf.fit(*rows()))


def single_error(X, y, **settings):
    """That of the best single hypothesis: at nu = 1 it is the optimum."""
    return (1.0 - SoftMarginClassifier(1.0, 1e-6, **settings).fit(X, y).certificate_.soft_margin) / 2.0


def test_an_optimum_of_one_tree_names_a_nu_that_has_more():
    X, y = rows()
    error = single_error(X, y)
    clf = SoftMarginClassifier(0.95, 0.01)
    (one,) = warnings_of(lambda: clf.fit(X, y))
    assert one.category is NuWarning
    assert len(clf.estimators_) == 1
    assert f"and its training error is {error:.3g};" in str(one.message)
    better = float(str(one.message).split("try nu=")[1])
    assert better == pytest.approx(1.5 * error, rel=0.05)
    assert not warnings_of(lambda: clf.set_params(nu=better).fit(X, y))
    assert len(clf.estimators_) > 1


def test_the_count_of_classes_and_the_least_error_are_named():
    X, y = rows(classes=4)
    clf = SoftMarginClassifier(0.9, 0.01)
    (one,) = warnings_of(lambda: clf.fit(X, y))
    alone = [len(each.weights) == 1 for each in clf.model_.ensembles]
    errors = [(1.0 - each.soft_margin) * 0.45 for each in clf.certificate_]
    least = min(error for error, single in zip(errors, alone, strict=True) if single)
    assert f"of {sum(alone)} of 4 classes" in str(one.message)
    assert f"is {least:.3g};" in str(one.message)


def test_a_soft_margin_within_tol_is_told():
    X = np.random.default_rng(0).normal(size=(200, 2))
    y = np.random.default_rng(1).integers(0, 2, 200)
    clf = SoftMarginClassifier(0.1, 0.3, max_depth=1)
    (one,) = warnings_of(lambda: clf.fit(X, y))
    assert one.category is NuWarning
    assert clf.certificate_.soft_margin <= 0.3
    assert f"{clf.certificate_.soft_margin:.4g}, no larger than tol=0.3" in str(one.message)
    assert "larger nu or a smaller tol" in str(one.message)


def test_what_was_chosen_or_wanted_or_cannot_be_bettered_is_not_judged():
    X, y = rows(noise=3.0)
    perfect = X[:, 0] > 0.0
    nu = 3.0 * single_error(X, perfect ^ (np.arange(len(X)) == 7), max_depth=1)
    for clf, labels in (
        (SoftMarginClassifier(), y),
        (SoftMarginClassifierCV([0.99, 0.98], max_depth=1, cv=3), y),
        (SoftMarginClassifierCV([0.99, 0.98], max_depth=1, cv=3, scoring="accuracy"), y),
        (SoftMarginClassifier(1.0), y),  # the documented way to one tree
        (SoftMarginClassifier(0.5), perfect),
        (SoftMarginClassifier(0.9, callbacks=[lambda event: True]), y),
    ):
        assert not warnings_of(lambda clf=clf, labels=labels: clf.fit(X, labels)), clf
    assert 0.0 < nu < 1.0
    (one,) = warnings_of(
        lambda: SoftMarginClassifier(nu, max_depth=1, calibration=3).fit(
            X, perfect ^ (np.arange(len(X)) == 7)
        )
    )
    assert one.category is NuWarning


def test_reweight_does_not_judge_its_members():
    X, y = rows()
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
    assert not warnings_of(lambda: reweight(forest, X, y, nu=0.95))


@pytest.mark.parametrize("learner", [{"max_depth": 3}, {"estimator": DecisionTreeClassifier(max_depth=2)}])
def test_a_heuristic_bound_is_closed_but_not_optimal(tmp_path, learner):
    X, y = rows()
    clf = SoftMarginClassifier(0.1, 0.1, **learner).fit(X, y)
    assert not clf.certificate_.exact
    assert clf.certificate_.gap <= clf.certificate_.tol
    assert clf.certificate_.status == "closed"
    assert verify(clf, X, y).status == "closed"


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
    interrupt(HeldOutLoss, "fit_at", number)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf.fit(X, y)
    assert clf.certificate_.status == "interrupted"
    assert len(clf.nu_path_.path) == number - 1
    assert clf.nu_path_.interrupted
    assert clf.n_iter_ == 1
    verify(clf, X, y)


def test_the_best_depth_until_then_is_kept(interrupt):
    """The first fit_at of the second depth is the fourth."""
    interrupt(HeldOutLoss, "fit_at", 4)
    clf = SoftMarginClassifierCV([0.3, 0.2, 0.1], max_depth=[1, 2], cv=2)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf.fit(X, y)
    assert list(clf.cv_results_["param_max_depth"]) == [1, 1, 1]
    assert clf.max_depth_ == 1
    verify(clf, X, y)


def test_the_parts_that_chose_nu_are_kept_without_the_others(interrupt):
    interrupt(HeldOutLoss, "with_all_parts", 1)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf = SoftMarginClassifier().fit(X, y)
    assert clf.nu_path_.interrupted
    assert len(clf.nu_path_.sure.parts) == NU_PARTS
    verify(clf, X, y)


def test_before_the_first_nu_there_is_nothing_to_keep(interrupt):
    clf = SoftMarginClassifier(0.3).fit(X, y)
    before = clf.certificate_
    interrupt(HeldOutLoss, "fit_at", 1)
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
    with pytest.warns(ConvergenceWarning, match="interrupted before the folds of the calibration were done"):
        clf.fit(X, y)
    assert clf.certificate_.status == "optimal"
    shares = (1 + clf.decision_function(X)) / 2
    np.testing.assert_array_equal(clf.predict_proba(X)[:, 1], shares)


def test_an_interrupted_fit_is_not_calibrated(monkeypatch):
    """One Ctrl-C is enough."""
    monkeypatch.setattr("frankboost.estimators.cross_calibration.fit_calibration", pytest.fail)
    clf = SoftMarginClassifier(0.1, 1e-3, callbacks=[stopping], calibration=3)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf.fit(X, y)
    assert clf.model_.calibration is None
