"""Columns of dates as numbers: days since 1970-01-01 in UTC, with the time of the day as a fraction.

The command line counts them in the same way. A moment without a time zone counts as UTC; what is below a
microsecond is left out.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from frankboost.typing import Floats

DAY = 86_400_000_000  # in microseconds


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
    """Days; NaN where there is no moment."""
    exact = moments.astype("datetime64[us]")
    whole, rest = np.divmod(exact.astype(np.int64), DAY)
    return np.where(np.isnat(exact), np.nan, whole + rest / DAY)
