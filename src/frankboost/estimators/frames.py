"""Tables with categorical columns, as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples, check_array, validate_data

from frankboost.learners.binning import MOST_CATEGORIES

Floats = NDArray[np.float64]
Categories = Mapping[str | int, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Column:
    """A column as numbers of distinct values, -1 where one is missing."""

    code: NDArray[np.intp]
    values: list[Any]

    def present(self, carries: NDArray[np.bool_]) -> list[Any]:
        """The values of the rows that carry weight, in order."""
        seen = np.unique(self.code[carries & (self.code >= 0)])
        return [self.values[k] for k in seen]

    def numbers(self, categories: NDArray[Any]) -> Floats:
        """The place of each value among the categories, NaN if it has none."""
        place = {category: float(k) for k, category in enumerate(categories.tolist())}
        known = np.array([place.get(value, np.nan) for value in self.values] + [np.nan])
        numbers: Floats = known[self.code]  # -1 is the last
        return numbers


def training_rows(
    estimator: Any, X: Any, categorical_features: Any, weights: Callable[[int], Floats]
) -> tuple[Floats, dict[str | int, NDArray[Any]]]:
    """X as numbers and its categories by column; sets the estimator's feature names and count.

    The categories are those of the rows with weight: a row of weight 0 is as if absent.
    """
    columns = categorical_columns(X, categorical_features)
    if not columns:
        with _telling_of_text(X, columns):
            return _plain_rows(estimator, X, reset=True), {}
    validate_data(estimator, X, skip_check_array=True)
    X = _table(X)
    if _num_samples(X) < 2:
        raise ValueError(f"X must have at least 2 rows; got {_num_samples(X)}: a minimum of 2 is required")
    carries = weights(_num_samples(X)) > 0.0
    names = getattr(estimator, "feature_names_in_", None)
    categories: dict[str | int, NDArray[Any]] = {}
    for f in columns:
        key = f if names is None else str(names[f])
        categories[key] = category_array(_column(X, f).present(carries))
        if len(categories[key]) > MOST_CATEGORIES:
            raise ValueError(
                f"column {key!r} must have at most {MOST_CATEGORIES} categories to be split by them; "
                f"got {len(categories[key])}"
            )
    with _telling_of_text(X, columns):
        return _encoded(X, columns, list(categories.values())), categories


def rows_to_predict(estimator: Any, X: Any) -> Floats:
    """X as numbers, by the categories that were fitted; others are missing values."""
    return encoder(estimator, estimator.categories_)(X)


def encoder(estimator: Any, categories: Categories) -> Callable[[Any], Floats]:
    """The function from tables with the estimator's columns and these categories to numbers."""
    columns = encoded_columns(estimator, categories)

    def encode(X: Any) -> Floats:
        if not columns:
            return _plain_rows(estimator, X, reset=False)
        validate_data(estimator, X, reset=False, skip_check_array=True)
        return _encoded(_table(X), columns, list(categories.values()))

    return encode


def encoded_columns(estimator: Any, categories: Categories) -> list[int]:
    """The numbers of the columns that hold categories."""
    names = list(getattr(estimator, "feature_names_in_", []))
    return [names.index(key) if isinstance(key, str) else key for key in categories]


def categorical_columns(X: Any, categorical_features: Any) -> list[int]:
    """The numbers of the columns that `categorical_features` means."""
    if categorical_features is None:
        return _declared(X)
    if isinstance(categorical_features, str) or np.ndim(categorical_features) != 1:
        raise _error(f"got {categorical_features!r}")
    given = list(categorical_features)
    if not given:
        return []
    n = _count_columns(X)
    if all(isinstance(each, bool | np.bool_) for each in given):
        if len(given) != n:
            raise _error(f"a mask must have one entry for each of the {n} columns; got {len(given)}")
        return [f for f in range(n) if given[f]]
    return sorted({_number(each, X, n) for each in given})


def _error(what: str) -> ValueError:
    return ValueError(
        "categorical_features must be None or a list of column names, a list of column numbers or a mask; "
        + what
    )


def _number(column: Any, X: Any, n: int) -> int:
    if isinstance(column, str):
        names = [str(name) for name in getattr(X, "columns", [])]
        if column not in names:
            known = f"X has {', '.join(map(repr, names))}" if names else "X has no column names"
            raise _error(f"got {column!r}, but {known}")
        return names.index(column)
    if isinstance(column, bool | np.bool_) or not isinstance(column, int | np.integer):
        raise _error(f"got {column!r} among them")
    if not 0 <= column < n:
        raise _error(f"numbers must be in [0, {n - 1}]; got {column}")
    return int(column)


