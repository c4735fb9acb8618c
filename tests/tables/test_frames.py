"""Tables as numbers: whatever holds the values, the same places among the same categories."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from frankboost import SoftMarginClassifier, verify
from frankboost.fitting.fit_warnings import NuWarning
from frankboost.tables import frames
from frankboost.tables.categories import category_column
from frankboost.tables.frames import Encoding, encoded

nan = np.nan
ALL = np.ones(5, dtype=bool)


def places(X, features, carries=ALL):
    """The numbers and the categories of a table with a single column."""
    numbers, encoding = encoded(SoftMarginClassifier(), X, features, carries)
    [known] = encoding.categories.values()
    return numbers[:, 0].tolist(), known.tolist()


@pytest.mark.parametrize(
    ("values", "categories"),
    [
        (["b", "a", None, "c", "a"], ["a", "b", "c"]),
        ([3, 1, 2, 1, 3], [1, 2, 3]),
        ([0.5, nan, -1.0, 0.5, 7.0], [-1.0, 0.5, 7.0]),
        ([True, False, True, True, False], [False, True]),
        ([2, "a", None, "a", 10], [10, 2, "a"]),  # of several types: by type, then as text
        ([None] * 5, []),
    ],
)
def test_the_same_numbers_whatever_holds_the_values(values, categories):
    cells = np.empty((5, 1), dtype=object)
    cells[:, 0] = values
    kinds = {type(value) for value in values} - {type(None)}
    tables = [cells, cells.tolist(), pd.DataFrame({"x": values}), pd.DataFrame({"x": values}, dtype=object)]
    if len(kinds) == 1:
        tables += [np.array(values, dtype=None if None not in values else object)[:, None]]
        tables += [pl.DataFrame({"x": values}), pd.DataFrame({"x": values}).convert_dtypes()]
    number = {value: float(k) for k, value in enumerate(categories)}
    expected = [number.get(value, nan) for value in values]
    for table in tables:
        found, known = places(table, [0])
        assert [type(value) for value in known] == [type(value) for value in categories]
        assert known == categories
        np.testing.assert_array_equal(found, expected)


def test_declared_orders_are_kept():
    order = ["z", "never", "a"]
    values = ["a", "z", None, "a", "z"]
    pandas = pd.DataFrame({"x": pd.Categorical(values, categories=order)})
    polars = pl.DataFrame({"x": pl.Series(values, dtype=pl.Enum(order))})
    for table in (pandas, polars):
        assert places(table, None)[1] == ["z", "a"]
        np.testing.assert_array_equal(places(table, None)[0], [1, 0, nan, 1, 0])


def test_rows_without_weight_teach_no_categories():
    found, known = places(np.array([["b"], ["a"], ["c"], ["a"], ["b"]]), [0], np.array([1, 0, 1, 0, 0]) > 0)
    assert known == ["b", "c"]
    np.testing.assert_array_equal(found, [0, nan, 1, nan, 0])


def test_an_encoding_is_plain_data():
    names = np.array(["x", "kind"], dtype=object)
    clf = SoftMarginClassifier()
    clf.n_features_in_, clf.feature_names_in_ = 2, names
    encoding = Encoding({"kind": np.array(["u", "v"], dtype=object)}, clf)
    assert {f: known.tolist() for f, known in encoding.by_column.items()} == {1: ["u", "v"]}
    frame = pd.DataFrame({"x": [1.0, nan, 2.0], "kind": ["v", "w", None]})
    np.testing.assert_array_equal(encoding(frame), [[1, 1], [nan, nan], [2, nan]])


@pytest.mark.parametrize("categorical", [False, True])
def test_a_table_is_checked_and_encoded_once(monkeypatch, categorical):
    calls = []

    def counted(function):
        def call(*args, **settings):
            calls.append(function.__name__)
            return function(*args, **settings)

        return call

    for function in (frames.checked_columns, frames._numbers, category_column):
        monkeypatch.setattr(frames, function.__name__, counted(function))
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "kind": list("abab")})
    features = ["kind"] if categorical else None
    clf = SoftMarginClassifier(categorical_features=features)
    clf.fit(frame if categorical else frame[["x"]], [0, 1, 0, 1])
    assert sorted(calls) == ["_numbers", *["category_column"] * categorical, "checked_columns"]


@pytest.mark.parametrize(
    ("cell", "parameters"), [(10**400, {}), ("a", {}), ([1], {}), ([1], {"categorical_features": [0]})]
)
def test_what_is_no_number_or_category_is_an_error_about_x(cell, parameters):
    X = np.empty((3, 1), dtype=object)
    X[:, 0] = [0.0, 1.0, cell]
    with pytest.raises((TypeError, ValueError), match="X must hold"):
        SoftMarginClassifier(**parameters).fit(X, [0, 1, 1])


@pytest.mark.parametrize("y", [np.array([0, 1, 1], dtype=complex), np.array(["a", 1, 1], dtype=object)])
def test_labels_of_no_kind_are_an_error_about_y(y):
    with pytest.raises((TypeError, ValueError), match=r"\by\b"):
        SoftMarginClassifier().fit(np.zeros((3, 1)), y)


def test_a_name_of_two_columns():
    frame = pd.DataFrame(np.arange(12.0).reshape(4, 3), columns=["a", "b", "a"])
    with pytest.raises(ValueError, match="X must have columns of different names; 'a' is the name of"):
        SoftMarginClassifier().fit(frame, [0, 1, 0, 1])


def test_tables_of_pyarrow():
    table = pa.table({"a": [1.0, 2.0, 3.0, 4.0], "b": [1.0] * 4})
    assert SoftMarginClassifier(0.5).fit(table, [0, 0, 1, 1]).feature_names_in_.tolist() == ["a", "b"]


def test_a_frame_of_nothing():
    frame = pd.DataFrame(np.arange(8.0).reshape(4, 2), columns=["a", "b"])
    clf = SoftMarginClassifier(0.5).fit(frame, [0, 1, 0, 1])
    for nothing in (frame.iloc[:0], pl.from_pandas(frame.iloc[:0])):
        assert clf.predict(nothing).shape == clf.decision_function(nothing).shape == (0,)
        assert clf.predict_proba(nothing).shape == (0, 2)
    with pytest.raises(ValueError, match=r"^X must have at least 1 column; got a data frame with 0 columns$"):
        clf.fit(frame.iloc[:, :0], [0, 1, 0, 1])


def test_text_where_numbers_were_fitted():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]})
    clf = SoftMarginClassifier(0.5).fit(frame, [0, 1, 0, 1])
    with pytest.raises(
        ValueError, match=r"column 'a' of X must hold numbers .*: in the fit it held one of these"
    ):
        clf.predict(pd.DataFrame({"a": ["high"]}))


@pytest.mark.parametrize("named", [None, ["age"]])
def test_a_word_among_too_many_numbers_is_named(named):
    rows = pd.DataFrame({"age": [str(k) for k in range(499)] + ["unknown"]})
    message = (
        "numbers except in 1 cell, such as 'unknown'; make such cells missing values"
        if named is None
        else "at most 255"
    )
    with pytest.raises(ValueError, match=message):
        SoftMarginClassifier(0.3, categorical_features=named).fit(rows, np.arange(500) % 2)


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ([str(k / 2) for k in range(40)], "only numbers; convert it to numbers"),
        (
            [f"2024-03-{k % 20 + 1:02d}" for k in range(40)],
            "dates as text; convert it with pandas.to_datetime",
        ),
        (
            [*(f"2024-03-{k % 20 + 1:02d}" for k in range(39)), "soon"],
            "dates except in 1 cell, such as 'soon'; make such cells missing values",
        ),
    ],
)
def test_numbers_and_dates_that_are_text_are_told(cells, what):
    rows, y = pd.DataFrame({"when": cells}), np.arange(40) % 2
    with pytest.warns(UserWarning, match=f"^column 'when' is split as categories, but holds {what}, or name"):
        SoftMarginClassifier(0.9).fit(rows, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", NuWarning)
        SoftMarginClassifier(0.9, categorical_features=["when"]).fit(rows, y)
        SoftMarginClassifier(0.9).fit(rows.map(lambda cell: f"at {cell}"), y)


def test_errors_print_no_arrays():
    with pytest.raises(ValueError, match=r"got 1D array instead. Reshape your data") as error:
        SoftMarginClassifier(0.5).fit(np.arange(1000.0), np.arange(1000) % 2)
    assert "[" not in str(error.value)
    with pytest.raises(ValueError, match=r"^X must hold numbers, or .*: Complex data not supported.$"):
        SoftMarginClassifier(0.5).fit(1j * np.ones((9, 2)), np.arange(9) % 2)


def test_integers_of_128_bits():
    """NumPy has none."""
    numbers = pl.Series("a", [k * 10**25 for k in range(20)], dtype=pl.Int128)
    X = pl.DataFrame({"a": numbers, "b": range(20)})
    y = [0, 1] * 10
    weight = pl.Series(range(1, 21), dtype=pl.Int128)
    clf = SoftMarginClassifier(0.5).fit(X, y, weight)
    same = X.with_columns(a=X["a"].cast(float))
    np.testing.assert_array_equal(clf.decision_function(X), clf.decision_function(same))
    assert verify(clf, X, y, weight) == clf.certificate_
    with pytest.raises(ValueError, match="y must hold labels of one kind: cannot convert i128"):
        clf.fit(X, pl.Series(y, dtype=pl.Int128))
