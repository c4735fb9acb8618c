"""Columns of dates as numbers: days since 1970-01-01 in UTC, with the time of the day as a fraction.

Dates in text files become moments first. A moment without a time zone counts as UTC. Moments are rounded down
to microseconds.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from frankboost.learners.tree_text import DAY
from frankboost.typing import Floats
from frankboost.validation import quoted

EXAMPLE = "2024-12-31 or 2024-12-31T23:59"
HOURS = r"(?:[01]\d|2[0-3])"
DATE, TIME = r"(?!0000)\d{4}-\d\d-\d\d", rf"{HOURS}:\d\d"  # no calendar that Python knows has a year 0
PARTS = rf"{DATE}(?:[T ]{TIME}(?::\d\d(?:\.\d{{1,9}})?)?(?:Z|[+-]{HOURS}:?[0-5]\d)?)?"
PLAIN = rf"{DATE}(?:[T ]{TIME}(?::\d\d(?:\.\d{{1,6}})?)?)?"
TYPES = ("date", "datetime", "datetime64")  # what pandas calls them


def with_days(X: Any) -> Any:
    """A table with its columns of dates as numbers; tables without such columns stay as they are."""
    if isinstance(X, np.ndarray) and X.dtype.kind == "M":
        return days_since_1970(X)
    for f in date_columns(X):
        column = _safe_indexing(X, f, axis=1)
        if hasattr(X, "iloc"):  # pandas
            X = X.copy(deep=False)
            X.isetitem(f, days(column))
        else:
            X = X.with_columns(type(column)(column.name, days(column)))
    return X


def date_columns(X: Any) -> list[int]:
    """The numbers of the columns of a data frame that hold dates."""
    return [f for f, dtype in enumerate(getattr(X, "dtypes", ())) if _holds_dates(X, f, dtype)]


def _holds_dates(X: Any, f: int, dtype: Any) -> bool:
    if str(dtype) == "object" and hasattr(X, "iloc"):  # so pandas reads dates from Parquet files
        present = X.iloc[:, f].dropna()
        return len(present) > 0 and all(isinstance(value, date) for value in present)
    return str(dtype).lower().startswith(("date", "timestamp"))


def days(column: Any) -> Floats:
    """A column of dates of pandas or polars as days; NaN where one is missing."""
    naive = isinstance(column.dtype, np.dtype) and column.dtype.kind == "M"
    if hasattr(column, "iloc") and not naive:
        column = column.astype("datetime64[us, UTC]").dt.tz_convert(None)
    return days_since_1970(column.to_numpy())


def days_since_1970(moments: NDArray[np.datetime64]) -> Floats:
    """Days since 1970-01-01; NaN where the value is missing."""
    exact = moments.astype("datetime64[us]")
    whole, rest = np.divmod(exact.astype(np.int64), DAY)
    return np.where(np.isnat(exact), np.nan, whole + rest / DAY)


def reads_as_dates(column: Any) -> bool:
    """Whether all of a column that is not missing are dates, or text that reads as dates."""
    from pandas.api.types import infer_dtype  # noqa: PLC0415 - an extra

    kind = infer_dtype(column) if str(column.dtype) != "category" else "categorical"
    if kind in TYPES:
        return True
    present = column.dropna()
    if kind != "string" or not present.iloc[:100].str.fullmatch(PARTS).all():
        return False
    return not np.isnat(_moments(present)).any()


def moments(column: Any) -> Any:
    """A column of dates, or of text that reads as dates, as moments in UTC; NaT is missing."""
    if str(column.dtype).startswith("datetime64"):
        return column
    text = column.map(lambda each: each.isoformat() if hasattr(each, "isoformat") else str(each))
    found = np.full(len(column), np.datetime64("NaT", "us"))
    present = column.notna().to_numpy()
    found[present] = _moments(text[present].astype(str))
    check_cells(column, present & np.isnat(found), f"a date such as {EXAMPLE}")
    return type(column)(found, index=column.index, name=column.name)


def check_cells(column: Any, wrong: Any, what: str) -> None:
    """Raise a ValueError for the first cell that is not what it should be."""
    if wrong.any():
        row = int(np.argmax(wrong))
        where, value = f"row {row + 1}, column {quoted(column.name)}", quoted(column.tolist()[row])
        raise ValueError(f"{where}: {value} is not {what}")


def is_date(value: Any) -> bool:
    """Whether a value is text that reads as a date."""
    return isinstance(value, str) and not np.isnat(_moment(value))


def _moments(text: Any) -> NDArray[np.datetime64]:
    """The moments of cells, NaT where one is no date."""
    if text.str.fullmatch(PLAIN).all():  # which NumPy reads as it is
        with suppress(ValueError):
            return np.array(text.tolist(), dtype="datetime64[us]")
    return np.array([_moment(each) for each in text], dtype="datetime64[us]")


def _moment(text: str) -> np.datetime64:
    """A moment in UTC; NaT for what is none, such as 30 February."""
    try:
        local = datetime.fromisoformat(text if re.fullmatch(PARTS, text) else "")
    except ValueError:
        return np.datetime64("NaT", "us")
    east = local.utcoffset() or timedelta(0)
    return np.datetime64(local.replace(tzinfo=None), "us") - np.timedelta64(east, "us")