def _declared(X: Any) -> list[int]:
    """The columns of a data frame whose type says that they hold categories."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes"):  # pandas
        return [f for f, dtype in enumerate(X.dtypes) if str(dtype) == "category"]
    if hasattr(X, "columns") and isinstance(getattr(X, "schema", None), Mapping):  # polars
        kinds = [type(dtype).__name__ for dtype in X.schema.values()]
        return [f for f, kind in enumerate(kinds) if kind in ("Categorical", "Enum")]
    return []


def _count_columns(X: Any) -> int:
    shape = X.shape if hasattr(X, "shape") else np.asarray(X, dtype=object).shape
    if len(shape) != 2:
        raise ValueError(f"X must be a table, of 2 dimensions; got shape {tuple(shape)}")
    return int(shape[1])


def _plain_rows(estimator: Any, X: Any, *, reset: bool) -> Floats:
    least = {"ensure_min_samples": 2} if reset else {}
    rows: Floats = validate_data(
        estimator, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan", **least
    )
    return rows


@contextmanager
def _telling_of_text(X: Any, columns: Sequence[int]) -> Iterator[None]:
    """If there are no numbers in it, name the first column of a data frame that is the reason."""
    others = [(name, column) for f, (name, column) in enumerate(_named_columns(X)) if f not in columns]
    try:
        if any(_holds_dates(column) for _, column in others):
            raise TypeError("dates are not numbers")  # though NumPy would count its units
        yield
    except (TypeError, ValueError) as error:
        for name, column in others:
            if not _holds_numbers(column):
                raise ValueError(
                    f"column {name!r} of X must hold numbers; it is of type {column.dtype}: "
                    "make it a category, or name it in categorical_features"
                ) from error
        raise


def _named_columns(X: Any) -> list[tuple[Any, Any]]:
    """The columns of a data frame; of others there are none with names."""
    if hasattr(X, "columns") and hasattr(X, "iloc"):  # pandas
        return [(name, X.iloc[:, f]) for f, name in enumerate(X.columns)]
    if hasattr(X, "columns") and isinstance(getattr(X, "schema", None), Mapping):  # polars
        return [(name, X[name]) for name in X.columns]
    return []


def _holds_dates(column: Any) -> bool:
    return "date" in str(column.dtype).lower()


def _holds_numbers(column: Any) -> bool:
    if _holds_dates(column):
        return False
    try:
        if hasattr(column, "iloc"):
            column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True


def _table(X: Any) -> Any:
    """X as a data frame or an array of two dimensions; lists may mix numbers and strings."""
    if hasattr(X, "columns"):
        return X
    kind = None if hasattr(X, "dtype") else object
    return check_array(X, dtype=kind, ensure_all_finite=False)


def _encoded(X: Any, columns: Sequence[int], categories: Sequence[NDArray[Any]]) -> Floats:
    rows, n = _num_samples(X), _count_columns(X)
    encoded = np.empty((rows, n))
    numeric = [f for f in range(n) if f not in columns]
    if numeric:
        part = X.iloc[:, numeric] if hasattr(X, "iloc") else X[:, numeric]
        encoded[:, numeric] = check_array(part, dtype=np.float64, ensure_all_finite="allow-nan")
    for f, known in zip(columns, categories, strict=True):
        encoded[:, f] = _column(X, f).numbers(known)
    return encoded


def _column(X: Any, f: int) -> Column:
    """Column f of a table."""
    if hasattr(X, "iloc"):
        series = X.iloc[:, f]
        if str(series.dtype) == "category":
            return Column(series.cat.codes.to_numpy().astype(np.intp), series.cat.categories.tolist())
        if isinstance(series.dtype, np.dtype) and series.dtype.kind in "biuf":
            return _of_numbers(series.to_numpy())
        missing = series.isna().tolist()
        return _of_objects([None if m else v for v, m in zip(series.tolist(), missing, strict=True)])
    if hasattr(X, "columns"):
        series = X[:, f]
        declared = series.dtype.categories.to_list() if type(series.dtype).__name__ == "Enum" else None
        return _of_objects(series.to_list(), declared)
    return _of_numbers(X[:, f]) if X.dtype.kind in "biuf" else _of_objects(X[:, f].tolist())


def _of_numbers(values: NDArray[Any]) -> Column:
    distinct, code = np.unique(values, return_inverse=True)
    if values.dtype.kind == "f":
        code = np.where(np.isnan(distinct)[code], -1, code)
    return Column(code.astype(np.intp), distinct.tolist())


def _of_objects(values: list[Any], declared: list[Any] | None = None) -> Column:
    """In the declared order, else sorted."""
    present = [value is not None and value == value for value in values]  # noqa: PLR0124 - NaN is not itself
    if declared is None:
        declared = _sorted({value for value, there in zip(values, present, strict=True) if there})
    number = {value: k for k, value in enumerate(declared)}
    code = [number[value] if there else -1 for value, there in zip(values, present, strict=True)]
    return Column(np.array(code, dtype=np.intp), declared)


def _sorted(values: set[Any]) -> list[Any]:
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
