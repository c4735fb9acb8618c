"""Public attributes are parts of the model, and can be set."""

import copy

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError

from frankboost import LPBoostClassifier, SoftMarginClassifier, SoftMarginClassifierCV, verify
from frankboost.certificate import CertificateError

NAMES = (
    *("classes_", "categories_", "certificate_", "trace_", "estimators_", "estimator_weights_"),
    *("distribution_", "hypothesis_class_", "feature_importances_", "n_iter_"),
)


@pytest.fixture(scope="module")
def two():
    X, y = load_breast_cancer(return_X_y=True)
    return SoftMarginClassifier(0.05).fit(X[:, :4], y)


@pytest.fixture(scope="module")
def three():
    return SoftMarginClassifier(0.3).fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize("classifier", [SoftMarginClassifier, SoftMarginClassifierCV])
@pytest.mark.parametrize("name", NAMES)
def test_before_a_fit_there_are_none(classifier, name):
    clf = classifier()
    assert not hasattr(clf, name)
    with pytest.raises(AttributeError, match=r"model_|not fitted yet"):
        getattr(clf, name)
    if name in NAMES[:-1]:
        with pytest.raises(NotFittedError, match="not fitted yet"):
            setattr(clf, name, None)


def test_of_two_classes_they_are_parts_of_the_one_ensemble(two):
    [ensemble] = two.model_.ensembles
    assert two.certificate_ is ensemble.certificate
    assert two.estimators_ is ensemble.hypotheses
    assert two.n_iter_ == len(ensemble.trace)
    assert two.nu_ == 0.05
    assert vars(two).keys() - two.get_params().keys() == {"model_", "n_features_in_"}


def test_of_many_classes_they_are_lists(three):
    for name, part in {"certificate_": "certificate", "estimator_weights_": "weights"}.items():
        values = getattr(three, name)
        assert [id(each) for each in values] == [id(getattr(e, part)) for e in three.model_.ensembles]
    assert three.nu_ == [0.3, 0.3, 0.3]


def test_every_algorithm_tells_its_nu(two):
    X, y = load_breast_cancer(return_X_y=True)
    assert LPBoostClassifier(0.1, max_iter=1).fit(X, y).nu_ == 0.1


@pytest.mark.parametrize("case", ["two", "three"])
@pytest.mark.parametrize("name", NAMES[:-1])
def test_what_is_set_is_read_again_and_nothing_else_changes(case, name, request):
    clf = request.getfixturevalue(case)
    other = copy.copy(clf)
    new = [object()] * 3 if case == "three" and name in NAMES[2:8] else object()
    setattr(other, name, new)
    assert getattr(other, name) == new
    assert getattr(clf, name) is not new
    for each in set(NAMES) - {name, "n_iter_"}:
        assert getattr(other, each) is getattr(clf, each) or isinstance(getattr(clf, each), list)


def test_as_many_parts_as_ensembles(three):
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        copy.copy(three).estimators_ = [[], []]


def test_votes_follow_what_is_set(two):
    X, y = load_breast_cancer(return_X_y=True)
    clf = copy.copy(two)
    clf.estimators_, clf.estimator_weights_ = clf.estimators_[:1], np.ones(1)
    np.testing.assert_array_equal(clf.decision_function(X[:, :4]), two.estimators_[0](X[:, :4]))
    with pytest.raises(CertificateError):
        verify(clf, X[:, :4], y)
