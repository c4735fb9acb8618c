"""Leaves that say how sure they are: a vote of the same class, which ranks rows that the optimum does not."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from frankboost import CertificateError, SoftMarginClassifier, SoftMarginClassifierCV, load, save, verify
from frankboost.choosing.constants import DOUBT, PASSES, RATE
from frankboost.choosing.leaves import CURVATURE, distinct_trees, fit_sure_leaves, mean_log_odds, shift_vote
from frankboost.export import to_onnx
from frankboost.learners.tree import constant
from frankboost.model import Vote

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]


def noisy(rows, seed=0, flips=0.15):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(rows, 5))
    signal = Z[:, 0] + Z[:, 1] + 0.5 * Z[:, 2]
    return Z, ((signal + 0.8 * rng.normal(size=rows) > 0) != (rng.random(rows) < flips)).astype(int)


@pytest.fixture(scope="module")
def fitted():
    Z, labels = noisy(1200)
    return SoftMarginClassifier().fit(Z, labels), Z, labels


def test_the_first_leaf_is_a_part_of_a_newton_step(fitted):
    clf, Z, labels = fitted
    tree = clf.optimum_.hypotheses[0]
    weight = np.where(labels == 1, 2.0, 1.0)
    first = next(fit_sure_leaves([tree], Z, labels == 1, weight))
    side = tree(Z)  # leaves of one sign may be several: compare what rows get
    found = first.vote(Z, scale=1.0)
    p = (weight @ labels + 0.5) / (weight.sum() + 1.0)
    for value in np.unique(found):
        rows = found == value
        assert len(np.unique(side[rows])) == 1
        slope = (weight * (labels - p))[rows].sum()
        step = RATE * slope / (weight[rows].sum() * p * (1 - p) + CURVATURE)
        assert value == pytest.approx(step, abs=2.0**-20)


def test_passes_raise_the_likelihood_of_the_rows_that_are_fitted(fitted):
    clf, Z, labels = fitted
    losses = []
    for found in fit_sure_leaves(clf.optimum_.hypotheses, Z, labels == 1, np.ones(len(Z))):
        z = np.log(labels.mean() / (1 - labels.mean())) + found.scale * found.vote(Z, scale=found.scale)
        losses.append(-np.log(np.where(labels == 1, expit(z), expit(-z))).mean())
    assert len(losses) == len(PASSES)
    assert (np.diff(losses) < 0).all()


def test_a_mean_of_sums_is_the_mean_of_what_they_say(fitted):
    clf, Z, labels = fitted
    runs = list(fit_sure_leaves(clf.optimum_.hypotheses[:20], Z, labels == 1, np.ones(len(Z))))[:2]
    mean = mean_log_odds(runs)
    said = [each.scale * each.vote(Z, scale=each.scale) for each in runs]
    np.testing.assert_allclose(mean.scale * mean.vote(Z, scale=mean.scale), np.mean(said, axis=0), atol=1e-12)


@pytest.mark.parametrize("zero", [-1.5, -0.2, 0.0, 0.4])
def test_a_constant_tree_moves_the_zero_of_a_vote(fitted, zero):
    vote = shift_vote(Vote([constant(1.0), constant(-1.0)], np.array([0.75, 0.25])), zero)
    assert vote.weights.sum() == 1.0
    total = sum(w * tree(X[:1])[0] for tree, w in zip(vote.hypotheses, vote.weights, strict=True))
    assert total == pytest.approx((0.5 - zero) / (1 + abs(zero)))


def test_vote_label_and_probability_agree_on_every_row(fitted):
    clf, Z, _ = fitted
    fresh = np.r_[Z, noisy(2000, seed=1)[0]]
    vote, p = clf.decision_function(fresh), clf.predict_proba(fresh)
    np.testing.assert_array_equal(clf.predict(fresh), (vote > 0).astype(int))
    np.testing.assert_array_equal(clf.predict(fresh), p.argmax(axis=1))
    order = np.argsort(vote, kind="stable")
    assert (np.diff(p[order, 1]) >= 0).all()
    assert DOUBT / len(Z) <= p.min() < p.max() <= 1 - DOUBT / len(Z)


def test_it_ranks_better_than_the_optimum():
    gains = []
    for seed in range(3):
        Z, labels = noisy(800, seed)
        fresh, truth = noisy(3000, seed + 100)
        scores = [
            SoftMarginClassifier(leaves=leaves).fit(Z, labels).decision_function(fresh)
            for leaves in ("sure", "sign")
        ]
        gains.append(np.subtract(*(roc_auc_score(truth, score) for score in scores)))
    assert np.mean(gains) > 0.0


def test_both_votes_are_certified(fitted, tmp_path):
    clf, Z, labels = fitted
    claim = clf.certificate_
    alone = SoftMarginClassifier(clf.nu_).fit(Z, labels)
    assert claim.in_use < claim.soft_margin <= alone.certificate_.bound
    assert set(np.concatenate([tree.value[tree.feature < 0] for tree in clf.optimum_.hypotheses])) <= {
        -1.0,
        1.0,
    }
    assert verify(clf, Z, labels) == claim
    margins = np.sort(clf.margins(Z, labels))
    count = int(clf.nu_ * len(Z))
    rest = clf.nu_ * len(Z) - count
    mean = (margins[:count].sum() + rest * margins[count]) / (clf.nu_ * len(Z))
    assert claim.in_use == pytest.approx(mean, abs=1e-7)
    assert f"its soft margin is {np.floor(claim.in_use * 1e5) / 1e5:.5f}" in str(claim)
    save(clf, tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict_proba(Z), clf.predict_proba(Z))
    assert verify(loaded, Z, labels) == claim


def test_a_soft_margin_in_use_that_is_too_large_is_found_out(fitted):
    from dataclasses import replace  # noqa: PLC0415

    clf, Z, labels = fitted
    kept, claim = clf.model_, clf.certificate_
    try:
        clf.certificate_ = replace(claim, in_use=claim.in_use + 1e-6)
        with pytest.raises(CertificateError, match=r"in_use, .*: claimed"):
            verify(clf, Z, labels)
        clf.model_ = kept
        clf.estimator_weights_ = np.eye(len(clf.estimator_weights_))[-2]  # one of the trees alone
        with pytest.raises(CertificateError, match=r"in_use, .*: claimed"):
            verify(clf, Z, labels)
    finally:
        clf.model_ = kept


def test_signs_and_given_values_of_nu_are_the_optimum():
    sign, given = SoftMarginClassifier(leaves="sign").fit(X, y), SoftMarginClassifier(0.1).fit(X, y)
    for clf in (sign, given):
        assert clf.certificate_.in_use is None
        assert not hasattr(clf, "optimum_")
        assert all((np.abs(tree.value[tree.feature < 0]) == 1).all() for tree in clf.estimators_)


def test_trees_that_keep_an_order_and_other_hypotheses_keep_their_signs():
    ordered = SoftMarginClassifier(monotonic_cst=[-1] * 6).fit(X, y)
    other = SoftMarginClassifier(estimator=DecisionTreeClassifier(max_depth=2), max_iter=20).fit(X, y)
    for clf in (ordered, other):
        np.testing.assert_array_equal(clf.predict(X), clf.predict_proba(X).argmax(axis=1))
        assert clf.nu_path_.sure is None
    verify(ordered, X, y)


def test_class_weights_move_the_vote_and_leave_the_probabilities():
    Z, labels = noisy(2500, flips=0.1)
    rare = (labels == 0) | (np.arange(len(Z)) % 6 == 0)
    Z, labels = Z[rare], labels[rare]
    plain, balanced = (SoftMarginClassifier(class_weight=each).fit(Z, labels) for each in (None, "balanced"))
    fresh, truth = noisy(6000, seed=3, flips=0.1)
    kept = (truth == 0) | (np.arange(len(fresh)) % 6 == 0)
    fresh, truth = fresh[kept], truth[kept]
    for clf in (plain, balanced):
        assert clf.predict_proba(fresh)[:, 1].mean() == pytest.approx(truth.mean(), abs=0.03)
    assert balanced.predict(fresh).mean() > plain.predict(fresh).mean() + 0.05
    odds = (labels == 0).sum() / (labels == 1).sum()
    p = balanced.predict_proba(fresh)
    np.testing.assert_array_equal(balanced.predict(fresh), (odds * p[:, 1] > p[:, 0]).astype(int))


@pytest.mark.parametrize(
    "clf",
    [SoftMarginClassifier(), SoftMarginClassifierCV([0.4, 0.3], cv=3, max_depth=1)],
    ids=["default", "cv"],
)
def test_fits_that_hold_out_several_parts_are_averaged(clf):
    Z, labels = noisy(300)
    clf.fit(Z, labels)
    assert len(clf.estimators_) > 1.5 * len(clf.optimum_.weights)
    assert verify(clf, Z, labels) == clf.certificate_
    np.testing.assert_array_equal(clf.predict(Z), clf.predict_proba(Z).argmax(axis=1))


def test_exports_hold_the_vote_in_use(fitted):
    onnxruntime = pytest.importorskip("onnxruntime")
    clf, Z, _ = fitted
    session = onnxruntime.InferenceSession(to_onnx(clf).SerializeToString())
    label, probabilities, votes = session.run(["label", "probabilities", "votes"], {"X": Z})
    np.testing.assert_array_equal(label, clf.predict(Z))
    np.testing.assert_allclose(votes, clf.decision_function(Z), atol=1e-12)
    np.testing.assert_allclose(probabilities, clf.predict_proba(Z), atol=1e-9)
    shapes = clf.shapes(Z)
    np.testing.assert_allclose(
        shapes.intercept + shapes.effects(Z).sum(axis=1), clf.decision_function(Z), atol=1e-9
    )
    np.testing.assert_array_equal(list(clf.staged_decision_function(Z))[-1], clf.decision_function(Z))


def test_a_bad_setting():
    with pytest.raises(ValueError, match='leaves must be "sure" or "sign"; got \'soft\''):
        SoftMarginClassifier(leaves="soft").fit(X, y)


def test_trees_of_the_same_splits_count_once(fitted):
    trees = fitted[0].optimum_.hypotheses[:6]
    nodes = trees[2].nodes.copy()
    nodes["value"] *= -0.5
    again = type(trees[2])(nodes, trees[2].sets)
    found = distinct_trees([trees[4], *trees, again])
    assert [id(each) for each in found] == [id(trees[k]) for k in (4, 0, 1, 2, 3, 5)]


def test_with_a_thousand_rows_the_trees_of_every_nu_get_sure_leaves():
    for rows, parts, are_more in ((6000, 1, True), (900, 5, False)):
        Z, labels = noisy(rows)
        clf = SoftMarginClassifier().fit(Z, labels)
        chosen = next(each for each in clf.nu_path_.path if each.nu == clf.nu_path_.nu)
        most = 1.2 * parts * chosen.hypotheses
        assert (len(clf.estimators_) > most) == are_more
        assert verify(clf, Z, labels) == clf.certificate_


def test_a_value_of_nu_with_a_bound_of_chance_is_not_chosen_but_gives_its_trees():
    (Z, labels), (fresh, truth) = (noisy(1500, seed=seed, flips=0.45) for seed in (0, 1))
    clf = SoftMarginClassifier().fit(Z, labels)
    chosen, last = clf.nu_path_.path
    assert chosen.hypotheses == 1.0
    assert last.bound <= 0.02 < chosen.bound
    assert clf.nu_path_.nu == chosen.nu
    assert len(clf.estimators_) > 100
    alone = sum(
        w * tree(fresh) for tree, w in zip(clf.optimum_.hypotheses, clf.optimum_.weights, strict=True)
    )
    assert roc_auc_score(truth, clf.decision_function(fresh)) > roc_auc_score(truth, alone)
