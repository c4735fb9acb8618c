"""Dates as numbers: days since 1970-01-01 in UTC, with the time of the day as a fraction.

A moment without an offset counts as UTC. Digits below a microsecond are left out.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from frankboost.tables.dates import days, days_since_1970
from frankboost.tables.quoting import quoted
from frankboost.typing import Floats

EXAMPLE = "2024-12-31 or 2024-12-31T23:59"
DAY, TIME = r"(?!0000)\d{4}-\d\d-\d\d", r"\d\d:\d\d"  # no calendar that Python knows has a year 0
OFFSET = r"([+-](?:[01]\d|2[0-3])):?([0-5]\d)"
PARTS = rf"({DAY})(?:[T ]({TIME})(?::(\d\d)(?:\.(\d{{1,9}}))?)?(?:Z|{OFFSET})?)?"
PLAIN = rf"{DAY}(?:[T ]{TIME}(?::\d\d(?:\.\d{{1,6}})?)?)?"
TYPES = ("date", "datetime", "datetime64")  # what pandas calls them


def holds_dates(column: Any) -> bool:
    """Whether all of a column that is not missing are dates, or text that reads as dates."""
    from pandas.api.types import infer_dtype  # noqa: PLC0415 - an extra

    kind = infer_dtype(column) if str(column.dtype) != "category" else "categorical"
    if kind in TYPES:
        return True
    present = column.dropna()
    if kind != "string" or not present.iloc[:100].str.fullmatch(PARTS).all():
        return False
    return not np.isnan(_days(present)).any()


def date_numbers(column: Any) -> Any:
    """A column of dates, or of text that reads as dates, as days; NaN is missing."""
    if str(column.dtype).startswith("datetime64"):
        return type(column)(days(column), index=column.index, name=column.name)
    text = column.map(lambda each: each.isoformat() if hasattr(each, "isoformat") else str(each))
    found = np.full(len(column), np.nan)
    present = column.notna().to_numpy()
    found[present] = _days(text[present].astype(str))
    wrong = present & np.isnan(found)
    if wrong.any():
        row = int(np.argmax(wrong))
        where, value = f"row {row + 1}, column {quoted(column.name)}", quoted(column.tolist()[row])
        raise ValueError(f"{where}: {value} is not a date such as {EXAMPLE}")
    return type(column)(found, index=column.index, name=column.name)


def _days(text: Any) -> Floats:
    """The days of cells, NaN where one is no date."""
    if text.str.fullmatch(PLAIN).all():  # which NumPy reads as it is
        with suppress(ValueError):
            return days_since_1970(np.array(text.tolist(), dtype="datetime64[us]"))
    parts = text.str.extract(f"^{PARTS}$")
    day, time, second, fraction, hours, minutes = (parts[k] for k in range(6))
    written = day + "T" + time.fillna("00:00") + ":" + second.fillna("00")
    written += "." + fraction.fillna("0").str.pad(6, side="right", fillchar="0").str[:6]
    moment = np.array([_moment(each) for each in written], dtype="datetime64[us]")
    east = hours.fillna("+00").astype(int).to_numpy() * 60
    sign = np.where(hours.fillna("+00").str.startswith("-"), -1, 1)
    offset = east + sign * minutes.fillna("0").astype(int).to_numpy()
    return days_since_1970(moment - offset.astype("timedelta64[m]"))


def _moment(text: Any) -> np.datetime64:
    """A moment; NaT for what is none, such as 30 February."""
    try:
        return np.datetime64(text, "us")
    except (TypeError, ValueError):
        return np.datetime64("NaT", "us")
