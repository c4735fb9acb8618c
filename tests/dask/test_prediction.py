"""Dask tables get the answers of one machine, as Dask arrays."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client

from frankboost import SoftMarginClassifier
from frankboost.dask import DaskSoftMarginClassifier
from frankboost.estimators.prediction import set_model


def fitted(classes, frame):
    """A local classifier, the Dask one with its model, and rows."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.array(["no", "yes", "maybe"])[rng.integers(0, classes, 200)]
    if frame:
        X = pd.DataFrame(X, columns=["a", "b", "c"])
        X["d"] = pd.Categorical(rng.choice(["u", "v"], 200))
    here = SoftMarginClassifier(nu=0.5, tol=0.2).fit(X, y)
    there = DaskSoftMarginClassifier(nu=0.5)
    set_model(there, here.model_, here)
    return here, there, X


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("frame", [False, True])
@pytest.mark.parametrize("method", ["decision_function", "predict", "predict_proba"])
def test_the_answers_of_one_machine(client, classes, frame, method):
    here, there, X = fitted(classes, frame)
    table = dd.from_pandas(X, npartitions=3) if frame else da.from_array(X, chunks=(70, 2))
    found, expected = getattr(there, method)(table), getattr(here, method)(X)
    assert isinstance(found, da.Array)
    assert (found.dtype, found.ndim) == (expected.dtype, expected.ndim)
    np.testing.assert_array_equal(found.compute(), expected)
    np.testing.assert_array_equal(getattr(there, method)(X), expected)


def test_a_partition_without_rows(client):
    here, there, X = fitted(2, True)
    table = dd.from_pandas(X, npartitions=3)
    few = table[table["a"] > X["a"].iloc[:150].max() - 1e-12]
    expected = here.predict(few.compute())
    np.testing.assert_array_equal(there.predict(few).compute(), expected)


@pytest.mark.parametrize("frame", [False, True])
def test_the_score_of_one_machine(client, frame):
    here, there, X = fitted(3, frame)
    rng = np.random.default_rng(1)
    y, weight = rng.choice(here.classes_, 200), rng.random(200)
    if frame:
        table, labels, weights = (
            dd.from_pandas(each, npartitions=3) for each in (X, pd.Series(y), pd.Series(weight))
        )
    else:
        table, labels, weights = (da.from_array(each, chunks=70) for each in (X, y, weight))
    assert there.score(table, labels) == pytest.approx(here.score(X, y), abs=1e-12)
    assert there.score(table, labels, weights) == pytest.approx(here.score(X, y, weight), abs=1e-12)
    assert there.score(X, y, weight) == here.score(X, y, weight)
    with pytest.raises(ValueError, match="no row would count"):
        there.score(table, labels, 0.0 * weights)
    with pytest.raises(ValueError, match="sample_weight must hold finite numbers"):
        there.score(table, labels, np.nan * weights)
    assert said(there, table, weights > 0.5) == said(here, X, weight > 0.5)


def said(clf, X, y):
    """The score, or the error: which one labels of another type give depends on scikit-learn."""
    try:
        return clf.score(X, y)
    except ValueError as error:
        return str(error)


def test_a_score_of_labels_in_a_frame_by_a_client_of_its_own(client):
    here, there, X = fitted(3, True)
    y = np.random.default_rng(1).choice(here.classes_, 200)
    frames = [dd.from_pandas(each, npartitions=3) for each in (X, pd.DataFrame({"y": y}))]
    with client.as_current(), Client(client.scheduler.address, set_as_default=False) as own:
        before = len(own.get_task_stream())
        assert there.set_params(client=own).score(*frames) == pytest.approx(here.score(X, y), abs=1e-12)
        assert len(own.get_task_stream()) > before


def test_columns_are_checked_before_any_work():
    _, there, X = fitted(2, False)
    with pytest.raises(ValueError, match="X has 2 features, but SoftMarginClassifier is expecting 3"):
        there.predict(da.from_array(X[:, :2]))
    with pytest.raises(Exception, match="not fitted"):
        DaskSoftMarginClassifier().predict(da.from_array(X))
