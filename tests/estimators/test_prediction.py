"""Probabilities, stages, margins, hard examples, importances, class weights, warm starts, callbacks."""

import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from frankboost import BestTree, CERLPBoostClassifier, LPBoostClassifier, SoftMarginClassifier, verify
from frankboost.datasets import twonorm
from frankboost.estimators.prediction import set_model

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :8]


def test_probabilities_are_vote_shares():
    clf = SoftMarginClassifier(0.2).fit(X, y)
    p = clf.predict_proba(X)
    np.testing.assert_allclose(p[:, 1], (1 + clf.decision_function(X)) / 2)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_calibration_helps_and_changes_no_prediction_of_the_ensemble():
    data = twonorm(1200, 0)
    train, test, labels, unseen = train_test_split(data.X, data.y, random_state=0)
    plain = SoftMarginClassifier(0.2).fit(train, labels)
    clf = SoftMarginClassifier(0.2, calibration=3).fit(train, labels)
    np.testing.assert_array_equal(clf.decision_function(test), plain.decision_function(test))
    loss = [brier_score_loss(unseen, each.predict_proba(test)[:, 1]) for each in (clf, plain)]
    assert loss[0] < loss[1]
    order = np.argsort(clf.decision_function(test))
    assert (np.diff(clf.predict_proba(test)[order, 1]) >= 0).all()


def test_calibration_with_weights_and_many_classes():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(240, 3))
    labels = np.argmax(Z + 0.5 * rng.normal(size=Z.shape), axis=1)
    clf = SoftMarginClassifier(0.4, 0.05, calibration=2).fit(Z, labels, rng.choice([0.0, 1.0, 2.0], 240))
    p = clf.predict_proba(Z)
    assert p.shape == (240, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


@pytest.mark.parametrize("estimator", [None, DecisionTreeClassifier(max_depth=1)])
def test_stages_end_at_the_model(estimator):
    clf = LPBoostClassifier(0.2, max_iter=15, estimator=estimator).fit(X, y)
    stages = list(clf.staged_decision_function(X))
    assert len(stages) == clf.n_iter_
    np.testing.assert_allclose(stages[-1], clf.decision_function(X), atol=1e-6)
    np.testing.assert_array_equal(list(clf.staged_predict(X))[-1], clf.predict(X))
    np.testing.assert_allclose(list(clf.staged_predict_proba(X))[-1], clf.predict_proba(X), atol=1e-12)
    signs = np.where(y == 1, 1.0, -1.0)
    for votes, margin in zip(stages, clf.trace_["soft_margin"], strict=True):
        worst = np.sort(signs * votes)
        share = 0.2 * len(y)
        whole = int(share)
        mean = (worst[:whole].sum() + (share - whole) * worst[whole]) / share
        assert mean == pytest.approx(margin, abs=1e-6)


def test_stages_of_long_fits_are_thinned():
    clf = CERLPBoostClassifier(0.2, 1e-4, max_depth=1, max_iter=701).fit(X[:, :2], y)
    stages = list(clf.staged_decision_function(X[:, :2]))
    assert 100 <= len(stages) <= 201
    kept = clf.staged_rounds()
    assert len(kept) == len(stages)
    assert kept[-1] == clf.n_iter_ == 701
    np.testing.assert_allclose(stages[-1], clf.decision_function(X[:, :2]), atol=1e-12)


def test_stages_of_many_classes_wait_for_each_other():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(90, 2))
    labels = np.argmax(np.column_stack([Z, -Z.sum(axis=1)]), axis=1)
    clf = SoftMarginClassifier(0.2).fit(Z, labels)
    stages = list(clf.staged_decision_function(Z))
    assert all(stage.shape == (90, 3) for stage in stages)
    assert len(stages) == clf.n_iter_
    np.testing.assert_allclose(stages[-1], clf.decision_function(Z), atol=1e-12)


def test_hard_examples_are_at_their_cap_and_have_small_margins():
    rng = np.random.default_rng(1)
    flipped = rng.choice(len(y), 15, replace=False)
    labels = y.copy()
    labels[flipped] = 1 - labels[flipped]
    clf = SoftMarginClassifier(0.1).fit(X, labels)
    hard = clf.hard_examples(X, labels)
    cap = 1 / (0.1 * len(y))
    np.testing.assert_allclose(hard.weight, cap)
    np.testing.assert_allclose(hard.margin, clf.margins(X, labels)[hard.index])
    assert (np.diff(hard.margin) >= 0).all()
    assert len(hard) >= 5
    assert len(set(hard.index) & set(flipped)) >= 0.8 * len(hard)  # wrong labels are what is hard
    with pytest.raises(ValueError, match="X must have the 569 rows of the fit; got 9 rows"):
        clf.hard_examples(X[:9], labels[:9])
    with pytest.raises(ValueError, match=r"y must hold the classes \[0, 1\]; got 7"):
        clf.margins(X, np.full(len(y), 7))
    with pytest.raises(ValueError, match="one label for each of the 569 rows"):
        clf.margins(X, y[:5])


