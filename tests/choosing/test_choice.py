"""nu that chooses itself."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.tree import DecisionTreeClassifier

from frankboost import BestTree, Columns, SoftMarginClassifier, SoftMarginClassifierCV, verify
from frankboost.choosing.constants import NU_PARTS, OTHERWISE, ROWS
from frankboost.choosing.held_out import Patterns, held_out_masks, row_keys
from frankboost.choosing.held_out_loss import HeldOutLoss

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :8]


def noisy(rows, seed=0, flips=0.2):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(rows, 4))
    labels = (Z[:, 0] + Z[:, 1] > 0) != (rng.random(rows) < flips)
    return Z, labels.astype(int)


def test_the_nu_of_least_loss_is_fitted_to_all_rows():
    clf = SoftMarginClassifier().fit(X, y)
    path = clf.nu_path_.path
    close = [at for at in path if at.loss <= 1.01 * min(each.loss for each in path)]
    assert clf.nu_ == clf.certificate_.nu == min(reversed(close), key=lambda at: at.error).nu
    assert [at.nu for at in path] == sorted((at.nu for at in path), reverse=True)
    assert all(at.soft_margin <= at.bound for at in path)
    verify(clf, X, y)
    alone = SoftMarginClassifier(clf.nu_, max_depth=clf.nu_path_.max_depth).fit(X, y)
    assert clf.certificate_.soft_margin <= alone.certificate_.bound
    assert alone.certificate_.soft_margin <= clf.certificate_.bound
    assert clf.certificate_.hypothesis_class == alone.certificate_.hypothesis_class
    assert clf.feature_importances_.sum() == pytest.approx(1.0)


def test_a_small_gap_is_asked_of_the_last_fit_alone():
    clf = SoftMarginClassifier(tol=1e-6).fit(X, y)
    assert all(1e-4 < at.bound - at.soft_margin <= 0.01 for at in clf.nu_path_.path)
    assert clf.certificate_.gap <= 1e-6


def test_the_scale_is_the_error_of_the_best_single_tree():
    Z, labels = noisy(2000)
    clf = SoftMarginClassifier().fit(Z, labels)
    single = SoftMarginClassifier(1.0, max_iter=1).fit(Z, labels)
    error = np.mean(single.predict(Z) != labels)
    assert clf.nu_path_.single_error == pytest.approx(error, abs=0.02)
    assert clf.nu_ > 1.2 * error  # on noisy rows little else is worth learning


def test_probabilities_are_those_of_held_out_rows():
    Z, labels = noisy(3000)
    fresh, truth = noisy(3000, seed=1)
    clf = SoftMarginClassifier().fit(Z, labels)
    p = clf.predict_proba(fresh)[:, 1]
    for low, high in ((0.0, 0.4), (0.4, 0.6), (0.6, 1.0)):
        some = (p >= low) & (p <= high)
        if some.sum() > 100:
            assert p[some].mean() == pytest.approx(truth[some].mean(), abs=0.08)
    ranks = np.argsort(np.argsort(clf.decision_function(fresh)))
    assert (np.diff(p[np.argsort(ranks)]) >= -1e-12).all()


def test_a_nu_that_leaves_one_tree_or_many_open_is_not_chosen():
    tried = SoftMarginClassifier().fit(X, y).nu_path_.path[0]
    at = replace(tried, nu=0.2, bound=0.1)
    assert not at.is_decided(0.095, 0.03)  # one tree is worth 0.05
    assert at.is_decided(0.095, 0.02)
    assert at.is_decided(0.2, 0.03)


def test_the_same_rows_and_seed_give_the_same_model_for_any_number_of_threads():
    one, two = (SoftMarginClassifier(n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert one.certificate_ == two.certificate_
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    parts = [held_out_masks(Patterns.of(row_keys(X, seed)), y - 0.5, 0.2) for seed in (0, 0, 1)]
    assert all((a == b).all() for a, b in zip(parts[0], parts[1], strict=True))
    assert any((a != b).any() for a, b in zip(parts[0], parts[2], strict=True))


@pytest.mark.parametrize(
    ("rows", "fraction", "parts"), [(400, 0.2, 5), (3000, 0.2, 2), (6000, 0.2, 1), (90, 0.5, 2)]
)
def test_of_few_rows_several_parts_are_held_out(rows, fraction, parts):
    labels = np.where(np.arange(rows) % 3 == 0, 1.0, -1.0)
    found = held_out_masks(Patterns.of(row_keys(np.arange(float(rows))[:, None])), labels, fraction)
    assert len(found) == parts
    assert not np.logical_and.reduce(found).any() or parts == 1
    assert sum(map(np.sum, found)) >= min(ROWS, rows)
    for part in found:
        assert (labels[part] > 0).mean() == pytest.approx(1 / 3, abs=0.02)


def test_some_held_out_parts_choose_nu_and_all_make_the_vote_in_use():
    Z, labels = noisy(400)
    path = SoftMarginClassifier().fit(Z, labels).nu_path_
    assert {len(each.losses) for each in path.path} == {NU_PARTS}
    assert len(path.sure.parts) == 5
    assert len(path.held_out.votes) == 400
    every = SoftMarginClassifierCV(max_depth=2).fit(Z, labels).nu_path_
    assert {len(each.losses) for each in every.path} == {5}


def test_every_class_has_its_own_nu():
    Z, labels = load_iris(return_X_y=True)
    clf = SoftMarginClassifier().fit(Z, labels)
    assert clf.nu_ == [each.nu for each in clf.certificate_]
    assert len(clf.nu_path_) == 3
    verify(clf, Z, labels)
    np.testing.assert_allclose(clf.predict_proba(Z).sum(axis=1), 1.0)


def test_rows_that_cannot_be_held_out():
    """A class of one row; a matrix of columns, which is about the training rows alone."""
    Z, labels = np.arange(6.0)[:, None], np.array([0, 0, 0, 0, 0, 1])
    for clf in (SoftMarginClassifier(), SoftMarginClassifierCV()):
        with pytest.warns(UserWarning, match=r"nu is 0\.2, since .* fewer than two different rows; give nu"):
            clf.fit(Z, labels)
        assert clf.nu_ == OTHERWISE
    with pytest.warns(UserWarning, match="fewer than two different rows"):
        clf = SoftMarginClassifier().fit(np.r_[Z, Z[-1:]], np.r_[labels, 1])  # a copy is no other row
    np.testing.assert_array_equal(clf.predict_proba(Z)[:, 1], (1 + clf.decision_function(Z)) / 2)
    signs = np.where(np.arange(12).reshape(6, 2) % 5 < 2, 1.0, -1.0)
    assert SoftMarginClassifier(estimator=Columns(signs)).fit(Z, labels).nu_ == OTHERWISE


def test_other_learners():
    clf = SoftMarginClassifier(estimator=DecisionTreeClassifier(max_depth=2), max_iter=20).fit(X, y)
    assert clf.nu_ in [at.nu for at in clf.nu_path_.path]


def test_a_tree_that_errs_nowhere():
    Z = np.arange(20.0)[:, None]
    clf = SoftMarginClassifier().fit(Z, (Z[:, 0] > 9).astype(int))
    assert clf.nu_ == OTHERWISE
    assert clf.score(Z, (Z[:, 0] > 9).astype(int)) == 1.0


def test_where_a_tree_errs_nowhere_those_of_less_depth_compete():
    digits, labels = load_digits(return_X_y=True)
    rows = np.isin(labels, (1, 7))
    Z, seven = digits[rows], labels[rows] == 7
    clf = SoftMarginClassifier().fit(Z[::2], seven[::2])
    assert clf.hypothesis_class_.max_depth == 1
    assert len(clf.estimators_) > 10
    verify(clf, Z[::2], seven[::2])
    given = SoftMarginClassifier(estimator=BestTree()).fit(Z[::2], seven[::2])
    assert given.hypothesis_class_.max_depth == 2
    assert len(given.estimators_) < len(clf.estimators_)
    searched = SoftMarginClassifierCV(cv=3).fit(Z[::2], seven[::2])
    assert set(searched.cv_results_["param_max_depth"]) == {1, 2}
    assert searched.max_depth_ == 1


@pytest.mark.parametrize(
    ("rows", "max_depth", "tried"), [(400, 2, {1, 2}), (400, 1, {1}), (400, 3, {3}), (6000, 2, {2})]
)
def test_of_few_rows_stumps_are_tried_as_well(rows, max_depth, tried):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(rows, 3))
    labels = Z.sum(axis=1) + rng.normal(size=rows) > 0
    clf = SoftMarginClassifier(max_depth=max_depth, tol=0.05).fit(Z, labels)
    assert set(clf.nu_path_.paths) == tried
    assert clf.nu_path_.max_depth in tried
    assert clf.hypothesis_class_.max_depth == clf.nu_path_.max_depth


@pytest.mark.parametrize("classifier", [SoftMarginClassifier, SoftMarginClassifierCV])
def test_of_very_many_columns_trees_look_at_one(classifier):
    rng = np.random.default_rng(0)
    Z = (rng.random((120, 1000)) < 0.1).astype(float)
    labels = Z[:, :10].sum(axis=1) > 0.9
    assert classifier(tol=0.1).fit(Z, labels).nu_path_.max_depth == 1


def test_far_deeper_trees_than_rows_are_no_reason_to_try_each_depth(monkeypatch):
    asked = []
    begin = HeldOutLoss.__init__
    monkeypatch.setattr(
        HeldOutLoss, "__init__", lambda *args, **given: asked.append(args) or begin(*args, **given)
    )
    Z = np.random.default_rng(0).normal(size=(60, 3))
    SoftMarginClassifier(max_depth=10**9).fit(Z, (Z.sum(axis=1) > 0.0).astype(int))
    assert 1 < len(asked) <= 5


def test_weights_count():
    weight = np.where(y == 1, 3.0, 1.0)
    clf = SoftMarginClassifier().fit(X, y, weight)
    verify(clf, X, y, weight)
    many = SoftMarginClassifier().fit(np.r_[X, X[:3]], np.r_[y, y[:3]], np.r_[weight, np.zeros(3)])
    np.testing.assert_array_equal(many.decision_function(X), clf.decision_function(X))


def test_a_time_limit_ends_the_path():
    clf = SoftMarginClassifier(time_limit=0.2, max_bins=None).fit(np.repeat(X, 5, axis=0), np.repeat(y, 5))
    assert len(clf.nu_path_.path) >= 1
    assert clf.certificate_.soft_margin <= clf.certificate_.bound


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"nu": "best"}, r"nu must be a number in \(0, 1\] or 'auto'; got 'best'"),
        ({"nu": 1.5}, r"nu must be a number in \(0, 1\] or 'auto'; got 1.5"),
        ({"validation_fraction": 0.0}, "validation_fraction must be"),
        ({"validation_fraction": 1.0}, r"validation_fraction must be a number in \(0, 1\); got 1.0"),
        ({"random_state": -1}, "random_state must be"),
        ({"max_depth": 0}, "max_depth must be"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises((TypeError, ValueError), match=message):
        SoftMarginClassifier(**settings).fit(X, y)


def test_a_weight_of_two_is_the_row_twice_in_any_order():
    Z, labels = noisy(300)
    weight = np.random.default_rng(1).integers(0, 4, len(Z))
    twice, order = np.repeat(np.arange(len(Z)), weight), np.random.default_rng(2).permutation(len(Z))
    one = SoftMarginClassifier(tol=0.005).fit(Z[order], labels[order], weight[order])
    two = SoftMarginClassifier(tol=0.005).fit(Z[twice], labels[twice])
    assert [(at.nu, at.losses) for at in one.nu_path_.path] == [
        (at.nu, at.losses) for at in two.nu_path_.path
    ]
    assert one.nu_ == two.nu_
    assert one.nu_path_.sure.loss == two.nu_path_.sure.loss
    np.testing.assert_allclose(one.predict_proba(Z), two.predict_proba(Z), atol=0.1)  # within the gap


def test_equal_rows_are_held_out_together_whatever_their_labels():
    Z = np.random.default_rng(0).integers(0, 4, (400, 3)).astype(float)
    labels = np.random.default_rng(1).choice([-1.0, 1.0], 400)
    patterns = Patterns.of(row_keys(Z))
    distinct = np.unique(Z, axis=0)
    assert patterns.count == len(distinct)
    for part in held_out_masks(patterns, labels, 0.25):
        inside, outside = (set(map(tuple, rows.tolist())) for rows in (Z[part], Z[~part]))
        assert inside
        assert not inside & outside
        assert set(labels[~part]) == {-1.0, 1.0}


def test_rows_are_equal_if_their_numbers_are():
    Z = np.array([[0.0, np.nan], [-0.0, -np.nan], [1.0, 0.0], [0.0, 1.0]])
    first, second, *others = row_keys(Z).tolist()
    assert first == second
    assert len({first, *others}) == 3
