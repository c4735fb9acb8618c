"""Columns of categories: find them, and convert their values to numbers.

They are numbered here and not by scikit-learn's OrdinalEncoder, which forgets the order that a data frame
declares, refuses columns of mixed types or without values, and takes fifty times as long for columns that
pandas has numbered already.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from frankboost.arrays import column_names
from frankboost.native import MOST_CATEGORIES
from frankboost.saying import say
from frankboost.tables.dates import is_date
from frankboost.typing import Flags, Floats, Indices
from frankboost.validation import quoted

CATEGORY_TYPES = ("CategoricalDtype", "Categorical", "Enum")  # of pandas and of polars
A_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*", re.IGNORECASE)
FEW_ROWS = 64  # that are read cell by cell
FEW = 10  # distinct numbers in text: as many levels may have such names
TEXT_TYPES = re.compile(r"(large_)?str(ing)?(\[.*\])?")  # of pandas, pyarrow and polars


@dataclass(frozen=True, eq=False)
class CategoryColumn:
    """A column as indices into its distinct values, -1 for a missing value."""

    code: Indices
    values: list[Any]
    declared: bool  # whether the order of the values is one that the table declares

    def categories(self, carries: Flags) -> NDArray[Any]:
        """The values of the rows that carry weight, in the declared order or else sorted."""
        present = self.present(carries)
        return category_array(present if self.declared else in_order(present))

    def present(self, carries: Flags) -> list[Any]:
        """The values of the rows that carry weight."""
        return [self.values[k] for k in np.unique(self.code[carries & (self.code >= 0)])]

    def places(self, key: Any, categories: NDArray[Any]) -> Floats:
        """The place of each value among the categories of column `key`, NaN if it has none."""
        known = categories.tolist()
        expected, found = _kind(known), _kind(self.values)
        if {expected, found} == {"text", "numbers"}:
            must = f"must hold {expected}, such as {known[0]!r}, as in the fit"
            raise ValueError(f"column {key!r} of X {must}; got {found}, such as {self.values[0]!r}")
        place = {category: float(k) for k, category in enumerate(known)}
        places: Floats = np.array([place.get(value, np.nan) for value in self.values] + [np.nan])
        return places[self.code]  # -1 is the last

    def doubt(self, key: Any) -> str:
        """A warning if column `key` is text, but holds numbers or dates in most cells."""
        counts = np.bincount(self.code[self.code >= 0], minlength=len(self.values))
        taken = f"column {key!r} is split as categories, but holds"
        for reads, what, otherwise in READINGS:
            others = [k for k, each in enumerate(self.values) if not reads(each)]
            odd = int(counts[others].sum())
            if len(self.values) - len(others) < FEW or 2 * odd >= counts.sum():
                continue
            if not others:
                return f"{taken} {otherwise}"
            cells = "1 cell" if odd == 1 else f"{odd} cells"
            example = f"{cells}, such as {self.values[others[0]]!r}"
            return f"{taken} {what} except in {example}; make such cells missing values"
        return ""


def _kind(values: list[Any]) -> str:
    """Text or numbers, if all values are of one kind."""
    kinds = {
        "text" if isinstance(each, str) else "numbers" if isinstance(each, Real) else "" for each in values
    }
    return kinds.pop() if len(kinds) == 1 else ""


def _reads_as_number(value: Any) -> bool:
    return not isinstance(value, str) or A_NUMBER.fullmatch(value) is not None


READINGS = (
    (_reads_as_number, "numbers", "only numbers; convert it to numbers"),
    (is_date, "dates", "dates as text; convert it with pandas.to_datetime"),
)


def category_column(X: Any, f: int) -> CategoryColumn:
    """Column f of a data frame or an array."""
    if column_names(X) and not hasattr(X, "dtypes"):
        what = f"got a {type(X).__name__} with categories in column {f}"
        raise ValueError(f"X must be an array or a data frame of pandas or polars to hold categories; {what}")
    try:
        return _category_column(X, f)
    except TypeError as error:
        raise TypeError(
            f"X must hold values that can be hashed in its categorical column {f}: {error}"
        ) from error


def columns_in_cells(X: Any, numbers: Sequence[int]) -> dict[int, CategoryColumn]:
    """Columns of a data frame whose values are to be looked up among known categories.

    The order of the values is not that of the frame. Few rows of pandas are read cell by cell: even for a
    single row, pandas' own numbering takes a millisecond or two per column.
    """
    if hasattr(X, "iloc") and len(X) <= FEW_ROWS:
        cells = X.iloc[:, list(numbers)].to_numpy(dtype=object, na_value=None)
        with suppress(TypeError):  # a cell that cannot be hashed, which is told of its column
            return {f: _numbered(column.tolist()) for f, column in zip(numbers, cells.T, strict=True)}
    return {f: category_column(X, f) for f in numbers}


def _category_column(X: Any, f: int) -> CategoryColumn:
    column = _safe_indexing(X, f, axis=1)
    if hasattr(X, "iloc"):  # pandas
        numbered = column.astype("category").cat
        code, values = numbered.codes.to_numpy().astype(np.intp), numbered.categories.tolist()
        return CategoryColumn(code, values, declared=str(column.dtype) == "category")
    if hasattr(X, "columns"):  # polars
        declared = column.dtype.categories.to_list() if type(column.dtype).__name__ == "Enum" else ()
        return _numbered(column.to_list(), declared)
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "biuf":
        return _numbered(column.tolist())
    values, code = np.unique(column, return_inverse=True)
    is_number = values == values  # noqa: PLR0124 - NaN, which is the last
    return CategoryColumn(np.where(is_number[code], code, -1), values[is_number].tolist(), declared=False)


def _numbered(values: list[Any], declared: Sequence[Any] = ()) -> CategoryColumn:
    number = {value: k for k, value in enumerate(declared)}
    code = [
        -1 if value is None or value != value else number.setdefault(value, len(number))  # noqa: PLR0124 - NaN
        for value in values
    ]
    return CategoryColumn(np.array(code, dtype=np.intp), list(number), bool(declared))


def checked_categories(
    columns: Mapping[int, CategoryColumn], names: Sequence[Any], carries: Flags, named: Collection[int]
) -> dict[Any, NDArray[Any]]:
    """The categories of columns by name; those that nobody has named may be meant as numbers or dates."""
    categories = {names[f]: column.categories(carries) for f, column in columns.items()}
    doubts = {names[f]: column.doubt(names[f]) for f, column in columns.items() if f not in named}
    check_categories(categories, doubts)
    for f, column in columns.items():
        if not column.declared and (what := doubts.get(names[f])):
            say(f"{what}, or name the column in categorical_features", UserWarning)
    return categories


def check_categories(categories: Mapping[Any, NDArray[Any]], doubts: Mapping[Any, str] | None = None) -> None:
    """Raise for a column that has too many; a doubt whether it holds categories at all says why."""
    for key, values in categories.items():
        if len(values) > MOST_CATEGORIES:
            if what := (doubts or {}).get(key):
                raise ValueError(what)
            raise ValueError(
                f"column {key!r} must have at most {MOST_CATEGORIES} categories to be split by them; "
                f"got {len(values)}, such as {reprlib.repr(values.tolist()[0])}: "
                "leave the column out, convert it to numbers or dates, or merge categories"
            )


def in_order(values: list[Any]) -> list[Any]:
    """Values sorted, of whatever types they are."""
    try:
        return sorted(values)
    except TypeError:  # of several types
        return sorted(values, key=lambda value: (type(value).__name__, str(value)))


def category_array(values: list[Any]) -> NDArray[Any]:
    """An array whose `tolist` gives the values again."""
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and kinds <= {int, float, bool}:
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def categorical_columns(X: Any, categorical_features: Any, also: Sequence[int] = ()) -> list[int]:
    """The numbers of the columns of categories, from `categorical_features` and the types of the columns.

    None means those of a data frame that are of a type of categories or of text, or hold text.
    """
    if categorical_features is None:
        given = [f for f, dtype in enumerate(getattr(X, "dtypes", ())) if _holds_categories(X, f, dtype)]
    elif isinstance(categorical_features, str) or np.ndim(categorical_features) != 1:
        raise _wrong(f"got {quoted(categorical_features)}")
    else:
        given = list(categorical_features)
    n = X.shape[1]
    if given and all(isinstance(each, bool | np.bool_) for each in given):
        if len(given) != n:
            raise _wrong(f"a mask must have one entry for each of the {n} columns; got {len(given)}")
        given = np.flatnonzero(given).tolist()
    names = [str(name) for name in column_names(X)]
    return sorted({_number(each, names, n) for each in (*also, *given)})


def _holds_categories(X: Any, f: int, dtype: Any) -> bool:
    if type(dtype).__name__ in CATEGORY_TYPES or TEXT_TYPES.fullmatch(str(dtype).lower()):
        return True
    return is_object(dtype) and any(isinstance(value, str) for value in _safe_indexing(X, f, axis=1))


def is_object(dtype: Any) -> bool:
    """Whether a column of a type may hold anything, so that only its values tell what it holds."""
    return str(dtype).lower() == "object"


def _number(column: Any, names: list[str], n: int) -> int:
    if isinstance(column, str) and column in names:
        return names.index(column)
    if isinstance(column, int | np.integer) and not isinstance(column, bool) and 0 <= column < n:
        return int(column)
    known = f"the names {', '.join(map(repr, names))}" if names else "no names"
    raise _wrong(f"got {column!r}, but X has columns with the numbers 0 to {n - 1} and {known}")


def _wrong(what: str) -> ValueError:
    return ValueError(
        "categorical_features must be None or a list of column names, a list of column numbers or a mask; "
        + what
    )
