"""What a column of a file may hold: classes, numbers, categories, or values that a model knows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.native import MOST_CATEGORIES
from frankboost.tables.dates import EXAMPLE, check_cells
from frankboost.validation import quoted

MOST_ROWS_OF_ANYTHING = 20  # up to which a target may have a class for every second row
NUMERIC = ("boolean", "integer", "floating", "decimal", "empty")  # what pandas says that a column holds
MOST_EXACT = 2**53  # integers from there on may be equal as floats
INFINITE = (math.inf, -math.inf)
DATE_LIKE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}.*")
WITH_COMMAS = (
    r"[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?",
    r"[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?",
)  # 1.403,5; 1,403.5
FLAGS = {"false": False, "true": True, "0": False, "1": True}


def class_labels(column: Any) -> NDArray[Any]:
    """Classes: integers, whole numbers, bools or text."""
    missing = np.flatnonzero(column.isna()) + 1
    if len(missing):
        more = f", nor in {len(missing) - 1} more rows" if len(missing) > 1 else ""
        what = f"row {missing[0]}: the target {quoted(column.name)} has no value{more}"
        raise ValueError(f"{what}; remove {'these rows' if more else 'this row'} from the file")
    kind = _kind(column)
    labels = (column.astype(float) if kind == "decimal" else column).tolist()
    unsigned = kind == "integer" and max(labels) >= 2**63  # beside smaller ones NumPy makes floats of them
    y = np.array(labels, dtype=np.uint64 if unsigned else None)
    what = f"the target {quoted(column.name)} must hold classes"
    odd = y[~(np.abs(y) < MOST_EXACT) | (y != np.floor(y))] if y.dtype.kind == "f" else y[:0]
    if len(odd):
        raise ValueError(f"{what}, such as text or integers; got the number {odd[0]:g}")
    count = len(np.unique(y))
    if count < 2:
        raise ValueError(f"{what}, at least two of them; got only {quoted(y.tolist()[0])}")
    if count > len(y) / 2 and len(y) > MOST_ROWS_OF_ANYTHING:
        raise ValueError(f"{what}; got {count} distinct values in {len(y)} rows")
    return y


def feature(column: Any) -> Any:
    """Numbers, or categories if the column holds text."""
    if column.isna().all() or _kind(column) in NUMERIC:
        return finite_numbers(column)
    texts = column.dropna()
    if _has_commas(texts):
        example = next(each for each in texts if "," in str(each))
        what = f"holds numbers with commas, such as {quoted(example)}; write them like 1403.5"
        raise ValueError(f"column {quoted(column.name)} {what}")
    count = texts.nunique()
    all_differ = count == len(column) > 2
    if all_differ or count > MOST_CATEGORIES:
        what = "another text in every row" if all_differ else f"{count} different texts"
        example = next((each for each in texts if _number(str(each)) in (each, *INFINITE)), texts.iloc[0])
        hint = f"; a date is written like {EXAMPLE}" if DATE_LIKE.fullmatch(str(example)) else ""
        raise ValueError(
            f"column {quoted(column.name)} holds {what}, such as {quoted(example)}, which cannot be split by "
            f"categories (at most {MOST_CATEGORIES}){hint}"
        )
    column = column.astype("category")
    if any(isinstance(each, Decimal) for each in column.cat.categories):
        column = column.cat.rename_categories(float)  # which a model file can hold
    return column


def _has_commas(texts: Any) -> bool:
    """Whether texts are numbers that someone wrote with decimal commas, or with commas between thousands."""
    text = texts.astype(str)
    if not text.str.contains(",").any():
        return False
    return any(bool(text.str.fullmatch(form).all()) for form in WITH_COMMAS)


def finite_numbers(column: Any) -> Any:
    """A column as finite numbers; NaN is missing."""
    import pandas as pd  # noqa: PLC0415 - an extra

    numbers = pd.to_numeric(column.astype(object), errors="coerce").astype(float)
    check_cells(column, (numbers.isna() & column.notna()) | np.isinf(numbers), "a finite number")
    return column.astype(float)  # to_numeric may be wrong in the last digit


def known_values(column: Any, known: Sequence[Any]) -> Any:
    """Values in the type of those that are known; what cannot be one stays text."""
    text = column.convert_dtypes().astype(object).map(str, na_action="ignore")  # 2, not 2.0
    return text.map(reading(known), na_action="ignore")


def reading(known: Sequence[Any]) -> Callable[[str], Any]:
    """A function from text to values like the known ones; numbers are equal however they are written."""
    if all(isinstance(value, bool) for value in known):
        return lambda word: FLAGS.get(word.lower(), word)
    beyond = any(isinstance(value, int) and abs(value) >= MOST_EXACT for value in known)
    if not beyond and all(isinstance(value, int | float) for value in known):
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
            f"column {quoted(column.name)} holds values of type {kind}; numbers, bools, text and categories "
            "can be used"
        )
    return "categorical" if categorical else kind
