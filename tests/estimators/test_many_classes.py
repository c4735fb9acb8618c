"""More than two classes: each against the rest."""

import signal

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from frankboost import LPBoostClassifier, SoftMarginClassifier, verify
from frankboost.certificate import CertificateError

X, y = load_wine(return_X_y=True)
NAMES = np.array(["barolo", "grignolino", "barbera"])


@pytest.mark.parametrize("classifier", [SoftMarginClassifier, LPBoostClassifier])
def test_each_class_is_a_fit_of_its_own(classifier):
    clf = classifier(0.2).fit(X, NAMES[y])
    assert list(clf.classes_) == sorted(NAMES)
    votes = clf.decision_function(X)
    assert votes.shape == (len(X), 3)
    for k, name in enumerate(clf.classes_):
        alone = classifier(0.2).fit(X, NAMES[y] == name)
        assert clf.certificate_[k] == alone.certificate_
        np.testing.assert_array_equal(votes[:, k], alone.decision_function(X))
        np.testing.assert_array_equal(clf.distribution_[k], alone.distribution_)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[votes.argmax(axis=1)])
    assert clf.score(X, NAMES[y]) > 0.97
    assert len(clf.certificate_) == len(clf.trace_) == len(clf.estimators_) == 3
    assert clf.n_iter_ == max(map(len, clf.trace_))
    assert clf.feature_importances_.shape == (X.shape[1],)


def test_the_number_of_threads_does_not_matter():
    one, three = (SoftMarginClassifier(0.2, n_jobs=jobs).fit(X, y) for jobs in (1, 3))
    np.testing.assert_array_equal(one.decision_function(X), three.decision_function(X))
    assert one.certificate_ == three.certificate_


def test_probabilities():
    clf = SoftMarginClassifier(0.2).fit(X, y)
    p = clf.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert (p >= 0).all()
    np.testing.assert_array_equal(p.argmax(axis=1), clf.decision_function(X).argmax(axis=1))


@pytest.mark.parametrize("settings", [{}, {"nu": 0.3, "calibration": 3}], ids=["auto", "calibration"])
def test_a_class_is_as_probable_as_it_is_frequent(settings):
    """Where there is little to tell, votes of different ensembles say nothing of one another."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(900, 4))
    labels = np.where(Z[:, 0] > 1.5, 2, rng.choice(3, 900, p=[0.15, 0.7, 0.15]))
    clf = SoftMarginClassifier(**settings).fit(Z[:600], labels[:600])
    p = clf.predict_proba(Z[600:])
    np.testing.assert_allclose(p.mean(axis=0), np.bincount(labels[:600]) / 600, atol=0.05)
    np.testing.assert_array_equal(clf.predict(Z[600:]), p.argmax(axis=1))
    assert clf.score(Z[600:], labels[600:]) >= np.mean(labels[600:] == 1)


def test_verify_checks_every_class():
    clf = SoftMarginClassifier(0.2, class_weight="balanced").fit(X, y)
    found = verify(clf, X, y)
    assert [round(c.bound, 6) for c in found] == [round(c.bound, 6) for c in clf.certificate_]
    first, second, third = clf.estimator_weights_
    clf.estimator_weights_ = [first, second[::-1], third]
    with pytest.raises(CertificateError):
        verify(clf, X, y)


def test_an_interrupt_ends_every_class_with_what_it_has():
    once = iter([signal.SIGINT])

    def interrupt(event):
        if event.round == 2 and (number := next(once, None)) is not None:
            signal.raise_signal(number)

    clf = SoftMarginClassifier(0.05, 1e-4, callbacks=[interrupt], n_jobs=3)
    with pytest.warns(ConvergenceWarning, match="the fit of 2 of 3 classes was interrupted at a gap of"):
        clf.fit(X, y)
    # The third class is done after its first round.
    assert [c.status for c in clf.certificate_] == ["interrupted", "interrupted", "optimal"]
    assert [len(trace) for trace in clf.trace_] == [2, 1, 1]
    assert clf.decision_function(X).shape == (len(X), 3)


def test_margins_are_of_the_own_class():
    iris, labels = load_iris(return_X_y=True)
    clf = SoftMarginClassifier(0.2).fit(iris, labels)
    votes = clf.decision_function(iris)
    np.testing.assert_array_equal(clf.margins(iris, labels), votes[np.arange(len(labels)), labels])
    hard = clf.hard_examples(iris, labels)
    assert (np.diff(hard.margin) >= 0).all()
    assert set(labels[hard.index]) >= {1, 2}  # the two that overlap


def test_callbacks_are_told_of_one_class_after_the_other():
    told = []
    SoftMarginClassifier(0.2, n_jobs=3, callbacks=[lambda event: told.append(event.label)]).fit(X, y)
    assert told == sorted(told)
    assert set(told) == {0, 1, 2}
