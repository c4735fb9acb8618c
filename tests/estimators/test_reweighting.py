"""Best weights for ensembles that are already there."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import reference
from frankboost import SoftMarginClassifier, reweight, verify
from frankboost.learners.classifier import FittedClassifier
from frankboost.learners.finite import Members

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]
NAMES = np.array(["malignant", "benign"])[y]
ENSEMBLES = [
    RandomForestClassifier(40, max_depth=3, random_state=0),
    ExtraTreesClassifier(40, max_depth=3, random_state=0),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=30, random_state=0),
    GradientBoostingClassifier(n_estimators=30, max_depth=2, random_state=0),
    BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=30, random_state=0),
]


def member_values(ensemble, labels):
    """What members say, found in another way."""
    if isinstance(ensemble, GradientBoostingClassifier):
        raw = np.column_stack([tree.predict(X) for tree in ensemble.estimators_[:, 0]])
        return raw / [np.abs(tree.tree_.value).max() for tree in ensemble.estimators_[:, 0]]
    positive = 1 if not isinstance(ensemble, AdaBoostClassifier) else ensemble.classes_[1]
    return np.column_stack([np.where(m.predict(X) == positive, 1.0, -1.0) for m in ensemble.estimators_])


@pytest.mark.parametrize("ensemble", ENSEMBLES, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("labels", [y, NAMES], ids=["numbers", "names"])
def test_smaller_and_never_worse(ensemble, labels):
    ensemble.fit(X, labels)
    clf = reweight(ensemble, X, labels, nu=0.1, tol=1e-3)
    assert clf.certificate_.status == "optimal"
    assert clf.certificate_.exact
    verify(clf, X, labels)
    H = member_values(ensemble, labels)
    A = H * np.where(labels == clf.classes_[1], 1.0, -1.0)[:, None]
    caps = np.full(len(y), 1 / (0.1 * len(y)))
    best = reference.game_value(A, caps)
    assert best - 1e-3 - 1e-6 <= clf.certificate_.soft_margin <= best + 1e-6
    equal = reference.soft_margin(A.mean(axis=1), caps)
    assert clf.certificate_.soft_margin >= equal - 1e-6
    assert len(clf.estimators_) < H.shape[1]
    assert (clf.estimator_weights_ > 0).all()
    assert clf.score(X, labels) > 0.9


def test_a_short_name():
    forest = RandomForestClassifier(7, random_state=0).fit(X, y)
    assert "estimator=<7 members of an ensemble>" in repr(reweight(forest, X, y))


def test_a_list_of_classifiers():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    members = [
        LogisticRegression(max_iter=10_000).fit(frame, NAMES),
        KNeighborsClassifier().fit(X, NAMES),
        DecisionTreeClassifier(max_depth=2).fit(X, NAMES),
    ]
    clf = reweight(members, frame, NAMES, nu=0.3, sample_weight=np.where(y == 1, 1.0, 2.0))
    assert clf.certificate_.status == "optimal"
    assert set(clf.predict(frame)) == {"malignant", "benign"}
    verify(clf, X, NAMES, np.where(y == 1, 1.0, 2.0))


def test_what_is_refused():
    iris, labels = load_iris(return_X_y=True)
    forest = RandomForestClassifier(3).fit(X, y)
    with pytest.raises(ValueError, match=r"y must hold two classes; got 3: \[0, 1, 2\]"):
        reweight(forest, iris, labels)
    with pytest.raises(ValueError, match=r"the two classes of the estimators, \[0, 1\]; got"):
        reweight(forest, X, NAMES)
    with pytest.raises(NotFittedError):
        reweight(RandomForestClassifier(3), X, y)
    with pytest.raises(TypeError, match=r"estimators must be a fitted ensemble .* got 3"):
        reweight(3, X, y)
    with pytest.raises(TypeError, match="estimators must be a fitted ensemble"):
        reweight([], X, y)
    with pytest.raises(TypeError, match="estimators must be fitted classifiers; got 'a'"):
        reweight(["a"], X, y)
    for some in ({"max_features": 0.5}, {"bootstrap_features": True, "random_state": 0}):
        with pytest.raises(ValueError, match="estimators must see all features; got bagging over some"):
            reweight(BaggingClassifier(n_estimators=3, **some).fit(X, y), X, y)
    for regressor in (
        RandomForestRegressor(3).fit(X, y),
        GradientBoostingRegressor(n_estimators=3).fit(X, y),
        [forest, LinearRegression().fit(X, y)],
    ):
        with pytest.raises(TypeError, match=r"estimators must be fitted classifiers; got .*Regress"):
            reweight(regressor, X, y)
    with pytest.raises(ValueError, match="nu must be"):
        reweight(forest, X, y, nu=2.0)
    same = np.zeros((4, 1)), [0, 1, 0, 1]
    with pytest.raises(ValueError, match="estimators must hold a tree whose values are not all 0"):
        reweight(GradientBoostingClassifier(n_estimators=3).fit(*same), *same)


def test_a_warm_start_begins_with_all_members():
    """What the learner knows comes before what another learner found."""
    forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    members = [FittedClassifier(tree) for tree in forest.estimators_]
    clf = SoftMarginClassifier(0.2, warm_start=True).fit(X, y)
    clf.set_params(estimator=Members(members, np.full(10, 0.1))).fit(X, y)
    assert clf.trace_[0].hypotheses == 10