def test_importances_add_up_to_the_edges():
    """Of deep trees: gains and the root's |u| are the edge of a tree whose leaves vote as their sums."""
    clf = SoftMarginClassifier(0.2, max_depth=3, max_iter=5).fit(X, y)
    signs = np.where(y == 1, 1.0, -1.0)
    oracle = BestTree(max_depth=3).prepare(X, signs, np.ones(len(y)))
    d = clf.distribution_
    [tree] = oracle(d * signs).hypotheses
    gains = oracle.gains([tree], d * signs)
    assert gains.sum() + abs((d * signs).sum()) == pytest.approx(d @ (signs * tree(X)), abs=1e-12)
    assert (gains >= -1e-15).all()
    expected = clf.estimator_weights_ @ oracle.gains(clf.estimators_, d * signs)
    np.testing.assert_allclose(clf.feature_importances_, expected / expected.sum(), atol=1e-12)


def test_importances_of_deep_trees():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(600, 3))
    labels = rng.choice([-1.0, 1.0], 600)
    oracle = BestTree(max_depth=9).prepare(Z, labels, np.ones(600))
    d = np.full(600, 1 / 600)
    [tree] = oracle(d * labels).hypotheses
    assert (tree.feature < 0).sum() > 127
    total = oracle.gains([tree], d * labels).sum() + abs((d * labels).sum())
    assert total == pytest.approx(d @ (labels * tree(Z)), abs=1e-12)


def test_importances_of_other_learners_are_refused():
    clf = LPBoostClassifier(0.3, estimator=DecisionTreeClassifier(max_depth=1), max_iter=3).fit(X, y)
    with pytest.raises(AttributeError, match="trees of BestTree"):
        _ = clf.feature_importances_
    assert not hasattr(clf, "feature_importances_")


def test_class_weight_is_a_factor_of_sample_weight():
    weight = np.random.default_rng(0).choice([0.5, 1.0, 2.0], len(y))
    by_class = SoftMarginClassifier(0.2, class_weight={0: 3.0}).fit(X, y, weight)
    by_row = SoftMarginClassifier(0.2).fit(X, y, weight * np.where(y == 0, 3.0, 1.0))
    assert by_class.certificate_ == by_row.certificate_
    verify(by_class, X, y, weight)
    balanced = SoftMarginClassifier(0.2, class_weight="balanced").fit(X, y, weight)
    totals = [weight[y == k].sum() for k in (0, 1)]
    factors = np.where(y == 1, 1 / totals[1], 1 / totals[0])
    again = SoftMarginClassifier(0.2).fit(X, y, weight * factors)
    assert again.certificate_.soft_margin == pytest.approx(balanced.certificate_.soft_margin, abs=0.01)
    verify(balanced, X, y, weight)


def test_leaves_without_weight_vote_as_their_parent():
    Z = np.array([[0.0], [1.0], [2.0], [3.0]])
    labels = np.array([0, 0, 0, 1])
    assert SoftMarginClassifier(0.5).fit(Z, labels).predict([[3.0]]) == [1]
    clf = SoftMarginClassifier(0.5, class_weight={1: 1e-9}).fit(Z, labels)
    assert clf.predict([[3.0]]) == [0]
    verify(clf, Z, labels)


def test_warm_start_goes_on_from_the_last_fit():
    clf = SoftMarginClassifier(0.2, 0.05, warm_start=True).fit(X, y)
    rounds = len(clf.trace_)
    clf.set_params(tol=0.005).fit(X, y)
    cold = SoftMarginClassifier(0.2, 0.005).fit(X, y)
    assert clf.certificate_.status == "optimal"
    assert len(clf.trace_) < len(cold.trace_)
    assert clf.trace_[0].hypotheses > 20 * (rounds - 1) / 4  # columns were kept
    assert clf.certificate_.soft_margin <= cold.certificate_.bound
    assert cold.certificate_.soft_margin <= clf.certificate_.bound
    verify(clf, X, y)
    clf.set_params(nu=0.1).fit(X, y)
    verify(clf, X, y)
    assert clf.certificate_.status == "optimal"


def test_a_warm_start_with_other_classes_or_rows_is_a_cold_one():
    clf = SoftMarginClassifier(0.2, warm_start=True).fit(X, y)
    assert clf.fit(X, y + 5).certificate_ == SoftMarginClassifier(0.2).fit(X, y).certificate_
    clf.fit(X[:300], y[:300])
    verify(clf, X[:300], y[:300])


