"""onnxruntime says what the model says."""

import copy
import sys
from dataclasses import replace

import numpy as np
import onnx
import onnxruntime
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from export.models import rows_with_missing, strange_rows, three_classes, two_classes
from frankboost import LPBoostClassifier, SoftMarginClassifier
from frankboost.export import to_onnx


def check(model, rows, dtype="float64"):
    proto = to_onnx(model, dtype=dtype)
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    label, votes, probabilities = session.run(["label", "votes", "probabilities"], {"X": rows})
    expected = model.decision_function(rows)
    assert votes.shape == expected.shape
    np.testing.assert_allclose(votes, expected, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(probabilities, model.predict_proba(rows), rtol=0.0, atol=1e-12)
    np.testing.assert_array_equal(label, model.predict(rows))
    return label


@pytest.mark.parametrize("case", [two_classes, three_classes])
def test_rows_on_thresholds_next_to_them_and_missing(case):
    model, X, _ = case()
    check(model, strange_rows(model, X))


@pytest.mark.parametrize("calibration", [None, 2])
@pytest.mark.parametrize(
    "labels",
    [["a", "b", "ü"], [5, 7, 9], [True, False, True], [-1.0, 1.0, 2.0], np.array([0, 1, 1], dtype=np.uint8)],
    ids=["str", "int", "bool", "float", "uint8"],
)
def test_labels_and_calibration(labels, calibration):
    _, X, y = three_classes()
    model = SoftMarginClassifier(0.3, 0.1, calibration=calibration).fit(X, np.asarray(labels)[y])
    found = check(model, rows_with_missing(X, seed=5))
    assert found.dtype.kind == np.asarray(labels).dtype.kind.replace("U", "O")


def test_rows_in_single_precision():
    model, X, _ = two_classes()
    check(model, strange_rows(model, X).astype(np.float32), "float32")
    with pytest.raises(ValueError, match="dtype must be one of 'float64', 'float32'; got 'int8'"):
        to_onnx(model, dtype="int8")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_splits_by_what_is_missing(dtype):
    X = np.array([[7.0], [np.nan]] * 10)
    model = SoftMarginClassifier(0.5).fit(X, X[:, 0] > 0.0)
    rows = np.array([[np.finfo(dtype).max], [np.finfo(dtype).min], [np.nan], [0.0]], dtype=dtype)
    assert check(model, rows, dtype).tolist() == [True, True, False, True]


def test_deep_and_constant_trees():
    _, X, y = two_classes()
    check(SoftMarginClassifier(0.3, 0.1, max_depth=4, max_iter=5).fit(X, y), X)
    X = np.zeros((5, 2))
    model = SoftMarginClassifier(1.0, max_iter=1).fit(X, [0, 0, 1, 1, 1])
    assert (model.estimators_[0].feature < 0).all()
    check(model, np.array([[1.0, np.nan], [np.nan, 0.0], [-1.0, 3.0]]))


def test_classes_without_any_share():
    """All votes -1: the probabilities are even, and the first class wins."""
    silent = copy.copy(three_classes()[0])
    silent.model_ = replace(silent.model_, calibration=None)
    tree = SoftMarginClassifier(1.0, max_iter=1).fit(np.zeros((5, 2)), [1, 0, 0, 0, 0]).estimators_[0]
    silent.estimators_ = [[tree]] * 3
    silent.estimator_weights_ = [np.ones(1)] * 3
    rows = np.zeros((2, 4))
    assert (silent.decision_function(rows) == -1.0).all()
    check(silent, rows)


def test_errors(monkeypatch):
    _, X, y = two_classes()
    with pytest.raises(NotFittedError):
        to_onnx(SoftMarginClassifier())
    others = LPBoostClassifier(0.3, estimator=DecisionTreeClassifier(max_depth=1), max_iter=2)
    with pytest.raises(TypeError, match="trees of BestTree"):
        to_onnx(others.fit(X, y))
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r'pip install "frankboost\[onnx\]"'):
        to_onnx(two_classes()[0])
