"""Dates become days since 1970-01-01, however a file holds them."""

import datetime

import numpy as np
import pandas as pd
import pytest

from frankboost.tables.dates import days as days_of
from frankboost.tables.dates import moments, reads_as_dates
from tables.test_file_columns import column

nan = np.nan


def date_numbers(cells):
    """What a fit makes of the moments."""
    return days_of(moments(cells))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("1970-01-01", 0.0),
        ("1969-12-31", -1.0),
        ("2024-02-29", 19782.0),
        ("9999-12-31", 2932896.0),
        ("1970-01-02T12:00", 1.5),
        ("1970-01-02 06:00:00", 1.25),
        ("1970-01-01T00:00:00.5", 0.5 / 86400),
        ("1970-01-01T00:00:00.000001999", 1e-6 / 86400),
        ("1970-01-02T06:00Z", 1.25),
        ("1970-01-02T06:00+06:00", 1.0),
        ("1970-01-01T18:00-0530", 23.5 / 24),
        ("1970-01-01T00:00-00:30", 0.5 / 24),
    ],
)
def test_text_that_is_a_date(text, days):
    cells = column([text, None, text], "string")
    assert reads_as_dates(cells)
    np.testing.assert_array_equal(date_numbers(cells), [days, nan, days])


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2024-13-01", "24.12.2020", "12/24/2020", "20240101", "2024-01", "2024-01-01T25:00",
     "2024-01-01T12", "2024-01-01T12:305", "x2024-01-01", "soon"],
)  # fmt: skip
def test_text_that_is_none(text):
    cells = column(["2024-01-01", text])
    assert not reads_as_dates(cells)
    with pytest.raises(ValueError, match=r"row 2, column 'x': '.*' is not a date such as 2024-12-31 or"):
        date_numbers(cells)


@pytest.mark.parametrize(
    "values",
    [
        [datetime.date(2024, 1, 2), None],
        [datetime.datetime(2024, 1, 2), None],
        pd.to_datetime(["2024-01-02", None]),
        pd.to_datetime(["2024-01-02 05:00", None]).tz_localize("Asia/Karachi"),
        pd.to_datetime(["2024-01-02", None]).astype("datetime64[s]"),
    ],
)
def test_types_that_are_dates(values):
    assert reads_as_dates(column(values))
    np.testing.assert_array_equal(date_numbers(column(values)), [19724.0, nan])


@pytest.mark.parametrize("moment", ["2024-01-02T03:04:05.123456789", "1969-12-31T23:59:59.999999999"])
def test_a_type_and_its_text_are_the_same_days(moment):
    typed = column(pd.to_datetime([moment]).as_unit("ns"))
    days = date_numbers(column([moment]))
    np.testing.assert_array_equal(date_numbers(typed), days)
    np.testing.assert_array_equal(date_numbers(typed.dt.tz_localize("UTC")), days)
    np.testing.assert_array_equal(date_numbers(column([moment, moment[:-3]]))[1:], days)


@pytest.mark.parametrize("values", [[1, 2], ["a", None], [None, None], [True, False], [1.5, nan]])
def test_types_that_are_none(values):
    assert not reads_as_dates(column(values))
    assert not reads_as_dates(column(["2024-01-02", "2024-01-03"], "category"))
