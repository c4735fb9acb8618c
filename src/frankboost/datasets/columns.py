"""Columns of data frames: classes to predict, features to fit to, and values such as a model knows."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.binning import MOST_CATEGORIES

MOST_ROWS_OF_ANYTHING = 20  # up to which a target may have a class for every second row
NUMERIC = ("boolean", "integer", "floating", "decimal", "empty")  # what pandas says that a column holds
FLAGS = {"false": False, "true": True, "0": False, "1": True}


def class_labels(column: Any) -> NDArray[Any]:
    """Classes: integers, whole numbers, bools or text."""
    if column.isna().any():
        raise ValueError(f"row {_first(column.isna())}: the target {column.name!r} has no value")
    y = np.array((column.astype(float) if _kind(column) == "decimal" else column).tolist())
    what = f"the target {column.name!r} must hold classes"
    odd = y[~np.isfinite(y) | (y != np.floor(y))] if y.dtype.kind == "f" else y[:0]
    if len(odd):
        raise ValueError(f"{what}, such as text or integers; got the number {odd[0]:g}")
    count = len(np.unique(y))
    if count < 2:
        raise ValueError(f"{what}, at least two of them; got only {y.tolist()[0]!r}")
    if count > len(y) / 2 and len(y) > MOST_ROWS_OF_ANYTHING:
        raise ValueError(f"{what}; got {count} distinct values in {len(y)} rows")
    return y


def feature(column: Any) -> Any:
    """Numbers, or categories if the column holds text."""
    if column.isna().all() or _kind(column) in NUMERIC:
        return finite_numbers(column)
    count = column.nunique()
    every = count == len(column) > 2
    if every or count > MOST_CATEGORIES:
        what = "another text in every row" if every else f"{count} different texts"
        present = column.dropna()
        example = next((each for each in present if _number(str(each)) == each), present.iloc[0])
        raise ValueError(
            f"column {column.name!r} holds {what}, such as {example!r}, which cannot be split by "
            f"categories (at most {MOST_CATEGORIES}); leave it out with {_to_ignore(column.name)}"
        )
    return column.astype("category")


def finite_numbers(column: Any) -> Any:
    """A column as finite numbers; NaN is missing."""
    numbers = _coerced(column)
    wrong = (numbers.isna() & column.notna()) | np.isinf(numbers)
    if wrong.any():
        row = _first(wrong)
        value = column.tolist()[row - 1]
        raise ValueError(f"row {row}, column {column.name!r}: {value!r} is not a finite number")
    return column.astype(float)  # to_numeric may be wrong in the last digit


def known_values(column: Any, known: Sequence[Any]) -> Any:
    """Values in the type of those that are known; what cannot be one stays text."""
    text = column.convert_dtypes().astype(object).map(str, na_action="ignore")  # 2, not 2.0
    return text.map(_reading(known), na_action="ignore")


def _reading(known: Sequence[Any]) -> Callable[[str], Any]:
    """From text to values such as those known; numbers are equal however they are written."""
    if all(isinstance(value, bool) for value in known):
        return lambda word: FLAGS.get(word.lower(), word)
    if all(isinstance(value, int | float) for value in known):
        return _number
    words = {str(value): value for value in known}
    return lambda word: words.get(word, word)


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def _kind(column: Any) -> str:
    """What a column holds, if a model can use it."""
    from pandas.api.types import infer_dtype  # noqa: PLC0415 - an extra

    categorical = str(column.dtype) == "category"
    kind: str = infer_dtype(column.cat.categories if categorical else column)
    if kind not in (*NUMERIC, "string"):
        raise ValueError(
            f"column {column.name!r} holds values of type {kind}; numbers, bools, text and categories can be "
            f"used, so leave it out with {_to_ignore(column.name)}, or convert it"
        )
    return "categorical" if categorical else kind


def _coerced(column: Any) -> Any:
    import pandas as pd  # noqa: PLC0415

    return pd.to_numeric(column.astype(object), errors="coerce").astype(float)


def _first(flags: Any) -> int:
    """The first row with a flag, counted from 1."""
    return int(np.argmax(flags)) + 1


def _to_ignore(name: str) -> str:
    """What to type to leave a column out."""
    return "--ignore " + shlex.quote(f'"{name}"' if "," in name else name)
