"""nu and depth by cross-validation."""

import signal

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from frankboost import BestTree, SoftMarginClassifier, SoftMarginClassifierCV, verify
from frankboost.choosing.calibration import HeldOutVotes, beta_calibration, log_loss
from frankboost.estimators.fold_scores import fit_path
from frankboost.fitting.run import Run
from frankboost.learners import best_tree

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]
FOLDS = StratifiedKFold(3)


def test_the_best_nu_is_fitted_to_all_rows():
    clf = SoftMarginClassifierCV([0.05, 0.5, 0.2], cv=FOLDS, max_depth=[2, 1]).fit(X, y)
    results = clf.cv_results_
    assert list(results["param_nu"]) == 2 * [0.5, 0.2, 0.05]
    assert list(results["param_max_depth"]) == 3 * [1] + 3 * [2]
    assert clf.best_score_ == results["mean_test_score"].max()
    best = results["params"][results["mean_test_score"].argmax()]
    assert best == {"max_depth": clf.max_depth_, "nu": clf.nu_}
    assert results["rank_test_score"].min() == 1
    splits = np.array([results[f"split{k}_test_score"] for k in range(3)])
    np.testing.assert_allclose(splits.mean(axis=0), results["mean_test_score"])
    np.testing.assert_allclose(splits.std(axis=0), results["std_test_score"])
    alone = SoftMarginClassifier(clf.nu_, max_depth=clf.max_depth_).fit(X, y)
    assert clf.certificate_.soft_margin <= alone.certificate_.bound
    assert alone.certificate_.soft_margin <= clf.certificate_.bound
    verify(clf, X, y)


def test_losses_are_those_of_calibrated_votes():
    clf = SoftMarginClassifierCV([0.2], cv=FOLDS, max_depth=1).fit(X, y)
    votes, rows = [], []
    for train, test in FOLDS.split(X, y):
        thresholds = clf.hypothesis_class_.thresholds
        part = SoftMarginClassifier(0.2, estimator=BestTree(1, thresholds=thresholds)).fit(X[train], y[train])
        votes.append(part.decision_function(X[test]))
        rows.append(test)
    held_out = HeldOutVotes(np.concatenate(votes), y[np.concatenate(rows)] == 1, np.ones(len(y)))
    loss = log_loss(beta_calibration(held_out), held_out)
    assert -clf.cv_results_["mean_test_score"][0] == pytest.approx(loss, rel=0.1)  # an optimum of many


def test_values_of_nu_are_below_where_a_single_tree_is_the_optimum():
    clf = SoftMarginClassifierCV(cv=FOLDS, max_depth=1).fit(X, y)
    nus = clf.cv_results_["param_nu"]
    assert len(nus) >= 3
    assert (np.diff(nus) < 0).all()
    error = np.mean(SoftMarginClassifier(1.0, max_iter=1, max_depth=1).fit(X, y).predict(X) != y)
    assert nus[0] == pytest.approx(2.1 * error, rel=0.2)
    scored = SoftMarginClassifierCV(cv=FOLDS, max_depth=1, scoring="accuracy").fit(X, y)
    assert scored.cv_results_["param_nu"][0] == pytest.approx(2.1 * error)


def test_groups_stay_together():
    groups = np.arange(len(y)) % 7
    seen = []

    class Watching(GroupKFold):
        def split(self, X, y=None, groups=None):
            seen.append(groups)
            return super().split(X, y, groups)

    SoftMarginClassifierCV([0.3], cv=Watching(3), max_depth=1).fit(X, y, groups=groups)
    np.testing.assert_array_equal(seen[0], groups)
    with pytest.raises(ValueError, match=r"fold 0 leaves only \[.\] of the classes \[0, 1\]"):
        SoftMarginClassifierCV([0.3], cv=GroupKFold(2), max_depth=1).fit(X, y, groups=y)


def test_scores_are_about_those_of_separate_fits():
    clf = SoftMarginClassifierCV([0.4, 0.1], cv=FOLDS, max_depth=2, scoring="accuracy").fit(X, y)
    for nu, score in zip(clf.cv_results_["param_nu"], clf.cv_results_["mean_test_score"], strict=True):
        alone = cross_val_score(SoftMarginClassifier(nu), X, y, cv=FOLDS).mean()
        assert score == pytest.approx(alone, abs=0.02)  # the optimum has many points


