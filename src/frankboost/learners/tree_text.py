"""Numbers, dates and indents in the text of a tree."""

from __future__ import annotations

import numpy as np

MOST_INDENTED = 50  # levels that are indented: else the text of a chain grows with the square of its length
MOST_PLAIN = 1e6  # numbers below this are as short without a power of ten
MOST_DAYS = 3e6  # days after 1970 up to which dates are printed: beyond the year 9999
DAY, MINUTES = 86_400_000_000, 1440  # in microseconds; in a day


def indent(level: int) -> str:
    """The spaces at the beginning of a line, and the number of the level if it is very deep."""
    return "  " * min(level, MOST_INDENTED) + (f"{level}: " if level > MOST_INDENTED else "")


def number_text(number: float, digits: int | None) -> str:
    """A number as text, with all digits or `digits` of them; without an exponent if it is not large."""
    if digits is None:
        return repr(number)
    short = f"{number:.{digits}g}"
    return f"{number:.0f}" if "e+" in short and abs(number) < MOST_PLAIN else short


def day_text(days: float, digits: int | None) -> str:
    """Days since 1970-01-01 as a date, with the time of the day unless it is midnight.

    The time is rounded to the minute. If `digits` is None, it is not rounded, and the text is a number if no
    date equals the days exactly.
    """
    if not abs(days) < MOST_DAYS:
        return number_text(days, digits)
    moment = np.datetime64(round(days * DAY), "us")
    if digits is not None:
        moment = np.datetime64(round(days * MINUTES), "m")
    elif float(moment.astype(np.int64)) / DAY != days:
        return number_text(days, digits)
    day, _, clock = str(moment).partition("T")
    clock = clock.removesuffix(":00.000000").removesuffix(".000000")
    return day if clock == "00:00" else f"{day} {clock}"


def one_line(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())
