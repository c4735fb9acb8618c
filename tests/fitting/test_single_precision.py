"""Rows in single precision give the model of their copy in double precision, to the last bit."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from frankboost import Columns, SoftMarginClassifier

ROWS = 600
rng = np.random.default_rng(0)


def rows(*, missing=0.0, digits=None):
    """Random rows; values at which float32 and float64 round thresholds apart are among them."""
    X = np.float32(1e7) + rng.standard_normal((ROWS, 4)).astype(np.float32) * np.float32(40.0)
    X[:, 2:] = rng.standard_normal((ROWS, 2)).astype(np.float32)
    X = X if digits is None else np.round(X, digits)
    X[rng.random(X.shape) < missing] = np.nan
    return X


def labels(X, classes=2):
    score = np.nan_to_num(X[:, 2]) + np.sin(np.nan_to_num(X[:, 0]) / 30.0) + 0.5 * rng.standard_normal(len(X))
    return np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def bits(clf):
    """All that a fit found."""
    found = [clf.model_.calibration]
    for each in clf.model_.ensembles:
        trees = [member for h in each.hypotheses for member in getattr(h, "members", [h])]
        nodes = [tree.nodes.tobytes() for tree in trees if hasattr(tree, "nodes")]
        found += [nodes, each.weights.tobytes(), each.distribution.tobytes(), str(each.certificate)]
    return repr(found)


SETTINGS = {
    "few thresholds": {"nu": 0.3, "max_bins": 15},
    "all thresholds": {"nu": 0.3, "max_bins": None},
    "depth 3": {"nu": 0.3, "max_depth": 3},
    "nu chosen": {},
    "calibrated": {"nu": 0.3, "calibration": 3},
    "another learner": {"nu": 0.3, "estimator": DecisionTreeClassifier(max_depth=2), "max_iter": 5},
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_float32_gives_the_model_of_float64(settings, missing):
    if "estimator" in settings and missing:
        settings = {**settings, "estimator": DecisionTreeClassifier(max_depth=1)}
    X = rows(missing=missing)
    y, weight = labels(X), rng.integers(0, 4, ROWS)
    one, other = (SoftMarginClassifier(**settings).fit(each, y, weight) for each in (X, X.astype(np.float64)))
    assert bits(one) == bits(other)
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X.astype(np.float64)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_float32_with_many_classes(multi_class):
    X = rows()
    y = labels(X, 3)
    one, other = (
        SoftMarginClassifier(nu=0.3, multi_class=multi_class).fit(each, y)
        for each in (X, X.astype(np.float64))
    )
    assert bits(one) == bits(other)


@pytest.mark.filterwarnings("ignore")
def test_equal_rows_of_float32():
    X = np.repeat(rows(digits=0)[:200], 3, axis=0)
    y = labels(X)
    one, other = (SoftMarginClassifier(nu=0.3).fit(each, y) for each in (X, X.astype(np.float64)))
    assert bits(one) == bits(other)


@pytest.mark.filterwarnings("ignore")
def test_forms_of_float32():
    X = rows(missing=0.05)
    y = labels(X)
    forms = [X.astype(np.float64), X, np.asfortranarray(X), X.astype(">f4"), X[:, ::-1].copy()[:, ::-1]]
    first, *others = (SoftMarginClassifier(nu=0.3).fit(each, y) for each in forms)
    assert {bits(each) for each in others} == {bits(first)}
    frames = [pd.DataFrame(each, columns=list("abcd")) for each in (X, X.astype(np.float64))]
    one, other = (SoftMarginClassifier(nu=0.3).fit(each, y) for each in frames)
    assert bits(one) == bits(other) == bits(first)


def test_columns_of_float32_as_hypotheses():
    H = np.tanh(rows()[:, 2:])
    y = labels(H[:, [0, 1, 0, 1]])
    one, other = (
        SoftMarginClassifier(nu=0.3, estimator=Columns()).fit(each, y) for each in (H, H.astype(np.float64))
    )
    assert bits(one) == bits(other)
