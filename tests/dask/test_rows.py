"""Partitions of arrays and data frames become the rows that one machine makes of the whole."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from frankboost import SoftMarginClassifier
from frankboost.dask.collections import Partition, make_partitions
from frankboost.dask.ingestion import read_rows
from frankboost.dask.rows import Agreement, inspect_partition
from frankboost.learners.binning import thresholds_of
from frankboost.tables.labelled import check_training_data


def frame(m=300, seed=0):
    """Numbers, gaps, categories whose declared order is not the alphabet's, and weights, some of them 0."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=m),
            "gaps": np.where(rng.random(m) < 0.2, np.nan, rng.integers(0, 5, m)),
            "colour": pd.Categorical(
                rng.choice(["red", "green", "blue"], m), categories=["red", "green", "blue", "none"]
            ),
        }
    )
    y = pd.Series(rng.choice(["no", "yes"], m), name="y")
    weight = pd.Series(rng.integers(0, 4, m) / 4.0)
    return X, y, weight


def whole(client, rows):
    """All rows at one place."""
    parts = client.gather(rows.rows)
    names = ("X", "code", "sample_weight", "carries")
    return [np.concatenate([getattr(each, name) for each in parts]) for name in names]


@pytest.mark.parametrize("class_weight", [None, "balanced", {"no": 3.0}])
def test_data_frames(client, class_weight):
    X, y, weight = frame()
    clf = SoftMarginClassifier(class_weight=class_weight)
    here = check_training_data(clf, X, y, weight, categorical_features=None)
    there = read_rows(
        client,
        clf,
        dd.from_pandas(X, npartitions=3),
        dd.from_pandas(y, npartitions=3),
        dd.from_pandas(weight, npartitions=3),
    )
    for one, other in zip(
        whole(client, there), (here.X, here.code, here.sample_weight, here.carries), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    assert there.agreed.classes.tolist() == here.classes.tolist()
    assert {k: v.tolist() for k, v in there.agreed.encoding.categories.items()} == {
        "colour": ["red", "green", "blue"]
    }


def test_text_named_as_categories_is_sorted(client):
    X, y, _ = frame()
    X["colour"] = X["colour"].astype(str)
    parts = dd.from_pandas(X, npartitions=2), dd.from_pandas(y, npartitions=2)
    for features in (["colour"], None):
        there = read_rows(client, SoftMarginClassifier(categorical_features=features), *parts)
        assert there.agreed.encoding.categories["colour"].tolist() == ["blue", "green", "red"]
    with pytest.raises(ValueError, match="column 'colour' of X must hold numbers"):
        read_rows(client, SoftMarginClassifier(categorical_features=[]), *parts)


def test_text_in_one_partition_is_text_in_all():
    facts_of = [
        inspect_partition(
            Partition(k, pd.DataFrame({"x": pd.Series(x, dtype=object)}), [0, 1], None), None, ()
        )
        for k, x in enumerate([[None, None], [1, 2], ["b", "a"]])
    ]
    columns = SoftMarginClassifier()
    columns.n_features_in_ = 1
    encoding = Agreement.of(facts_of, None, columns).encoding
    assert encoding.categories[0].tolist() == [1, 2, "a", "b"]
    assert Agreement.of(facts_of[:2], None, columns).encoding.categories == {}


def test_arrays_are_cut_where_their_rows_are_cut(client):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 3)), rng.integers(0, 3, 100)
    there = read_rows(
        client, SoftMarginClassifier(), da.from_array(X, chunks=(40, 2)), da.from_array(y, chunks=33)
    )
    np.testing.assert_array_equal(whole(client, there)[0], X)
    np.testing.assert_array_equal(whole(client, there)[1], y)


@pytest.mark.parametrize("max_bins", [1, 7, 255])
def test_thresholds_are_those_of_one_machine(client, max_bins):
    rng = np.random.default_rng(2)
    columns = [rng.normal(size=3000), rng.integers(0, 9, 3000), rng.exponential(size=3000), np.ones(3000)]
    X = np.column_stack(columns)
    X[rng.random(X.shape) < 0.01] = np.nan
    X = np.column_stack([X, np.full(3000, np.nan), np.arange(3000)])
    weight, y = rng.exponential(size=3000), rng.integers(0, 2, 3000)
    clf = SoftMarginClassifier()
    there = read_rows(
        client, clf, *(da.from_array(each, chunks=(1100, *each.shape[1:])) for each in (X, y, weight))
    )
    here = check_training_data(clf, X, y, weight)
    expected = thresholds_of(here.X, here.sample_weight, max_bins)
    for one, other in zip(there.thresholds(client, max_bins), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def partitioned(y=None, weight=None, chunks=50):
    X = da.from_array(np.arange(200.0).reshape(100, 2), chunks=(50, 2))
    y = np.arange(100) % 2 if y is None else y
    weight = None if weight is None else da.from_array(weight, chunks=chunks)
    return X, da.from_array(y, chunks=chunks), weight


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ((np.zeros((3, 2)), None, None), TypeError, "X must be a Dask array .* got numpy"),
        ((partitioned()[0], np.zeros(100), None), TypeError, "y must be a Dask array .* got numpy"),
        (partitioned(y=np.zeros(90)), ValueError, "y must have .* 100 rows of X; got 90"),
        (partitioned(y=np.zeros(100)), ValueError, "at least two classes"),
        (partitioned(weight=np.zeros(100)), ValueError, "must not be all zeros"),
        (partitioned(weight=np.full(100, -1.0)), ValueError, "finite numbers >= 0; got -1"),
        (partitioned(y=np.linspace(0.0, 1.0, 100)), ValueError, "y must hold the labels of classes"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(client, data, error, message):
    with pytest.raises(error, match=message):
        read_rows(client, SoftMarginClassifier(), *data)


def test_partitions_of_different_lengths_are_named(client):
    X, y, _ = frame(100)
    y = dd.concat([dd.from_pandas(y[:30], npartitions=1), dd.from_pandas(y[30:], npartitions=1)])
    with pytest.raises(ValueError, match=r"partition [01] has 50 rows in X and [37]0 in y"):
        read_rows(client, SoftMarginClassifier(), dd.from_pandas(X, npartitions=2), y)
    with pytest.raises(ValueError, match="as many partitions as X, 3; got 2"):
        make_partitions(dd.from_pandas(X, npartitions=3), y, None)


def test_sparse_partitions_are_named(client):
    X, y, _ = partitioned()
    with pytest.raises(TypeError, match="X must have dense partitions; got a csr_matrix"):
        read_rows(client, SoftMarginClassifier(), X.map_blocks(csr_matrix), y)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (pd.Series([1.0, 2.0]), pd.Series(["a", "b"])),
        (pd.Series(["a", "b"], dtype="category"), pd.Series([1, 2])),
    ],
)
def test_partitions_of_different_kinds_are_named(here, there):
    """Of a collection whose partitions are not what it says."""
    labels = np.array([0, 1])
    known = [
        inspect_partition(Partition(k, pd.DataFrame({"a": each}), labels, None), None, ())
        for k, each in enumerate([here, there])
    ]
    columns = SoftMarginClassifier()
    columns.n_features_in_, columns.feature_names_in_ = 1, ["a"]
    with pytest.raises(ValueError, match="column 'a' of X must hold categories or text in all partitions or"):
        Agreement.of(known, None, columns)
