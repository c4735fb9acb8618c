"""The raw data that a certificate is checked against."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.arrays import column_names, with_floats, within_shape
from frankboost.certificate import CertificateError
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows that carry weight: numbers of classes, and weights s > 0 after those of the classes."""

    X: Floats
    code: Indices
    weight: Floats
    carries: Flags  # which of the given rows they are
    factors: Floats  # of class_weight, one per class
    features: Sequence[str | int]  # the names of the columns, or their numbers if they have none

    def carried(self, shares: Floats) -> Floats:
        """The shares of the rows that carry weight; the other given rows must have none."""
        check_nothing(shares[~self.carries])
        return shares[self.carries]


def check_nothing(shares: Floats) -> None:
    """Raise if rows without weight have a share of the distribution."""
    if outside := shares[shares != 0.0].tolist():
        raise CertificateError(f"distribution: claimed 0 on rows of weight 0, found {outside[0]!r}")


def checked_sample(
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    rows: int,
    model: Any,
    *,
    largest: tuple[float, float] | None = None,
) -> Sample:
    """Check the arguments of `verify` against the classes of the model and the rows it was fitted to.

    Where these are some of the rows, `largest` are the largest weights of all, before class weights and
    after, see `largest_weights`.
    """
    table = table_of(X, model)
    if table.ndim != 2 or len(table) != rows:
        raise ValueError(f"X must have the {rows} rows that the model was fitted to; got shape {table.shape}")
    classes = np.asarray(model.classes_).tolist()
    code, weight, carries = carrying(y, sample_weight, rows, classes)
    if not carries.any():
        raise ValueError("sample_weight must not be all zeros; no row would count")
    weight = _sized(weight, weight.max() if largest is None else largest[0])
    factors = _class_factors(code, weight, classes, getattr(model, "class_weight", None))
    with np.errstate(over="ignore", under="ignore"):
        weight = weight * factors[code]
    if not (np.isfinite(weight) & (weight > 0.0)).all():
        raise ValueError("sample_weight must hold numbers that class_weight makes neither 0 nor infinite")
    weight = _sized(weight, weight.max() if largest is None else largest[1])
    features = list(getattr(model, "feature_names_in_", range(table.shape[1])))
    return Sample(table[carries], code, weight, carries, factors, features)


def carrying(
    y: ArrayLike, sample_weight: ArrayLike | None, rows: int, classes: list[Any]
) -> tuple[Indices, Floats, Flags]:
    """The numbers of the classes and the weights of the rows that carry weight, and which these are."""
    labels = np.asarray(y)
    if labels.shape == (rows, 1):
        labels = labels[:, 0]
    if labels.shape != (rows,):
        raise ValueError(f"y must have one label for each of the {rows} rows; got shape {labels.shape}")
    weight = np.ones(rows) if sample_weight is None else _floats("sample_weight", sample_weight)
    if weight.shape != (rows,):
        raise ValueError(
            f"sample_weight must have one weight for each of the {rows} rows; got shape {weight.shape}"
        )
    if not (np.isfinite(weight) & (weight >= 0.0)).all():
        raise ValueError("sample_weight must hold finite numbers >= 0")
    carries = weight > 0.0
    return _codes(labels[carries].tolist(), classes), weight[carries], carries


def balanced(totals: Sequence[float], whole: float) -> Floats:
    """The factors that give all classes the same total, from the weight of each and that of all rows."""
    if not all(total > 0 for total in totals):
        raise ValueError("y must have rows of every class of the model; class_weight is 'balanced'")
    return whole / (len(totals) * np.array(totals))


def largest_weights(largest: Floats, factors: Floats) -> tuple[float, float]:
    """The largest weight before class weights and after, from that of each class and its factor."""
    before = float(largest.max())
    with np.errstate(over="ignore", under="ignore"):
        return before, float((_sized(largest, before) * factors).max())


def _sized(weight: Floats, largest: float) -> Floats:
    """Weights times a power of two, which changes no share, where their sums might overflow or vanish."""
    return np.ldexp(weight, -size_of(largest))


def size_of(largest: float) -> int:
    """The exponent that weights are to lose, if the largest of them is very large or small."""
    exponent = int(np.frexp(largest)[1]) if np.isfinite(largest) else 0
    return exponent if abs(exponent) >= 500 else 0


