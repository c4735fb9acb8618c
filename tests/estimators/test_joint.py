"""Many classes in one game: one certificate, one nu, one calibration."""

from copy import copy
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import frankboost
from frankboost import (
    CertificateError,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftMarginClassifier,
    verify,
)
from frankboost.callbacks import EarlyStopping, JsonLines
from frankboost.display import ConvergenceDisplay, MarginDisplay, NuPathDisplay, TreeDisplay
from games import ALGORITHMS, UNAIMED
from joint_games import JointProblem, check

X, y = load_wine(return_X_y=True)
LABELS = np.array(["first", "second", "third"])[y]
JOINT = {"multi_class": "joint"}


@pytest.fixture(scope="module")
def fitted():
    return SoftMarginClassifier(0.1, **JOINT).fit(X, LABELS)


@pytest.fixture(scope="module")
def chosen():
    return SoftMarginClassifier(**JOINT).fit(X, LABELS)


@pytest.mark.parametrize("seed", range(30))
def test_both_ends_hold_in_rational_arithmetic_over_all_tuples_of_trees(seed):
    assert check(seed) == "optimal"


@pytest.mark.parametrize("seed", range(4))
def test_every_algorithm_finds_the_optimum(seed):
    problem = JointProblem.random(seed)
    best = problem.optimum(problem.trees())
    for name in ALGORITHMS:
        found = problem.fit(MLPBoostClassifier, tol=0.05, **ALGORITHMS[name]).certificate_
        assert found.soft_margin - 1e-9 <= best <= found.bound + 1e-9
        assert found.gap <= 0.05, name


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("classifier", [LPBoostClassifier, SoftMarginClassifier])
def test_linear_programs_close_the_gap(classifier, seed):
    """Those of LPBoost, and those that take over where `tol` is tiny."""
    problem = JointProblem.random(seed)
    H = problem.trees()
    clf = problem.fit(classifier, tol=1e-9)
    low, high = problem.ends(clf, H)
    found = clf.certificate_
    assert found.status == "optimal"
    assert Fraction(found.soft_margin) <= low
    assert high <= Fraction(found.bound)
    assert found.soft_margin == pytest.approx(problem.optimum(H), abs=1e-8)


def test_lpboost_is_verified():
    clf = LPBoostClassifier(0.4, 0.02, **JOINT).fit(X, LABELS)
    assert clf.certificate_.status == "optimal"
    assert verify(clf, X, LABELS) == clf.certificate_


@pytest.mark.parametrize("name", UNAIMED)
def test_algorithms_with_other_aims_keep_both_ends_true(name):
    problem = JointProblem.random(1)
    best = problem.optimum(problem.trees())
    found = problem.fit(MLPBoostClassifier, tol=0.05, max_iter=30, **UNAIMED[name]).certificate_
    assert found.soft_margin - 1e-9 <= best <= found.bound + 1e-9


def test_the_certificate_is_one_and_its_sentence_is_about_the_largest_vote(fitted):
    text = str(fitted.certificate_)
    assert "3 votes, one per class, of depth-2 trees over 13 features" in text
    assert "each of 3 classes against the next, 178 rows" in text
    assert fitted.nu_ == 0.1
    assert fitted.distribution_.shape == (178, 3)
    assert fitted.distribution_[np.arange(178), y].max() == 0.0


def test_it_is_verified_and_a_claim_one_ulp_stronger_is_not(fitted):
    found = verify(fitted, X, LABELS)
    assert found == fitted.certificate_
    assert "no 3 votes of such trees, one per class, have a mean margin above" in str(found)
    true = fitted.certificate_
    for claim in (
        replace(true, soft_margin=np.nextafter(true.soft_margin, 1.0)),
        replace(true, bound=np.nextafter(true.bound, 0.0)),
    ):
        fitted.certificate_ = claim
        with pytest.raises(CertificateError, match="claimed"):
            verify(fitted, X, LABELS)
    fitted.certificate_ = true
    with pytest.raises(CertificateError, match="claimed"):
        verify(fitted, X, LABELS[np.random.default_rng(0).permutation(len(y))])


