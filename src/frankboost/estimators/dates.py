"""Columns of dates as numbers: days since 1970-01-01 in UTC, with the time of the day as a fraction.

So does the command line. A moment without a time zone counts as UTC; what is below a microsecond is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from frankboost.typing import Floats

DAY = 86_400_000_000  # in microseconds


def with_days(X: Any) -> Any:
    """A table with its columns of dates as numbers; tables without such columns stay as they are."""
    for f, dtype in enumerate(getattr(X, "dtypes", ())):
        if "date" in str(dtype).lower():
            column = _safe_indexing(X, f, axis=1)
            if hasattr(X, "iloc"):  # pandas
                X = X.copy(deep=False)
                X.isetitem(f, days(column))
            else:
                X = X.with_columns(type(column)(column.name, days(column)))
    return X


def days(column: Any) -> Floats:
    """A column of dates of pandas or polars as days; NaN where one is missing."""
    if hasattr(column, "iloc"):
        zoned = getattr(column.dtype, "tz", None) is not None
        column = column.dt.tz_convert(None) if zoned else column.astype("datetime64[us]")
    return days_since_1970(column.to_numpy())


def days_since_1970(moments: NDArray[np.datetime64]) -> Floats:
    """Days; NaN where there is no moment."""
    exact = moments.astype("datetime64[us]")
    whole, rest = np.divmod(exact.astype(np.int64), DAY)
    return np.where(np.isnat(exact), np.nan, whole + rest / DAY)
