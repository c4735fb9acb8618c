"""Tables as numbers: a category is its place among those of its column, and a missing value is NaN."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_features, check_array

from frankboost.arrays import column_names, is_on_device, with_floats, within_shape
from frankboost.learners.rows import Rows, SparseRows
from frankboost.model import Categories
from frankboost.saying import say
from frankboost.tables.categories import (
    CategoryColumn,
    categorical_columns,
    category_column,
    checked_categories,
    columns_in_cells,
)
from frankboost.tables.dates import date_columns, with_days
from frankboost.typing import AnyArray, Flags, Floats, Precision
from frankboost.validation import naming

OTHERWISE = "convert it to one of these, or name it in categorical_features"
MOST_NAMED = 5  # columns in a message


@dataclass(frozen=True, eq=False)
class Encoding:
    """How tables with the columns of a fit become numbers."""

    categories: Categories  # in order; the keys are names of columns, or numbers in a table without names
    columns: Any  # the estimator that their number is noted in, and their names if any
    dates: Sequence[str] = ()  # the names of columns that were dates in the fit

    @classmethod
    def of(cls, categories: Categories, columns: Any, dates: Iterable[int]) -> Encoding:
        """The encoding of a fit; the columns numbered `dates` were dates, and are kept if they have names."""
        names = getattr(columns, "feature_names_in_", None)
        named = [] if names is None else [names[f] for f in sorted(dates)]
        return cls(categories, columns, [str(name) for name in named if name not in categories])

    @property
    def by_column(self) -> dict[int, NDArray[Any]]:
        """The categories by the number of the column."""
        place = {name: f for f, name in enumerate(getattr(self.columns, "feature_names_in_", ()))}
        return {place[key] if isinstance(key, str) else key: v for key, v in self.categories.items()}

    def __call__(self, X: Any) -> Floats:
        """X as numbers, if it has the columns of the fit; unknown categories are missing values."""
        X = checked_columns(self.columns, X, reset=False)
        if self.by_column:
            X = X.toarray() if issparse(X) else np.asarray(X) if isinstance(X, Rows) else X
        return self.filled(X, columns_in_cells(X, list(self.by_column)), "in the fit it held one of these")

    def filled(
        self, X: Any, columns: Mapping[int, CategoryColumn], otherwise: str, precision: Precision = np.float64
    ) -> AnyArray:
        """X as numbers, given its columns of categories; `otherwise` ends errors about columns of text."""
        if not columns:
            numbers: AnyArray = _numbers(X, otherwise, precision)
            return numbers
        filled = np.empty(X.shape)
        others = [f for f in range(filled.shape[1]) if f not in columns]
        if others:
            filled[:, others] = _numbers(_safe_indexing(X, others, axis=1), otherwise)
        for key, (f, known) in zip(self.categories, self.by_column.items(), strict=True):
            filled[:, f] = columns[f].places(key, known)
        return filled


def encoded(
    clf: Any, X: Any, categorical_features: Any, carries: Flags, also: Sequence[int] = ()
) -> tuple[AnyArray, Encoding]:
    """The X that `clf.fit` was given as numbers, and how other tables become numbers after it.

    The columns numbered `also` hold categories, too. The categories are those of the rows that carry weight:
    a row of weight 0 is as if absent. An array of float32 is not copied: in float64 it takes twice its
    memory, and the learners of trees convert column by column.
    """
    noted = copy.copy(clf)  # so that a fit that fails leaves the estimator as it was
    X = checked_columns(noted, X, reset=True)
    if len(carries) < 2:
        raise ValueError(f"X must have at least 2 rows; got {len(carries)} sample(s)")
    numbers = categorical_columns(X, categorical_features, also)
    if numbers and issparse(X):
        raise ValueError(f"X must be dense if columns are categorical; got a sparse matrix and {numbers!r}")
    if numbers and isinstance(X, Rows):
        X = np.asarray(X)
    columns = {f: category_column(X, f) for f in numbers}
    names = getattr(noted, "feature_names_in_", range(X.shape[1]))
    named = () if categorical_features is None else numbers
    categories = checked_categories(columns, names, carries, [*also, *named])
    encoding = Encoding.of(categories, noted, date_columns(X))
    return encoding.filled(X, columns, OTHERWISE, _precision(X)), encoding


def checked_columns(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as a data frame or an array of two dimensions, with its columns checked against the estimator's."""
    if isinstance(X, SparseRows):
        X = X.matrix
    if is_on_device(X):
        from frankboost.cuda import DeviceRows  # noqa: PLC0415  (an extra)

        X = DeviceRows.checked(X)
    if issparse(X):
        with naming("X", "numbers"):
            X = check_array(
                within_shape(X), accept_sparse=["csc", "csr"], dtype=np.float64, ensure_all_finite="allow-nan"
            )
    elif (
        not hasattr(X, "columns")
        and not isinstance(X, Rows)
        and not (isinstance(X, np.ndarray) and X.ndim == 2)
    ):
        kind = None if hasattr(X, "dtype") else object  # lists may mix numbers and strings
        with naming("X", "rows and columns"):
            X = check_array(X, dtype=kind, ensure_all_finite=False)
    _check_names(X)
    (_note_columns if reset else _check_columns)(estimator, X)
    return X