@pytest.mark.parametrize("nus", [[0.5, 0.2, 0.05], [0.05, 0.2, 0.5]])
def test_each_fit_along_a_path_is_a_fit(nus):
    """Its certificate holds, about the same optimum as that of a fit alone, and so do all attributes."""
    weight = np.where(y == 1, 2.0, 1.0)
    for nu, clf in zip(nus, fit_path(SoftMarginClassifier(tol=0.02), nus, X, y, weight), strict=True):
        assert clf.certificate_.nu == clf.nu == nu
        assert clf.certificate_.status == "optimal"
        verify(clf, X, y, weight)  # or it raises
        alone = SoftMarginClassifier(nu, 0.001).fit(X, y, weight)
        assert clf.certificate_.soft_margin <= alone.certificate_.bound + 1e-12
        assert alone.certificate_.soft_margin <= clf.certificate_.bound + 1e-12
        assert clf.n_iter_ == len(clf.trace_) == clf.trace_[-1].round
        assert clf.feature_importances_.sum() == pytest.approx(1.0)
        assert len(clf.hard_examples(X, y)) > 0
        np.testing.assert_allclose(list(clf.staged_decision_function(X))[-1], clf.decision_function(X))


def test_a_path_prepares_once_and_goes_on_from_what_it_knows(monkeypatch):
    prepared = []
    prepare = BestTree.prepare
    monkeypatch.setattr(BestTree, "prepare", lambda *args: prepared.append(args) or prepare(*args))
    nus = [0.4, 0.3, 0.2, 0.1]
    rounds, known = zip(
        *((c.n_iter_, c.trace_[0].hypotheses) for c in fit_path(SoftMarginClassifier(), nus, X, y)),
        strict=True,
    )
    assert len(prepared) == 1
    assert list(known) == sorted(known)
    assert sum(rounds) < sum(SoftMarginClassifier(nu).fit(X, y).n_iter_ for nu in nus)


def test_folds_know_nothing_of_each_other():
    """Of the same size, and in another order."""
    folds = list(StratifiedKFold(4).split(X[:400], y[:400]))
    one, two = (
        SoftMarginClassifierCV([0.4, 0.1], cv=each, max_depth=2, scoring="accuracy")
        .fit(X[:400], y[:400])
        .cv_results_
        for each in (folds, folds[::-1])
    )
    for k in range(4):
        np.testing.assert_array_equal(one[f"split{k}_test_score"], two[f"split{3 - k}_test_score"])
    np.testing.assert_array_equal(one["mean_n_iter"], two["mean_n_iter"])


def test_a_scorer_sees_a_fitted_classifier():
    seen = []

    def scorer(clf, X, y):
        seen.append((clf.certificate_.nu, clf.certificate_.tol, len(clf.estimators_), clf.n_features_in_))
        return clf.score(X, y)

    SoftMarginClassifierCV([0.4, 0.1], 0.01, cv=2, max_depth=2, scoring=scorer).fit(X, y)
    assert [(nu, tol, n) for nu, tol, _, n in seen] == [(nu, 0.01, 6) for nu in (0.4, 0.4, 0.1, 0.1)]


def test_an_interrupt_ends_the_search(monkeypatch):
    ask = best_tree.TreeOracle.__call__
    asked = []

    def interrupted(oracle, d):
        asked.append(oracle)
        if len(asked) == 3:
            signal.raise_signal(signal.SIGINT)
        return ask(oracle, d)

    monkeypatch.setattr(best_tree.TreeOracle, "__call__", interrupted)
    clf = SoftMarginClassifierCV([0.4, 0.1], cv=2, max_depth=2)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert len(asked) == 3
    assert not hasattr(clf, "nu_")


def test_jobs_weights_scoring_and_frames():
    weight = np.where(y == 1, 2.0, 1.0)
    one, two = (
        SoftMarginClassifierCV([0.4, 0.2], cv=2, max_depth=2, scoring="roc_auc", n_jobs=jobs).fit(
            pd.DataFrame(X, columns=list("abcdef")), y, sample_weight=weight
        )
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])
    assert one.nu_ == two.nu_
    assert one.best_score_ > 0.85
    verify(one, X, y, weight)


def test_it_is_no_classifier_of_one_nu():
    assert not isinstance(SoftMarginClassifierCV(), SoftMarginClassifier)
    assert not hasattr(SoftMarginClassifierCV(), "nu")
    with pytest.raises(TypeError, match="warm_start"):
        SoftMarginClassifierCV(warm_start=True)


def test_calibration():
    clf = SoftMarginClassifierCV([0.3], cv=2, max_depth=1, scoring="accuracy", calibration=2).fit(X, y)
    alone = SoftMarginClassifier(0.3, max_depth=1, calibration=2).fit(X, y)
    np.testing.assert_allclose(clf.predict_proba(X), alone.predict_proba(X))
    folds = SoftMarginClassifierCV([0.3], cv=2, max_depth=1).fit(X, y)
    assert 0.0 < folds.predict_proba(X).min() < 0.05