def test_margins_are_half_the_lead_and_their_mean_is_the_soft_margin(fitted):
    votes = fitted.decision_function(X)
    own = votes[np.arange(len(y)), y]
    rivals = np.where(np.eye(3, dtype=bool)[y], -np.inf, votes).max(axis=1)
    margins = fitted.margins(X, LABELS)
    np.testing.assert_allclose(margins, (own - rivals) / 2)
    least, room = np.sort(margins), 0.1 * len(y)
    whole = int(room)
    mean = (least[:whole].sum() + (room - whole) * least[whole]) / room
    assert mean == pytest.approx(fitted.certificate_.soft_margin, abs=1e-12)
    hard = fitted.hard_examples(X, LABELS)
    assert (fitted.distribution_.sum(axis=1)[hard.index] == hard.weight).all()


def test_prediction_largest_vote_and_largest_probability_agree(fitted, chosen):
    rows = np.concatenate([X, X + np.random.default_rng(0).normal(size=X.shape) * X.std(axis=0)])
    calibrated = SoftMarginClassifier(0.1, calibration=2, **JOINT).fit(X, LABELS)
    for clf in (fitted, chosen, calibrated):
        best = clf.decision_function(rows).argmax(axis=1)
        chances = clf.predict_proba(rows)
        np.testing.assert_array_equal(clf.predict(rows), clf.classes_[best])
        np.testing.assert_array_equal(chances[np.arange(len(best)), best], chances.max(axis=1))
        np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert chosen.model_.calibration is not None
    assert calibrated.model_.calibration is not None


def test_nu_is_chosen_once(chosen):
    path = chosen.nu_path_.path
    assert chosen.nu_ == min(path, key=lambda each: each.loss).nu
    assert len({each.nu for each in path}) == len(path) >= 3
    NuPathDisplay.from_estimator(chosen)


def test_the_model_does_not_depend_on_the_number_of_threads(chosen):
    other = SoftMarginClassifier(n_jobs=2, **JOINT).fit(X, LABELS)
    np.testing.assert_array_equal(other.estimator_weights_, chosen.estimator_weights_)
    np.testing.assert_array_equal(other.distribution_, chosen.distribution_)
    np.testing.assert_array_equal(other.predict_proba(X), chosen.predict_proba(X))
    assert other.certificate_ == chosen.certificate_


def test_two_classes_are_as_without_it():
    two = y < 2
    one, other = (SoftMarginClassifier(0.1, **more).fit(X[two], y[two]) for more in ({}, JOINT))
    assert one.certificate_ == other.certificate_
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))


def test_many_classes_take_fewer_rounds_than_the_theorem_allows():
    digits, labels = load_digits(return_X_y=True)
    some = slice(0, 300)
    clf = SoftMarginClassifier(0.2, 0.05, max_bins=15, **JOINT).fit(digits[some], labels[some])
    assert clf.certificate_.status == "optimal"
    assert clf.n_iter_ < 11.6 * np.log(9 / 0.2) / 0.05**2


@pytest.mark.parametrize("certificate", [True, False])
def test_a_saved_model_is_the_same(chosen, certificate, tmp_path):
    frankboost.save(chosen, tmp_path / "model.json", certificate=certificate)
    loaded = frankboost.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.decision_function(X), chosen.decision_function(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), chosen.predict_proba(X))
    if certificate:
        assert verify(loaded, X, LABELS) == chosen.certificate_


def test_explanations_are_of_the_vote_for_each_class(fitted):
    votes = fitted.decision_function(X)
    for k, shapes in enumerate(fitted.shapes(X)):
        np.testing.assert_allclose(shapes.intercept + shapes.effects(X).sum(axis=1), votes[:, k], atol=1e-12)
    onnx = pytest.importorskip("onnxruntime")
    from frankboost.export import to_onnx  # noqa: PLC0415

    session = onnx.InferenceSession(to_onnx(fitted).SerializeToString())
    label, told, chances = session.run(["label", "votes", "probabilities"], {"X": X})
    np.testing.assert_array_equal(label, fitted.predict(X))
    np.testing.assert_allclose(told, votes, atol=1e-12)
    np.testing.assert_allclose(chances, fitted.predict_proba(X), atol=1e-12)


