"""SHAP values add up to the vote."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from export.models import three_classes, two_classes
from frankboost import SoftMarginClassifier
from frankboost.export import to_shap

shap = pytest.importorskip("shap")


def explained(trees, background, rows, kind="interventional"):
    explainer = shap.TreeExplainer(trees, background, feature_perturbation=kind)
    return explainer.shap_values(rows), np.asarray(explainer.expected_value)


@pytest.mark.parametrize("kind", ["interventional", "tree_path_dependent"])
@pytest.mark.parametrize("case", [two_classes, three_classes])
def test_values_add_up(case, kind):
    model, X, _ = case()
    background = shap.maskers.Independent(X, max_samples=len(X))
    values, expected = explained(to_shap(model), background, X, kind)
    votes = model.decision_function(X)
    assert values.shape == X.shape + votes.shape[1:]
    np.testing.assert_allclose(values.sum(axis=1), votes - expected, atol=1e-6)
    np.testing.assert_allclose(expected, votes.mean(axis=0), atol=1e-6)


def test_interventional_values_are_shapley_values():
    """Of a stump and one background row: the feature takes all of the difference, also if it is missing."""
    X = np.array([[0.0, 5.0], [1.0, 5.0], [np.nan, 5.0], [3.0, 5.0]])
    model = SoftMarginClassifier(0.5, max_depth=1).fit(X, [0, 0, 1, 1])
    np.testing.assert_array_equal(model.decision_function(X), [-1, -1, 1, 1])
    values, expected = explained(to_shap(model), X[:1], X)
    np.testing.assert_allclose(values, [[0, 0], [0, 0], [2, 0], [2, 0]], atol=1e-12)
    assert expected == -1.0


def test_splits_by_what_is_missing():
    X = np.array([[7.0, 1.0], [np.nan, 1.0]] * 10)
    model = SoftMarginClassifier(0.5).fit(X, X[:, 0] > 0.0)
    values, expected = explained(to_shap(model), X[:1], np.array([[1e300, 1.0], [np.nan, 1.0]]))
    np.testing.assert_allclose(values, [[0, 0], [-2, 0]], atol=1e-12)
    assert expected == 1.0


def test_one_class():
    model, X, _ = two_classes()
    trees = [to_shap(model, label) for label in (None, "malignant", "benign")]
    both, positive, negative = (explained(each, X[:50], X[:20])[0] for each in trees)
    np.testing.assert_array_equal(both, positive)
    np.testing.assert_allclose(negative, -positive, atol=1e-12)
    model, X, _ = three_classes()
    one, each = (explained(to_shap(model, label), X[:50], X[:20])[0] for label in (1, None))
    np.testing.assert_allclose(one, each[:, :, 1], atol=1e-7)


def test_without_a_sample_paths_are_refused():
    model, X, _ = two_classes()
    explainer = shap.TreeExplainer(to_shap(model), feature_perturbation="tree_path_dependent")
    with pytest.raises(shap.utils._exceptions.ExplainerError, match="does not cover all the leaves"):
        explainer.shap_values(X[:3])


def test_errors():
    with pytest.raises(NotFittedError):
        to_shap(SoftMarginClassifier())
    with pytest.raises(ValueError, match=r"label must be None or one of \['benign', 'malignant'\]; got 'x'"):
        to_shap(two_classes()[0], "x")