def test_many_classes():
    wine, labels = load_wine(return_X_y=True)
    clf = SoftMarginClassifierCV([0.3, 0.1], cv=2, max_depth=[1, 2]).fit(wine, labels)
    assert len(clf.nu_) == len(clf.max_depth_) == len(clf.cv_results_) == 3
    np.testing.assert_array_equal(clf.predict(wine), clf.predict_proba(wine).argmax(axis=1))
    assert clf.decision_function(wine).shape == (len(labels), 3)
    assert len(clf.certificate_) == 3
    for fitted in fit_path(SoftMarginClassifier(), [0.3, 0.1], wine, labels):
        verify(fitted, wine, labels)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"nus": []}, r"nus must hold numbers in \(0, 1\]; got \[\]"),
        ({"nus": "many"}, "nus must hold numbers"),
        ({"nus": 0.5}, "nus must hold numbers"),
        ({"nus": (nu for nu in [0.3, 0.2])}, "nus must hold numbers"),
        ({"nus": [0.5, 1.5]}, r"each of nus must be a number in \(0, 1\]; got 1.5"),
        ({"tol": -1.0}, "tol must be"),
        ({"max_depth": []}, r"max_depth must be a depth or hold depths of at least 1; got \[\]"),
        ({"max_depth": [2, 0]}, "each of max_depth must be"),
        ({"max_depth": 0}, "max_depth must be"),
        ({"scoring": "beauty"}, "beauty"),
        ({"cv": 1}, "n_splits"),
    ],
)
def test_bad_settings(settings, message):
    clf = SoftMarginClassifierCV(**settings)
    with pytest.raises(ValueError, match=message):
        clf.fit(X, y)
    assert not hasattr(clf, "nu_")


def test_the_best_score_is_that_of_what_was_chosen():
    """Of losses that are close the error decides, so that it need not be the least loss."""
    others = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        rows, labels = rng.normal(size=(150, 3)), rng.integers(0, 2, 150)
        labels[rows[:, 0] + rows[:, 1] > 1.0] = 1
        clf = SoftMarginClassifierCV(max_depth=1, cv=3).fit(rows, labels)
        results = clf.cv_results_
        assert clf.best_score_ == results["mean_test_score"][list(results["param_nu"]).index(clf.nu_)]
        others += clf.best_score_ < results["mean_test_score"].max()
    assert others > 0


@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_an_estimator_has_its_own_depth(scoring):
    stumps = SoftMarginClassifierCV([0.3, 0.2], cv=2, estimator=BestTree(max_depth=1), scoring=scoring)
    assert stumps.fit(X, y).max_depth_ == 1
    assert list(stumps.cv_results_["param_max_depth"]) == [1, 1]
    others = SoftMarginClassifierCV([0.3, 0.2], cv=2, estimator=GaussianNB(), scoring=scoring, max_iter=3)
    assert [*others.fit(X, y).cv_results_["params"]] == [{"nu": 0.3}, {"nu": 0.2}]
    assert not hasattr(others, "max_depth_")
    with pytest.raises(
        ValueError, match="max_depth must be None with an estimator, which has its own; got 2"
    ):
        others.set_params(max_depth=2).fit(X, y)


def test_parts_of_the_rows_have_no_given_folds():
    groups = np.arange(len(y)) % 4
    clf = SoftMarginClassifierCV([0.3], cv=GroupKFold(2), max_depth=1, calibration=2)
    with pytest.raises(ValueError, match=r"calibration must be None with given folds or groups, .*; got 2"):
        clf.fit(X, y, groups=groups)
    with pytest.raises(ValueError, match="calibration must be None with given folds or groups"):
        clf.set_params(cv=list(FOLDS.split(X, y))).fit(X, y)


def test_all_depths_share_half_of_the_time(monkeypatch):
    """The last fit has what they leave."""
    limits = []
    fit = Run.__init__
    monkeypatch.setattr(Run, "__init__", lambda *args: limits.append(args[1].time_limit) or fit(*args))
    SoftMarginClassifierCV(time_limit=1e3, max_depth=[1, 2], cv=2).fit(X, y)
    assert max(limits[:-1]) <= 500.0
    assert limits[0] <= 250.0
    assert 500.0 <= limits[-1] < 1e3


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("cv", [2, 5])
def test_too_few_rows_to_hold_out_are_named(rows, cv):
    message = rf"y must have at least two rows of every class for cv, .*; 0 has one \(n_samples={rows}\)"
    with pytest.raises(ValueError, match=message):
        SoftMarginClassifierCV(cv=cv).fit([[0.0], [1.0]][:rows], [0, 1][:rows])
