"""Columns of Parquet files by their types."""

import datetime
import decimal
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from frankboost.datasets.files import open_file
from frankboost.datasets.tables import labels_like, training_table


@pytest.fixture
def write(tmp_path):
    def writer(*arrays, names=None):
        names = names or [f"c{k}" for k in range(len(arrays))]
        path = tmp_path / "some.parquet"
        pq.write_table(pa.table(list(arrays), names=names), path)
        return open_file(path)

    return writer


@pytest.mark.parametrize(
    ("array", "numbers"),
    [
        (pa.array([1, None, 2**60], pa.int64()), [1, np.nan, 2.0**60]),
        (pa.array([True, None, False]), [1, np.nan, 0]),
        (pa.array([1.5, None, 2], pa.float32()), [1.5, np.nan, 2]),
        (pa.array([decimal.Decimal("1.5"), None, decimal.Decimal("-2.0")]), [1.5, np.nan, -2]),
    ],
)
def test_numbers(write, array, numbers):
    column = write(array).column("c0")
    assert not column.holds_text
    np.testing.assert_array_equal(column.numbers(), numbers)


@pytest.mark.parametrize(
    ("array", "texts"),
    [
        (pa.array(["1", None, "NA"]), ["1", None, "NA"]),
        (pa.array(["1", None, "b"], pa.large_string()), ["1", None, "b"]),
        (pa.array(["u", None, "v"]).dictionary_encode(), ["u", None, "v"]),
    ],
)
def test_text_and_categories(write, array, texts):
    column = write(array).column("c0")
    assert column.holds_text
    assert column.texts() == texts


def test_categories_of_numbers(tmp_path):
    frame = pd.DataFrame({"c": pd.Categorical([3, None, 1]), "x": [1, 2, 3]})
    frame.to_parquet(tmp_path / "some.parquet")
    source = open_file(tmp_path / "some.parquet")
    assert source.column("c").texts() == ["3", None, "1"]
    assert [source.column(name).holds_text for name in ("c", "x")] == [True, False]


@pytest.mark.parametrize(
    ("values", "kind"), [([True, False], "b"), ([2, 1], "i"), ([2.0, 1.0], "f"), (["b", "a"], "U")]
)
def test_labels_keep_their_type(write, values, kind):
    column = write(pa.array(values)).column("c0")
    labels = column.labels()
    assert labels.dtype.kind == kind
    assert labels.tolist() == values
    assert labels_like(column, np.unique(labels)).tolist() == values


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (pa.array([datetime.date(2020, 1, 1)] * 2), r"date32\[day\]"),
        (pa.array([datetime.datetime(2020, 1, 1)] * 2), r"timestamp\[us\]"),
        (pa.array([[1], [2]]), "list<.*>"),
        (pa.array([b"a", b"b"]), "binary"),
    ],
)
def test_other_types_are_refused_unless_ignored(write, array, kind):
    source = write(array, pa.array([1, 2]), pa.array([0, 1]), names=["when", "x", "y"])
    message = rf"some\.parquet: column 'when' is of type {kind}; numbers, bools.*--ignore when"
    with pytest.raises(ValueError, match=message):
        training_table(source, "y")
    assert training_table(source, "y", ["when"]).names == ("x",)


def test_what_is_wrong_with_a_file(write):
    y = pa.array([0, 1])
    with pytest.raises(ValueError, match=r"some\.parquet, row 2, column 'c0': -inf is not a finite number"):
        training_table(write(pa.array([1.0, -np.inf]), y), "c1")
    for missing in (pa.array(["a", None]), pa.array([None, 1.0]), pa.array([1.0, np.nan])):
        with pytest.raises(ValueError, match=r"some\.parquet, row \d: the target 'c0' has no value"):
            training_table(write(missing, y), "c0")
    with pytest.raises(ValueError, match=r"some\.parquet, row 1, column 'c0': 'a' is not a number"):
        write(pa.array(["a", "1"])).column("c0").numbers()
    with pytest.raises(ValueError, match="2 columns have the same name 'x'"):
        write(y, y, names=["x", "x"])
    with pytest.raises(ValueError, match="has columns but no rows"):
        write(pa.array([], pa.int64()))


def test_without_pyarrow_the_extra_is_named(write, tmp_path, monkeypatch):
    write(pa.array([1]))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"need pyarrow: pip install frankboost\[parquet\]"):
        open_file(tmp_path / "some.parquet")