def table_of(X: Any, model: Any) -> Floats:
    """X as numbers, with each category as its place among those of the model; see `_numbered`."""
    _check_names(X, model)
    if hasattr(X, "toarray"):  # sparse: what is not stored is 0
        X = within_shape(X).toarray()
    categories = getattr(model, "categories_", None)
    if not categories and not (hasattr(X, "dtypes") and any(map(_holds_dates, _columns(X)))):
        return _floats("X", X)
    columns = _columns(X)
    names = list(getattr(model, "feature_names_in_", range(len(columns))))
    places = {names.index(key) if key in names else key: each for key, each in (categories or {}).items()}
    table = [
        _numbered(column, places[j]) if j in places else _floats("X", column)
        for j, column in enumerate(columns)
    ]
    return np.column_stack(table)


def _check_names(X: Any, model: Any) -> None:
    """Check that a data frame has the columns of the fit, in their order."""
    fitted = list(getattr(model, "feature_names_in_", []))
    given = column_names(X)
    if not fitted or not all(isinstance(name, str) for name in given):
        return
    for j, (expected, name) in enumerate(zip(fitted, given, strict=False)):
        if expected != name:
            raise ValueError(
                "X must have the columns of the fit, in their order; "
                f"column {j} must be {expected!r}; got {name!r}"
            )


def _columns(X: Any) -> list[Any]:
    """The columns of a data frame or of an array, as sequences."""
    if hasattr(X, "iloc"):
        return [X.iloc[:, j] for j in range(X.shape[1])]
    if hasattr(X, "columns"):
        return [X[name] for name in X.columns]
    cells = X if hasattr(X, "dtype") else np.asarray(X, dtype=object)
    if cells.ndim != 2:
        raise ValueError(f"X must be a table; got shape {cells.shape}")
    return list(cells.T)


def _numbered(column: Any, categories: Any) -> Floats:
    """The number of each value among the categories; NaN for a missing one, infinite for one not there."""
    values = column.to_list() if hasattr(column, "to_list") else column.tolist()
    number = {category: k for k, category in enumerate(np.asarray(categories).tolist())}
    places = (number.get(value, np.nan if _is_missing(value) else np.inf) for value in values)
    return np.fromiter(places, dtype=np.float64, count=len(values))


def _is_missing(value: Any) -> bool:
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and math.isnan(value))
    )


def _codes(labels: list[Any], classes: list[Any]) -> Indices:
    """The number of each label among the classes. NumPy would take texts that differ by NULs for the same."""
    number = {label: k for k, label in enumerate(classes)}
    codes = [number.get(label, -1) for label in labels]
    if -1 in codes:
        known, strange = map(reprlib.repr, (classes, labels[codes.index(-1)]))
        raise ValueError(f"y must hold the labels {known} of the model; got {strange}")
    return np.array(codes, dtype=np.intp)


def _class_factors(code: Indices, weight: Floats, classes: list[Any], class_weight: Any) -> Floats:
    """The factor of class_weight for each class; "balanced": such that every class has the same total.

    The sums are exact and rounded once, so that they do not depend on their order.
    """
    if class_weight is None:
        return np.ones(len(classes))
    if not (isinstance(class_weight, str) and class_weight == "balanced"):
        return np.array([class_weight.get(label, 1.0) for label in classes], dtype=np.float64)
    return balanced([math.fsum(weight[code == k]) for k in range(len(classes))], math.fsum(weight))


def _holds_dates(values: Any) -> bool:
    kind = str(getattr(values, "dtype", "")).lower()
    if kind == "object" and hasattr(values, "iloc"):  # so pandas reads dates from Parquet files
        return isinstance(next(iter(values.dropna()), None), date)
    return kind.startswith(("date", "timestamp"))


def _days(column: Any) -> Floats:
    """Days since 1970-01-01 in UTC; NaN where a date is missing."""
    if hasattr(column, "iloc"):  # of pandas; polars gives UTC anyway
        aware = not str(column.dtype).startswith("datetime64") or "," in str(column.dtype)
        column = (column.astype("datetime64[us, UTC]").dt.tz_convert(None) if aware else column).to_numpy()
    moments = np.asarray(column).astype("datetime64[us]")
    days = moments.astype("datetime64[D]")
    since = days.astype(np.int64) + (moments - days) / np.timedelta64(1, "D")
    return np.where(np.isnat(moments), np.nan, since)


def _floats(name: str, values: Any) -> Floats:
    try:
        if _holds_dates(values):
            return _days(values)
        if hasattr(values, "iloc"):  # of pandas, where a gap may be more than NaN
            return values.to_numpy(dtype=np.float64, na_value=np.nan)  # type: ignore[no-any-return]
        return np.asarray(with_floats(values), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must hold numbers: {error}") from error
    except OverflowError as error:
        raise ValueError(f"{name} must hold finite numbers: {error}") from error
