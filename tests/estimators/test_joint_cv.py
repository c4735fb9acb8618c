"""Many classes in one game, with nu and depth by cross-validation, and the scale of nu."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

import frankboost
from frankboost import BestTree, SoftMarginClassifier, SoftMarginClassifierCV, nu_max, verify
from frankboost.choosing.joint_calibration import JointHeldOutVotes, joint_calibration, joint_log_loss
from frankboost.choosing.joint_choice import JOINT_NUS, JointHeldOutLoss
from joint_games import JointProblem

X, y = load_wine(return_X_y=True)
LABELS = np.array(["first", "second", "third"])[y]
JOINT = {"multi_class": "joint"}
FOLDS = StratifiedKFold(3)


def test_one_nu_and_one_depth_for_all_classes(tmp_path):
    clf = SoftMarginClassifierCV([0.05, 0.3], cv=FOLDS, max_depth=[2, 1], **JOINT).fit(X, LABELS)
    results = clf.cv_results_
    assert list(results["param_nu"]) == 2 * [0.3, 0.05]
    assert list(results["param_max_depth"]) == 2 * [1] + 2 * [2]
    assert clf.best_score_ == results["mean_test_score"].max()
    best = results["params"][results["mean_test_score"].argmax()]
    assert best == {"max_depth": clf.max_depth_, "nu": clf.nu_}
    assert clf.certificate_.nu == clf.nu_
    assert verify(clf, X, LABELS) == clf.certificate_
    chances = clf.predict_proba(X)
    np.testing.assert_array_equal(clf.classes_[chances.argmax(axis=1)], clf.predict(X))
    frankboost.save(clf, tmp_path / "model.json")
    np.testing.assert_array_equal(frankboost.load(tmp_path / "model.json").predict_proba(X), chances)


def test_losses_are_those_of_votes_under_one_calibration():
    clf = SoftMarginClassifierCV([0.2], cv=FOLDS, max_depth=1, **JOINT).fit(X, y)
    thresholds = clf.hypothesis_class_.each.thresholds
    votes, rows = [], []
    for train, test in FOLDS.split(X, y):
        part = SoftMarginClassifier(0.2, 0.03, estimator=BestTree(1, thresholds=thresholds), **JOINT)
        votes.append(part.fit(X[train], y[train]).decision_function(X[test]))
        rows.append(test)
    held_out = JointHeldOutVotes(np.concatenate(votes), y[np.concatenate(rows)], np.ones(len(y)))
    loss = joint_log_loss(joint_calibration(held_out), held_out)
    assert -clf.cv_results_["mean_test_score"][0] == pytest.approx(loss, rel=0.1)  # an optimum of many


def test_values_and_depths_of_its_own():
    """Those of the default classifier at its depth, and greater depths until the loss falls no more."""
    clf = SoftMarginClassifierCV(**JOINT).fit(X, LABELS)
    default = SoftMarginClassifier(**JOINT).fit(X, LABELS)
    for path in (clf.nu_path_.paths[2], default.nu_path_.path):
        assert [each.nu for each in path] == [*JOINT_NUS[: len(path)]]
    losses = [min(each.loss for each in path) for path in clf.nu_path_.paths.values()]
    assert list(clf.nu_path_.paths) == [*range(2, 2 + len(losses))]
    assert losses[-1] > min(losses)


@pytest.mark.parametrize("given", [False, True])
def test_a_path_ends_after_two_values_that_bring_nothing(given):
    search = object.__new__(JointHeldOutLoss)
    search._has_given_nus = given

    def ends(*losses):
        path = [SimpleNamespace(loss=loss) for loss in losses]
        return next((k for k in range(1, len(path) + 1) if search.is_complete(path[:k])), None)

    assert ends(0.5, 0.4, 0.45, 0.3, 0.31, 0.32, 0.2) == (None if given else 6)
    assert ends(0.5, 0.5, 0.5, 0.4) is None  # equal ensembles say nothing
    assert ends(0.5, 0.4999, 0.4998) == (None if given else 3)


@pytest.mark.parametrize("nus", [None, [0.2, 0.1]])
def test_a_score_of_all_classes(nus):
    iris, labels = load_iris(return_X_y=True)
    clf = SoftMarginClassifierCV(nus, max_depth=1, cv=2, scoring="accuracy", calibration=2, **JOINT)
    clf.fit(iris, labels)
    assert clf.cv_results_["param_nu"].tolist() == list(JOINT_NUS if nus is None else nus)
    assert clf.model_.calibration is not None
    assert clf.score(iris, labels) > 0.9


@pytest.mark.parametrize("seed", [6, 11])
def test_no_nu_makes_a_single_hypothesis_the_optimum(seed):
    """At nu = 1 the mass of each row is given, but not how it is divided: several do better than one."""
    problem = replace(JointProblem.random(seed), nu=1.0)
    H, rows = np.unique(problem.trees(), axis=0), np.arange(len(problem.y))
    best = -1.0
    for together in product(H, repeat=int(problem.y.max()) + 1):
        votes = np.array(together, dtype=float)
        own = votes[problem.y, rows]
        votes[problem.y, rows] = -np.inf
        best = max(best, float(np.average((own - votes.max(axis=0)) / 2.0, weights=problem.weight)))
    assert problem.optimum(H) > best + 0.04
    with pytest.raises(ValueError, match='multi_class must be "ovr": with "joint" no nu makes'):
        nu_max(problem.X, problem.y, **JOINT)
