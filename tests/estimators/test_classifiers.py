"""The classifiers as their users see them: labels, prediction, and what they refuse."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

import frankboost
from frankboost import (
    BestTree,
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
    SoftMarginClassifierCV,
)
from frankboost.rules.base import Proposal, SecondaryRule
from frankboost.rules.frank_wolfe import LineSearch

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]
SMALL = [[0.0], [1.0], [2.0], [3.0]]
CLASSIFIERS = [
    LPBoostClassifier,
    ERLPBoostClassifier,
    CERLPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
]


@pytest.mark.parametrize("labels", [("bad", "good"), (False, True), (3, 7), (-1.0, 1.0)])
def test_any_two_labels(labels):
    named = np.array(labels)[y]
    clf = LPBoostClassifier(0.2, max_iter=20).fit(X, named)
    assert list(clf.classes_) == sorted(labels)
    votes = clf.decision_function(X)
    assert np.abs(votes).max() <= 1.0
    np.testing.assert_array_equal(clf.predict(X) == labels[1], votes > 0)
    assert clf.score(X, named) > 0.9


@pytest.mark.parametrize("classifier", [*CLASSIFIERS, SoftMarginClassifierCV])
def test_arguments_that_fit_does_not_take(classifier):
    name = classifier.__name__
    with pytest.raises(
        TypeError, match=rf"^{name}.fit\(\) got an unexpected keyword argument 'eval_set'; .*EarlyStop"
    ):
        classifier().fit(X, y, eval_set=(X, y))
    with pytest.raises(TypeError, match=rf"^{name}.__init__\(\) got .* 'n_estimators'; the fit ends when"):
        classifier(n_estimators=100)
    with pytest.raises(TypeError, match=rf"^{name}.fit\(\) missing .*'y'"):
        classifier().fit(X)


def test_votes_are_the_weighted_sum_of_the_trees():
    clf = LPBoostClassifier(0.2, max_iter=20).fit(X, y)
    expected = sum(w * h(X) for w, h in zip(clf.estimator_weights_, clf.estimators_, strict=True))
    np.testing.assert_allclose(clf.decision_function(X), expected, atol=1e-12)
    assert (np.diff(clf.estimator_weights_) <= 0).all()


def test_data_frames_keep_their_names():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    clf = MLPBoostClassifier(0.3, max_iter=10).fit(frame, pd.Series(y))
    assert list(clf.feature_names_in_) == list("abcdef")
    np.testing.assert_array_equal(
        clf.predict(frame), MLPBoostClassifier(0.3, max_iter=10).fit(X, y).predict(X)
    )
    assert list(clf.trace_.to_frame().columns) == list(clf.trace_.columns)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_clone_pickle_and_refit(classifier):
    clf = classifier(0.3, estimator=BestTree(max_depth=1), max_iter=10)
    assert clone(clf).get_params() == clf.get_params()
    clf.fit(X, y)
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.decision_function(X), clf.decision_function(X))
    assert again.certificate_ == clf.certificate_
    before = clf.decision_function(X)
    np.testing.assert_array_equal(clf.fit(X, y).decision_function(X), before)


def test_the_depth_and_bins_parameters_reach_the_learner():
    assert (
        "depth-1 trees over 6 features, all thresholds"
        in LPBoostClassifier(0.5, max_depth=1, max_bins=None).fit(X, y).certificate_.hypothesis_class
    )
    deep = LPBoostClassifier(0.5, max_depth=3, max_iter=3).fit(X, y)
    assert not deep.certificate_.exact
    assert "greedily" in deep.certificate_.hypothesis_class


def test_cross_validation():
    assert cross_val_score(LPBoostClassifier(0.2, max_iter=15), X, y, cv=3).mean() > 0.88


def test_a_rule_of_ones_own():
    class Uniform:
        kind = "secondary"

        def start(self, room):
            return lambda position: Proposal(room.at(np.full(n := len(position.weights), 1 / n)))

    clf = MLPBoostClassifier(0.3, 0.05, secondary=Uniform(), fw_rule="pairwise").fit(X, y)
    assert clf.certificate_.status == "optimal"


@pytest.mark.parametrize(
    ("weight", "got"), [(10.0, "from 10 that sum to 10"), (-1.0, "from -1 that"), (0.0, "sum to 0")]
)
def test_a_rule_proposes_weights_on_the_simplex(weight, got):
    class Wrong(SecondaryRule):
        def start(self, room):
            return lambda position: Proposal(room.at(np.full(n := len(position.weights), weight / n)))

    with pytest.raises(ValueError, match=f"at least 0 and sum to 1; got weights .*{got}"):
        MLPBoostClassifier(0.3, 0.05, secondary=Wrong()).fit(X, y)


def test_a_proposal_is_about_a_point():
    with pytest.raises(TypeError, match="at must be a point, such as"):
        Proposal(np.ones(3))


BAD_SETTINGS = [
    ({"nu": 0.0}, ValueError, r"nu must be a number in \(0, 1\]( or .auto.)?; got 0.0"),
    ({"nu": 1.5}, ValueError, r"nu must be a number in \(0, 1\]( or .auto.)?; got 1.5"),
    ({"nu": float("nan")}, ValueError, "nu must be .* got nan"),
    ({"nu": "small"}, TypeError, "nu must be .* got 'small' of type str"),
    ({"tol": np.nan}, ValueError, "tol must be a finite number >= 0; got nan"),
    ({"tol": -0.1}, ValueError, "tol must be a finite number >= 0; got -0.1"),
    ({"max_iter": 0}, ValueError, "max_iter must be an integer >= 1; got 0"),
    ({"time_limit": 0.0}, ValueError, "time_limit must be a finite number > 0 or None; got 0.0"),
    ({"columns_per_round": 0}, ValueError, "columns_per_round must be an integer >= 1; got 0"),
    ({"max_depth": 0}, ValueError, "max_depth must be an integer >= 1; got 0"),
    ({"max_bins": 1000}, ValueError, r"max_bins must be an integer in \[1, 255\] or None; got 1000"),
    ({"estimator": "tree"}, TypeError, "estimator must be None, a weak learner .* got 'tree'"),
    ({"estimator": BestTree}, TypeError, "estimator must be None, a weak learner"),
    ({"n_jobs": 0}, ValueError, "n_jobs"),
    ({"class_weight": "even"}, ValueError, "class_weight must be a dict, 'balanced' or None; got 'even'"),
    ({"class_weight": {2: 1.0}}, ValueError, r"class_weight must name classes of y, \[0, 1\]; got 2"),
    ({"class_weight": {0: -1.0}}, ValueError, "class_weight must hold finite numbers > 0"),
    ({"class_weight": {0: "a"}}, ValueError, "class_weight must hold numbers; got {0: 'a'}"),
    ({"class_weight": {0: None}}, ValueError, "class_weight must hold numbers; got {0: None}"),
    ({"calibration": 1}, ValueError, "calibration must be an integer >= 2 or None; got 1"),
    ({"verbose": None}, TypeError, "verbose must be an integer >= 0; got None of type NoneType"),
    ({"callbacks": print}, TypeError, "callbacks must be a list of functions or None; got <built-in"),
    ({"callbacks": [3]}, TypeError, r"callbacks must be a list of functions or None; got \[3\]"),
]


@pytest.mark.parametrize(("settings", "error", "message"), BAD_SETTINGS)
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_bad_settings(classifier, settings, error, message):
    clf = classifier(**settings)
    with pytest.raises(error, match=message):
        clf.fit(SMALL, [0, 1, 0, 1])
    unfitted(clf)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fw_rule": "fast"}, "fw_rule must be 'classic', 'short-step', .* or None; got 'fast'"),
        ({"fw_rule": LineSearch()}, "fw_rule must be"),
        ({"secondary": "qp"}, "secondary must be 'lp', .*, 'mdboost', a rule or None; got 'qp'"),
        ({"fw_rule": None, "secondary": None}, "must not both be None"),
    ],
)
def test_unknown_rules(settings, message):
    clf = MLPBoostClassifier(**settings)
    with pytest.raises(ValueError, match=message):
        clf.fit(SMALL, [0, 1, 0, 1])
    unfitted(clf)


BAD_DATA = [
    (np.zeros((0, 2)), [], None, r"0 sample\(s\)"),
    (np.zeros((4, 0)), [0, 1, 0, 1], None, r"0 feature\(s\)"),
    (np.zeros(4), [0, 1, 0, 1], None, "Expected 2D array"),
    (SMALL, [1, 1, 1, 1], None, "y must hold at least two classes .* got 1 class: 1"),
    (SMALL, [0.1, 0.2, 0.3, 0.4], None, "y must hold the labels of classes: Unknown label type"),
    (SMALL, [0, 1, np.nan, 1], None, "y must have a label in every row"),
    (SMALL, [0, 1, 0], None, "y must have one label for each of the 4 rows of X; got 3"),
    (SMALL, None, None, "requires y to be passed"),
    ([[0.0], [np.inf], [1.0], [2.0]], [0, 1, 0, 1], None, "X contains infinity"),
    (SMALL, [0, 1, 0, 1], [1, 1, 1], r"sample_weight must have one weight .* got shape \(3,\)"),
    (SMALL, [0, 1, 0, 1], [1, -1, 1, 1], "sample_weight must hold finite numbers >= 0; got -1"),
    (SMALL, [0, 1, 0, 1], [1, np.nan, 1, 1], "sample_weight must hold finite numbers >= 0; got nan"),
    (SMALL, [0, 1, 0, 1], [0, 0, 0, 0], "sample_weight must not be all zeros"),
    (SMALL, [0, 1, 0, 1], ["a", "b", "c", "d"], "sample_weight must hold numbers"),
    (SMALL, [0, 1, 0, 1], [1, 0, 1, 0], "y must hold at least two classes among the rows with weight; got 1"),
]


@pytest.mark.parametrize(("rows", "labels", "weight", "message"), BAD_DATA)
@pytest.mark.parametrize("classifier", [LPBoostClassifier, MLPBoostClassifier])
def test_bad_data(classifier, rows, labels, weight, message):
    clf = classifier()
    with pytest.raises(ValueError, match=message):
        clf.fit(rows, labels, weight)
    unfitted(clf)


def unfitted(clf):
    with pytest.raises(NotFittedError):
        clf.predict(SMALL)
    assert not [name for name in vars(clf) if name.endswith("_")]


def fails(event):
    raise RuntimeError("enough")


@pytest.mark.parametrize(
    ("settings", "rows", "labels", "error"),
    [
        ({}, SMALL, [1, 1, 1, 1], "two classes"),
        ({"nu": 0.0}, SMALL, [0, 1, 0, 1], "nu must be"),
        ({"callbacks": [fails]}, SMALL, [0, 1, 0, 1], "enough"),
        ({"calibration": 3}, SMALL, [0, 1, 0, 1], "calibration must be at most 2"),
    ],
)
def test_a_failed_refit_leaves_the_last_fit_alone(settings, rows, labels, error):
    frame = pd.DataFrame(X, columns=list("abcdef"))
    clf = LPBoostClassifier(0.3, max_iter=5).fit(frame, y)
    before = {name: value for name, value in vars(clf).items() if name.endswith("_")}
    assert before.keys() == {"model_", "n_features_in_", "feature_names_in_"}
    votes = clf.decision_function(frame)
    with pytest.raises((ValueError, RuntimeError), match=error):
        clf.set_params(**settings).fit(rows, labels)
    assert {name: value for name, value in vars(clf).items() if name.endswith("_")} == before
    np.testing.assert_array_equal(clf.decision_function(frame), votes)


def test_prediction_refuses_another_number_of_features():
    clf = LPBoostClassifier(0.3, max_iter=3).fit(X, y)
    with pytest.raises(ValueError, match="expecting 6 features"):
        clf.predict(X[:, :5])


def test_nothing_is_printed_unless_asked(capfd):
    LPBoostClassifier(0.3, max_iter=5).fit(X, y)
    assert capfd.readouterr() == ("", "")
    LPBoostClassifier(0.3, max_iter=5, verbose=1).fit(X, y)
    out, err = capfd.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[0].split() == ["round", "seconds", "soft", "margin", "bound", "gap", "hypotheses", "support"]
    assert lines[-1].split()[0] == "5"
    assert len({len(line) for line in lines}) == 1  # the columns line up


def test_the_nu_that_was_chosen_is_said_if_asked(capfd):
    clf = SoftMarginClassifier(verbose=1).fit(X, y)
    said = [line for line in capfd.readouterr().err.splitlines() if line.startswith("chosen")]
    assert said == [f"chosen: {clf.nu_path_}"]
    assert str(clf.nu_path_).startswith(
        f"nu = {clf.nu_:.4g}, trees of depth {clf.nu_path_.max_depth}, log-loss"
    )


def test_a_search_by_a_score_is_shown_if_asked(capfd):
    clf = SoftMarginClassifierCV([0.5, 0.3], 0.1, cv=2, max_depth=(1, 2), verbose=1, scoring="roc_auc")
    clf.fit(X, y)
    out, err = capfd.readouterr()
    assert out == ""
    first, second, *rounds = err.splitlines()
    assert first.startswith("choosing nu at depth 1: best score 0.")
    assert second.startswith("choosing nu at depth 2: best score 0.")
    assert rounds[-1].split()[0] == str(clf.n_iter_)


def test_a_seed_of_none_is_a_seed():
    """Templates of grid searches set it, and the same data give the same model."""
    for clf in (SoftMarginClassifier(tol=0.1), SoftMarginClassifierCV([0.5, 0.3], 0.1, max_depth=1)):
        one, other = (clone(clf).set_params(random_state=seed).fit(X, y) for seed in (None, 0))
        assert one.certificate_ == other.certificate_
        with pytest.raises(ValueError, match="random_state must be an integer >= 0 or None; got -1"):
            clf.set_params(random_state=-1).fit(X, y)


HEAVY = [
    "highspy",
    "matplotlib",
    "msgspec",
    "frankboost.export",
    "frankboost.public",
    "frankboost.verification",
    *(f"sklearn.{name}" for name in ("ensemble", "linear_model", "metrics", "model_selection")),
]


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import frankboost", ["numpy", "sklearn"]),
        ("from frankboost.cli.main import main; main(['--version'])", ["numpy", "sklearn"]),
        ("from frankboost import SoftMarginClassifier, SoftMarginClassifierCV", HEAVY),
    ],
)
def test_what_is_not_used_is_not_loaded(code, heavy):
    code += f"; import sys; sys.exit(str([name for name in {heavy} if name in sys.modules] or ''))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


def test_every_classifier_is_loaded_by_itself():
    classifiers = {name for name in frankboost.__all__ if name.endswith(("Classifier", "ClassifierCV"))}
    assert set(frankboost._CLASSIFIERS) == classifiers
    for name, module in frankboost._CLASSIFIERS.items():
        assert getattr(frankboost.public, name).__module__ == module


def test_the_public_names():
    for name in frankboost.__all__:
        assert hasattr(frankboost, name)
    assert {"verify", "Certificate", "CertificateError", "BestTree", "Columns", "WorstCase"} <= set(
        frankboost.__all__
    )
    assert set(frankboost.__all__) < set(dir(frankboost))
    assert not {"Any", "find_spec", "grid"} & set(dir(frankboost))
    assert frankboost.datasets.NAMES
    for name in ("callbacks", "datasets", "display", "export", "learners", "rooms", "rules"):
        assert name in dir(frankboost)
        assert getattr(frankboost, name).__all__
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        frankboost.nonsense  # noqa: B018