@pytest.mark.parametrize(
    "settings", [{"max_bins": 3}, {"max_depth": 1}, {"max_bins": None}, {"estimator": BestTree(1, 7)}]
)
def test_a_warm_start_keeps_to_the_class(settings):
    """Trees of a richer class would have a larger soft margin than any of the new one."""
    clf = SoftMarginClassifier(0.2, warm_start=True).fit(X, y)
    clf.set_params(**settings).fit(X, y)
    assert clf.certificate_.status == "optimal"
    verify(clf, X, y)
    cold = SoftMarginClassifier(0.2, **settings).fit(X, y)
    assert clf.certificate_.soft_margin <= cold.certificate_.bound
    assert clf.certificate_.hypothesis_class == cold.certificate_.hypothesis_class


def test_a_warm_start_with_other_rows_keeps_to_the_class():
    clf = SoftMarginClassifier(0.2, max_bins=20, warm_start=True).fit(X, y)
    moved = X * 1.01 + 0.003
    clf.fit(moved, y)
    verify(clf, moved, y)


def test_a_warm_start_at_the_optimum_takes_one_round():
    clf = SoftMarginClassifier(0.2, warm_start=True).fit(X, y)
    before = clf.certificate_
    clf.fit(X, y)
    assert len(clf.trace_) == 1
    assert clf.certificate_.soft_margin >= before.soft_margin - 1e-12


def test_callbacks_see_the_ensemble_and_may_stop_the_fit():
    seen = []

    def stop(event):
        votes = event.decision_function(X)
        seen.append(np.mean((votes > 0) == (y == 1)))
        return len(seen) == 4

    clf = SoftMarginClassifier(0.05, 1e-3, callbacks=[stop]).fit(X, y)
    assert clf.certificate_.status == "stopped"
    assert len(clf.trace_) == 4
    assert seen[-1] == pytest.approx(clf.score(X, y))


def test_weak_learners_may_be_forests():
    forest = RandomForestClassifier(5, max_depth=2)
    clf = LPBoostClassifier(0.3, estimator=forest, max_iter=3).fit(X, y)
    assert clf.score(X, y) > 0.9


@pytest.mark.parametrize(
    ("answer", "status"), [(np.True_, "stopped"), (np.False_, "optimal"), (1, "optimal")]
)
def test_a_callback_answers_with_a_bool_of_any_kind(answer, status):
    clf = SoftMarginClassifier(0.2, callbacks=[lambda event: answer]).fit(X, y)
    assert clf.certificate_.status == status


def test_margins_refuse_labels_of_another_type():
    clf = SoftMarginClassifier(0.2).fit(X, np.array(["bad", "good"], dtype=object)[y])
    with pytest.raises(ValueError, match=r"y must hold the classes \['bad', 'good'\]; got 0"):
        clf.margins(X, y)


def test_a_warm_start_with_other_features_is_a_cold_one():
    stump = DecisionTreeClassifier(max_depth=1)
    clf = LPBoostClassifier(0.3, 0.1, estimator=stump, warm_start=True, max_iter=20).fit(X, y)
    clf.fit(X[:, 4:], y)
    cold = LPBoostClassifier(0.3, 0.1, estimator=stump, max_iter=20).fit(X[:, 4:], y)
    assert clf.certificate_ == cold.certificate_


def test_calibration_takes_y_as_a_column():
    with pytest.warns(DataConversionWarning):
        clf = SoftMarginClassifier(0.2, 0.1, calibration=2).fit(X, pd.DataFrame({"sick": y}))
    expected = SoftMarginClassifier(0.2, 0.1, calibration=2).fit(X, y)
    np.testing.assert_array_equal(clf.predict_proba(X), expected.predict_proba(X))


def test_calibration_with_weights_under_metadata_routing():
    weight = np.where(y == 1, 1.0, 2.0)
    expected = SoftMarginClassifier(0.2, 0.1, calibration=2).fit(X, y, weight)
    with sklearn.config_context(enable_metadata_routing=True):
        clf = SoftMarginClassifier(0.2, 0.1, calibration=2).fit(X, y, weight)
    np.testing.assert_array_equal(clf.predict_proba(X), expected.predict_proba(X))


def interrupted_at(step, function, *args):
    """Call a function and interrupt it before its `step`-th bytecode, wherever that is in it.

    Whether it was interrupted: False if it has fewer.
    """
    left = step

    def trace(frame, event, _):
        nonlocal left
        if frame.f_code is not function.__code__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*args)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_interrupt_finds_the_old_fit_or_the_new_one():
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    old = LPBoostClassifier(0.3, max_iter=2).fit(frame, y)
    new = LPBoostClassifier(0.2, max_iter=3).fit(X[:, :3], y)
    states = []
    for step in range(1000):
        clf = LPBoostClassifier(0.3, max_iter=2)
        vars(clf).update(vars(old))
        again = interrupted_at(step, set_model, clf, new.model_, new)
        assert clf.get_params() == old.get_params()
        names = {name for name in vars(clf) if name.endswith("_")}
        states.append((clf.model_ is new.model_, clf.n_features_in_, names - {"model_", "n_features_in_"}))
        if not again:
            break
    assert step > 10
    assert {(state[0], state[1], len(state[2])) for state in states} == {(False, 8, 1), (True, 3, 0)}
