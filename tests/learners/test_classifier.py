"""scikit-learn classifiers as weak learners."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from frankboost import LPBoostClassifier, MLPBoostClassifier
from frankboost.learners.classifier import Classifier

X, y = load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize("classifier", [LPBoostClassifier, MLPBoostClassifier])
def test_a_tree_of_scikit_learn_boosts_and_says_it_is_a_heuristic(classifier):
    tree = DecisionTreeClassifier(max_depth=2)
    clf = classifier(0.1, 0.05, estimator=tree, max_iter=30).fit(X, y)
    assert not clf.certificate_.exact
    assert "DecisionTreeClassifier" in clf.certificate_.hypothesis_class
    assert "heuristic bound" in str(clf.certificate_)
    assert clf.score(X, y) > 0.95
    assert not hasattr(tree, "tree_")  # the parameter is left alone


def test_the_same_model_twice():
    fits = [
        LPBoostClassifier(
            0.1, estimator=DecisionTreeClassifier(max_depth=1, splitter="random"), max_iter=10
        ).fit(X, y)
        for _ in range(2)
    ]
    np.testing.assert_array_equal(fits[0].decision_function(X), fits[1].decision_function(X))


def test_a_negative_edge_is_turned_round():
    class Contrary(LogisticRegression):
        def predict(self, X):
            return -super().predict(X)

    Z = X[:, :3] / X[:, :3].std(axis=0)
    labels = np.where(y == 1, 1.0, -1.0)
    [h] = Classifier(Contrary()).prepare(Z, labels, np.ones(len(y)))(labels / len(y)).hypotheses
    assert labels @ h(Z) > 0


def test_a_classifier_without_weights_is_refused():
    with pytest.raises(TypeError, match="estimator must take sample_weight in fit; KNeighborsClassifier"):
        LPBoostClassifier(estimator=KNeighborsClassifier()).fit(X, y)