def test_pictures(fitted):
    pytest.importorskip("matplotlib")
    ConvergenceDisplay.from_estimator(fitted)
    display = MarginDisplay.from_estimator(fitted, X, LABELS)
    np.testing.assert_array_equal(display.margins, np.sort(fitted.margins(X, LABELS)))
    TreeDisplay.from_estimator(fitted, label="second")
    assert "178 rows" in fitted._repr_html_()


def test_a_warm_start_goes_on_from_the_last_fit():
    clf = SoftMarginClassifier(0.1, warm_start=True, **JOINT).fit(X, LABELS)
    first = clf.n_iter_
    clf.nu = 0.12
    clf.fit(X, LABELS)
    assert clf.n_iter_ < first
    assert verify(clf, X, LABELS).gap <= 0.02
    clf.multi_class = "ovr"  # what it knows is of another game
    assert len(clf.fit(X, LABELS).certificate_) == 3


def test_a_weight_of_two_is_the_row_twice():
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    one = SoftMarginClassifier(0.2, 1e-3, **JOINT).fit(X, LABELS, weight)
    twice = np.repeat(np.arange(len(y)), weight)
    other = SoftMarginClassifier(0.2, 1e-3, **JOINT).fit(X[twice], LABELS[twice])
    assert one.certificate_.soft_margin == pytest.approx(other.certificate_.soft_margin, abs=2e-3)
    assert verify(one, X, LABELS, weight) == one.certificate_


def test_watching(tmp_path):
    watch = EarlyStopping(X[::2], LABELS[::2], patience=2)
    lines = JsonLines(tmp_path / "rounds.jsonl")
    clf = SoftMarginClassifier(0.1, 1e-3, callbacks=[watch, lines], **JOINT).fit(X, LABELS)
    assert clf.certificate_.status == "stopped"
    assert watch.scores[watch.best_round - 1] == max(watch.scores)
    assert len((tmp_path / "rounds.jsonl").read_text().splitlines()) == clf.n_iter_
    with pytest.raises(ValueError, match="scoring must be None or a function"):
        SoftMarginClassifier(0.1, callbacks=[EarlyStopping(X, LABELS, scoring="roc_auc")], **JOINT).fit(
            X, LABELS
        )


def test_stages_end_with_the_model(fitted):
    *_, last = fitted.staged_decision_function(X)
    np.testing.assert_allclose(last, fitted.decision_function(X), atol=1e-12)


def test_classes_of_a_single_row():
    labels = LABELS.astype(object)
    labels[0] = "alone"
    clf = SoftMarginClassifier(**JOINT).fit(X, labels)
    assert set(clf.predict(X)) <= set(labels)
    assert verify(clf, X, labels) == clf.certificate_


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SoftMarginClassifier(multi_class="both").fit(X, y), 'multi_class must be "ovr" or "joint"'),
        (
            lambda: SoftMarginClassifier(0.2, estimator=LogisticRegression(), **JOINT).fit(X, y),
            'multi_class must be "ovr" unless the weak learner is BestTree',
        ),
    ],
)
def test_what_cannot_be_played_says_so(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_fit_of_many_classes_keeps_to_its_time():
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(400, 3)), np.arange(400) % 200
    clf = SoftMarginClassifier(time_limit=1e-3).fit(rows, labels)
    assert {each.status for each in clf.certificate_} <= {"time_limit", "optimal"}
    assert all(path.path == () for path in clf.nu_path_[1:])  # nothing was tried once time was up


@pytest.mark.filterwarnings("ignore:nu is 0.2, since no rows can be held out")
@parametrize_with_checks([SoftMarginClassifier(**JOINT), SoftMarginClassifier(0.2, **JOINT)])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_iris_is_told_apart():
    assert (
        SoftMarginClassifier(**JOINT).fit(*load_iris(return_X_y=True)).score(*load_iris(return_X_y=True))
        > 0.95
    )


def test_a_class_of_another_number_of_votes_is_not_verified(fitted):
    two = copy(fitted)
    two.model_ = replace(fitted.model_, classes=np.array(["first", "second"]))
    with pytest.raises(ValueError, match="model must have a class of 2 votes; got 3 votes, one per class"):
        verify(two, X, LABELS)
