"""Checks of settings, and errors that name the argument, the value and what is allowed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from numbers import Integral, Real
from typing import Any

MOST_QUOTED = 100  # characters of a value in an error
ARRAY = re.compile(r":?\n(array=)?\[.*\]\.?(\n|$)", re.DOTALL)  # in errors of scikit-learn


def quoted(value: object) -> str:
    """A value as an error shows it: of an array the shape, and no more than both ends of a long text."""
    shape = getattr(value, "shape", ())
    text = f"{type(value).__name__} of shape {shape}" if shape else repr(value)
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 30]}...{text[-20:]}"


def needed(module: str, what: str, extra: str) -> Any:
    """A module of an extra, or an error that says what needs it and how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f'{what} {package}: pip install "frankboost[{extra}]"') from error


@contextmanager
def naming(name: str, allowed: str) -> Iterator[None]:
    """Make errors of other libraries within say which argument they are about, and what it must hold."""
    try:
        yield
    except Exception as error:
        if isinstance(error, TypeError | ValueError) and re.search(rf"\b{name}\b", str(error)):
            raise
        of_polars = type(error).__module__.startswith("polars")  # which has exceptions of its own
        if not isinstance(error, TypeError | ValueError | OverflowError) and not of_polars:
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold {allowed}: {ARRAY.sub('. ', str(error)).strip()}") from error


def check_count(
    name: str, value: object, *, at_least: int, at_most: int | None = None, or_none: bool = False
) -> None:
    """Raise unless `value` is an integer in the range."""
    span = f"an integer >= {at_least}" if at_most is None else f"an integer in [{at_least}, {at_most}]"
    allowed = span + (" or None" if or_none else "")
    if value is None and or_none:
        return
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be {allowed}; got {quoted(value)} of type {type(value).__name__}")
    if int(value) < at_least or (at_most is not None and int(value) > at_most):
        raise ValueError(f"{name} must be {allowed}; got {quoted(value)}")


def check_positive(
    name: str,
    value: object,
    *,
    at_most: float | None = None,
    or_none: bool = False,
    or_zero: bool = False,
    also: str = "",
) -> None:
    """Raise unless `value` is a finite number above 0, at most `at_most`; `also`: what else it may be."""
    least = ">= 0" if or_zero else "> 0"
    span = f"a finite number {least}" if at_most is None else f"a number in (0, {at_most:g}]"
    allowed = span + also + (" or None" if or_none else "")
    if value is None and or_none:
        return
    number = _real(name, value, allowed)
    if not ((number > 0.0 or (or_zero and number == 0.0)) and math.isfinite(number)) or (
        at_most is not None and number > at_most
    ):
        raise ValueError(f"{name} must be {allowed}; got {quoted(value)}")


def check_fraction(name: str, value: object) -> None:
    """Raise unless `value` is a number between 0 and 1."""
    allowed = "a number in (0, 1)"
    if not 0.0 < _real(name, value, allowed) < 1.0:
        raise ValueError(f"{name} must be {allowed}; got {quoted(value)}")


def check_word(name: str, value: object, words: Sequence[str]) -> None:
    """Raise a ValueError unless a value is one of some words."""
    if not isinstance(value, str) or value not in words:
        allowed = " or ".join(f'"{each}"' for each in words)
        raise ValueError(f"{name} must be {allowed}; got {quoted(value)}")


def _real(name: str, value: object, allowed: str) -> float:
    """The number, infinite if it is an integer too large for a float; raises if it is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be {allowed}; got {quoted(value)} of type {type(value).__name__}")
    try:
        return float(value)
    except OverflowError:
        return math.inf