def _check_names(X: Any) -> None:
    names = Counter(name for name in column_names(X) if isinstance(name, Hashable))
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise ValueError(f"X must have columns of different names; {twice[0]!r} is the name of more than one")


def _note_columns(estimator: Any, X: Any) -> None:
    """Note in the estimator how many columns X has, and their names if all of them are text."""
    names = _feature_names(X)
    estimator.n_features_in_ = _num_features(X)
    if names is not None:
        estimator.feature_names_in_ = names
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def _check_columns(estimator: Any, X: Any) -> None:
    """Raise if X has not the columns that the estimator has noted, in their order.

    scikit-learn's own check is not asked: which data frames it reads names from depends on its version, and
    with polars' newest it may be none.
    """
    kind, fitted = type(estimator).__name__, getattr(estimator, "feature_names_in_", None)
    names = _feature_names(X)
    if names is not None and fitted is not None:
        if names.tolist() != fitted.tolist():
            raise ValueError(_difference(set(names), set(fitted)))
    elif names is not None:
        say(f"X has feature names, but {kind} was fitted without feature names", UserWarning)
    elif fitted is not None:
        say(f"X does not have valid feature names, but {kind} was fitted with feature names", UserWarning)
    count, expected = _num_features(X), estimator.n_features_in_
    if count != expected:
        raise ValueError(f"X has {count} features, but {kind} is expecting {expected} features as input.")


def _feature_names(X: Any) -> NDArray[np.object_] | None:
    """The names of the columns, or None if they have none that are text."""
    names = column_names(X)
    kinds = {type(name) for name in names}
    if str not in kinds:
        return None
    if len(kinds) > 1:
        found = sorted(kind.__qualname__ for kind in kinds)
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{found} as feature name / column name types: make all of them text, or none of them"
        )
    return np.array(names, dtype=object)


def _difference(names: set[str], fitted: set[str]) -> str:
    """What scikit-learn says of names that are not those of the fit; its own tests ask for the words."""
    message = "The feature names should match those that were passed during fit.\n"
    if unseen := names - fitted:
        message += f"Feature names unseen at fit time:\n{_listed(unseen)}"
    if missing := fitted - names:
        message += f"Feature names seen at fit time, yet now missing:\n{_listed(missing)}"
    if names == fitted:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def _listed(names: Iterable[str]) -> str:
    names = sorted(names)
    shown = [*names[:MOST_NAMED], *["..."] * (len(names) > MOST_NAMED)]
    return "".join(f"- {name}\n" for name in shown)


def _numbers(X: Any, otherwise: str, precision: Precision = np.float64) -> Any:
    """X as numbers; the error names the first column of a data frame that holds something else."""
    if isinstance(X, Rows):
        return X
    if issparse(X):
        return SparseRows(X)
    if hasattr(X, "columns") and X.shape[1] == 0:
        raise ValueError("X must have at least 1 column; got a data frame with 0 columns")
    X = with_floats(with_days(X))
    for f, dtype in enumerate(getattr(X, "dtypes", ())):
        if not _holds_numbers(X, f, dtype):
            raise ValueError(
                f"column {X.columns[f]!r} of X must hold numbers or dates; it is of type {dtype}: {otherwise}"
            )
    quiet = np.errstate(over="ignore", invalid="ignore")  # scikit-learn adds all numbers up
    with naming("X", "numbers, or be a data frame"), quiet:
        numbers: AnyArray = check_array(
            X, dtype=precision, ensure_all_finite="allow-nan", input_name="X", ensure_min_samples=0
        )
    return numbers


def _precision(X: Any) -> Precision:
    """float32 if all of X is of that type, else float64."""
    types = {str(each) for each in getattr(X, "dtypes", [getattr(X, "dtype", None)])}
    return np.float32 if types == {"float32"} else np.float64


def _holds_numbers(X: Any, f: int, dtype: Any) -> bool:
    try:
        kind = getattr(dtype, "kind", "O")
        if kind == "m" or str(dtype).startswith("Duration"):
            return False  # of which unit?
        if kind not in "biuf":
            column = _safe_indexing(X, [f], axis=1)
            check_array(column, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=0)
    except (TypeError, ValueError):
        return False
    return True
