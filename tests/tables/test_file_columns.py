"""Columns: what is a class, what is a feature, and what a model knows."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest

from frankboost.tables.file_columns import class_labels, feature, finite_numbers, known_values

nan = np.nan


def column(values, dtype=None):
    return pd.Series(values, dtype=dtype, name="x")


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([1, None, 2**60], "Int64", [1, nan, 2.0**60]),
        ([True, None, False], "boolean", [1, nan, 0]),
        ([True, None, False], object, [1, nan, 0]),
        ([1.5, nan, 2.0], "float32", [1.5, nan, 2]),
        ([decimal.Decimal("1.5"), None, decimal.Decimal("-2.0")], object, [1.5, nan, -2]),
        ([None, None, None], object, [nan, nan, nan]),
        ([None, None, None], "string", [nan, nan, nan]),  # text without values
    ],
)
def test_numbers(values, dtype, expected):
    found = feature(column(values, dtype))
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["string", object, "category"])
def test_text_becomes_categories(dtype):
    found = feature(column(["10", "9", None, "x", "9"], dtype))
    assert found.cat.categories.tolist() == ["10", "9", "x"]
    assert found.cat.codes.tolist() == [0, 1, -1, 2, 1]


def test_a_declared_order_is_kept():
    kind = pd.CategoricalDtype(["w", "v", "u"])
    assert feature(column(["u", "v", "u"], kind)).cat.categories.tolist() == ["w", "v", "u"]


@pytest.mark.parametrize("make", [feature, class_labels])
@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (datetime.date(2020, 1, 1), "date"),
        (pd.Timestamp(2020, 1, 1), "datetime64"),
        ([1], "mixed"),
        (b"a", "bytes"),
    ],
)
def test_other_types_are_refused(value, kind, make):
    message = f"column 'x' holds values of type {kind}; numbers, bools, text and categories can be used$"
    with pytest.raises(ValueError, match=message):
        make(column([value] * 2))


def test_categories_of_other_types_are_refused():
    with pytest.raises(ValueError, match=r"column 'x' holds values of type datetime64; numbers"):
        feature(column([pd.Timestamp(2020, 1, 1)] * 2, "category"))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            [f"id{k}" for k in range(9)],
            "'x' holds another text in every row, such as 'id0', .*categories .at most 255.$",
        ),
        (["1", "2", "4 cm", "5"], "'x' holds another text in every row, such as '4 cm'"),
        ([f"{k // 2}" for k in range(600)], "'x' holds 300 different texts, such as '0', .*at most 255"),
        ([1.0, -np.inf], "row 2, column 'x': -inf is not a finite number"),
    ],
)
def test_what_is_no_feature(values, message):
    with pytest.raises(ValueError, match=message):
        feature(column(values))


@pytest.mark.parametrize("values", [["1,5", "2", "-3,25"], ["1.403,00", "12,5"], ["1,403.5", "12", "1,000"]])
def test_numbers_with_commas_are_no_categories(values):
    with pytest.raises(
        ValueError, match=r"'x' holds numbers with commas, such as '1\S+'; write them like 1403.5$"
    ):
        feature(column(values * 20))


@pytest.mark.parametrize("values", [["1,2,3", "4"], ["a,b", "1,5"], ["1,5", "?"]])
def test_commas_in_other_texts_are_as_good_as_any(values):
    assert feature(column(values * 2)).cat.categories.tolist() == sorted(values)


def test_dates_of_another_form_get_a_hint():
    with pytest.raises(ValueError, match=r"such as '24\.12\.2020', .*; a date is written like 2024-12-31 or"):
        feature(column(["24.12.2020", "25.12.2020", "26.12.2020"]))


@pytest.mark.parametrize("values", [["1", "tall"], ["1", "True"], [1.0, np.inf], ["1", "1e999"]])
def test_what_is_no_number(values):
    with pytest.raises(ValueError, match=f"row 2, column 'x': {values[1]!r} is not a finite number"):
        finite_numbers(column(values))


def test_text_of_numbers_is_exact():
    numbers = np.random.default_rng(0).normal(size=1000)
    found = finite_numbers(column([*map(repr, numbers.tolist()), None], "string"))
    np.testing.assert_array_equal(found, [*numbers, nan])


@pytest.mark.parametrize(
    ("values", "kind"),
    [([True, False], "b"), ([2, 1], "i"), ([2.0, 1.0], "f"), (["b", "a"], "U"), (["1", "2"], "U")],
)
def test_labels_keep_their_type(values, kind):
    for form in (column(values), column(values, "category")):
        labels = class_labels(form)
        assert labels.dtype.kind == kind
        assert labels.tolist() == values


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["a", None], "row 2: the target 'x' has no value"),
        ([nan, 1.0], "row 1: the target 'x' has no value; remove this row from the file"),
        (
            [1.0, nan, None, 1.0, nan],
            "row 2: the target 'x' has no value, nor in 2 more rows; remove these rows",
        ),
        ([0, 0], "the target 'x' must hold classes, at least two of them; got only 0$"),
        ([0.0, 0.5], r"the target 'x' must hold classes, such as .*; got the number 0\.5"),
        ([0.0, np.inf], "the target 'x' must hold classes, such as .*; got the number inf"),
        (range(300), "the target 'x' must hold classes; got 300 distinct values in 300 rows"),
    ],
)
def test_what_is_no_class(values, message):
    with pytest.raises(ValueError, match=message):
        class_labels(column(values))


@pytest.mark.parametrize(
    ("known", "cells", "expected"),
    [
        ([1, 2], "2 1.0 x", [2, 1, "x"]),
        ([0.5, 2.0], "2 0.50 .5 1", [2, 0.5, 0.5, 1]),
        ([False, True], "true FALSE 1 0 x", [True, False, True, False, "x"]),
        ([2, "a"], "2 a 2.0 b", [2, "a", "2.0", "b"]),
        (["1", "2"], "2 1 01", ["2", "1", "01"]),
    ],
)
def test_values_have_the_type_of_those_known(known, cells, expected):
    assert known_values(column([*cells.split(), None]), known).tolist()[:-1] == expected


@pytest.mark.parametrize("values", [[2, 7], [2.0, 7.0], pd.array([2, 7], "Int64"), pd.Categorical([2, 7])])
def test_numbers_are_text_if_text_is_known(values):
    assert known_values(column(values), ["1", "2"]).tolist() == ["2", "7"]


LONG = "7" * 100_000


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (finite_numbers, ["1", LONG]),
        (feature, ["1", "2", "3", LONG]),
        (class_labels, [LONG, LONG]),
    ],
)
def test_a_long_cell_is_quoted_in_part(make, values):
    with pytest.raises(ValueError, match=r"'7{60,}\.\.\.7+'") as raised:
        make(column(values))
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1e20, 2e20, 1e20], "float64"),
        ([decimal.Decimal(2**53), decimal.Decimal(2**53 + 1)], object),
        ([float(2**53), 1.0], "float64"),
    ],
)
def test_numbers_that_may_stand_for_several_are_no_classes(values, dtype):
    with pytest.raises(ValueError, match=r"must hold classes, such as text or integers; got the number"):
        class_labels(column(values, dtype))


@pytest.mark.parametrize("labels", [[2**53, 2**53 + 1], [-(2**63), 2**63 - 1], [3, 2**64 - 1]])
def test_large_integers_are_classes_and_stay_apart(labels):
    assert class_labels(column(labels)).tolist() == labels
    assert known_values(column(list(map(str, labels))), labels).tolist() == labels
