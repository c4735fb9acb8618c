"""What `verify` counts in the data, and what it refuses because there is nothing to prove."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from frankboost import BestTree, CertificateError, SoftMarginClassifier, verify
from frankboost.verification.hypotheses import SeparatedValues


def rows(seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 6, 60) / 2.0, "b": rng.normal(size=60).round(1)})
    X.loc[::7, "b"] = np.nan
    return X, (X["a"] + rng.normal(size=60) > 1.2).astype(int)


def test_counts():
    X, y = rows()
    weight = np.ones(60)
    weight[:10], weight[10:15] = 2.0, 0.0
    model = SoftMarginClassifier(0.3, 0.1, max_bins=4).fit(X, y, weight)
    scope = verify(model, X, y, weight).scope
    kept = weight > 0
    assert (scope.positive, scope.negative, scope.rows, scope.weighted) == (1, 0, 55, True)
    assert scope.counts.weighted == 10
    assert scope.counts.totals == (weight[y == 1].sum(), weight[y == 0].sum())
    right = np.sign(model.decision_function(X)) == np.where(y == 1, 1, -1)
    assert scope.counts.right == np.count_nonzero(right & kept)
    values = [
        X["a"][kept].nunique() - 1,
        X["b"][kept].nunique(),
    ]  # a missing value is told from the largest, too
    assert scope.counts.thresholds == (sum(map(len, model.hypothesis_class_.thresholds)), sum(values))


def test_all_thresholds_tell_all_rows_apart():
    X, y = rows()
    model = SoftMarginClassifier(0.3, 0.1, max_bins=None).fit(X, y)
    told, there = verify(model, X, y).scope.counts.thresholds
    assert told == there


def test_a_feature_that_no_threshold_splits_is_told():
    X, y = rows()
    model = SoftMarginClassifier(0.3, 0.1, estimator=BestTree(thresholds=[[1.1], []])).fit(X, y)
    found = verify(model, X, y)
    assert found.scope.counts.unused == ("b",)
    assert "no threshold splits 'b'" in str(found)
    model = SoftMarginClassifier(0.3, 0.1, estimator=BestTree(thresholds=[[1e300], [0.1]])).fit(
        X.to_numpy(), y
    )
    assert verify(model, X.to_numpy(), y).scope.counts.unused == (0,)


@pytest.mark.parametrize(
    ("thresholds", "values", "found"),
    [
        ([], [1.0, 1.0], (0, 0, True)),
        ([], [1.0, 2.0], (0, 1, False)),
        ([1.5, 1.6], [1.0, 2.0], (1, 1, True)),
        ([0.5, 2.5], [1.0, 2.0], (0, 1, False)),
        ([1.5], [1.0, 2.0, np.nan], (1, 2, True)),
        ([1.5, 9.0], [1.0, 2.0, np.nan], (2, 2, True)),
        ([9.0], [np.nan, np.nan], (0, 0, True)),
    ],
)
def test_told(thresholds, values, found):
    told = SeparatedValues.of(0, np.array(thresholds), np.array(values))
    assert (told.count, told.most, told.all_values) == found


def test_a_class_that_no_row_has():
    X, y = rows()
    model = SoftMarginClassifier(0.3, 0.1).fit(X, y)
    ones = pd.Series(np.zeros(60, dtype=int))
    model.certificate_ = dataclasses.replace(
        model.certificate_, soft_margin=-1.0, bound=1.0, status="max_iter"
    )
    with pytest.raises(CertificateError, match="class 1: claimed to be told from others, found no row of it"):
        verify(model, X, ones)
    with pytest.raises(CertificateError, match="found no row but those of it"):
        verify(model, X, ones + 1)


def test_classes_that_are_the_same_text():
    X, y = rows()
    model = SoftMarginClassifier(0.3, 0.1).fit(X, y)
    model.classes_ = np.array([1, "1"], dtype=object)
    with pytest.raises(ValueError, match="classes_ that differ as text"):
        verify(model, X, y)


def test_a_cell_that_is_in_no_category():
    X, y = rows()
    X["city"] = np.where(X["a"] > 1, "Oslo", "Graz")
    model = SoftMarginClassifier(0.3, 0.1).fit(X, y)
    X.loc[3, "city"] = "Bari"
    with pytest.raises(
        CertificateError, match="categories of feature 2: claimed 2, found a value that is none"
    ):
        verify(model, X, y)
