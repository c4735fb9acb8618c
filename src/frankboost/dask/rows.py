"""Partitions as numbers: facts about each, an agreement of all, and then the rows of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.dask.collections import Portion
from frankboost.grid import exact_sum
from frankboost.learners.thresholds import Span
from frankboost.tables.categories import (
    categorical_columns,
    category_array,
    category_column,
    check_categories,
    in_order,
    is_object,
)
from frankboost.tables.dates import date_columns
from frankboost.tables.frames import Encoding
from frankboost.tables.labelled import check_classes, check_labels
from frankboost.tables.weights import Weighing, check_each_weight
from frankboost.typing import Flags, Floats, Indices
from frankboost.validation import naming


@dataclass(frozen=True, eq=False)
class Facts:
    """Facts about a partition; all except the first are about its rows with weight."""

    given: int
    labels: NDArray[Any]
    weights: list[tuple[float, float, Fraction]]  # for each label the least, the largest, and their sum
    rows: int
    categorical: list[int]  # columns of categories, as far as this partition tells
    categories: dict[int, tuple[list[Any], list[Any] | None]]  # present, and as declared; also of what may be
    dates: list[int]  # columns of dates


def facts(portion: Portion, features: Any, also: Sequence[int]) -> Facts:
    """Look at a partition; `features` and `also` are as in `categorical_columns`."""
    X, given = portion.X, len(portion.X)
    weight = check_each_weight(portion.sample_weight, given)
    carries = weight > 0.0
    with naming("y", "labels of one kind"):
        labels, code = _labels(portion, carries)
    categorical = categorical_columns(X, features, also)
    types = getattr(X, "dtypes", ()) if features is None else ()
    in_doubt = [f for f, dtype in enumerate(types) if is_object(dtype)]  # text may be in another partition
    columns = {f: category_column(X, f) for f in {*categorical, *in_doubt}}
    weight = weight[carries]
    of_class = [weight[code == k] for k in range(len(labels))]
    return Facts(
        given=given,
        labels=labels,
        weights=[(float(each.min()), float(each.max()), exact_sum(each)) for each in of_class],
        rows=len(weight),
        categorical=categorical,
        categories={
            f: (column.present(carries), column.values if column.declared else None)
            for f, column in columns.items()
        },
        dates=date_columns(X),
    )


def _labels(portion: Portion, carries: Flags) -> tuple[NDArray[Any], Indices]:
    if len(carries) == 0:
        return np.zeros(0), np.zeros(0, dtype=np.intp)
    labels, code = np.unique(check_labels(portion.y, len(carries))[carries], return_inverse=True)
    return labels, code


@dataclass(frozen=True, eq=False)
class Agreement:
    """The agreement of all partitions: classes, class weights and categories."""

    classes: NDArray[Any]
    weighing: Weighing
    span: Span  # of what rows count
    encoding: Encoding

    @classmethod
    def of(cls, known: Sequence[Facts], class_weight: Any, columns: Any) -> Agreement:
        """The agreement of facts about all partitions; `columns` is an estimator that knows those of X."""
        present = [each for each in known if each.rows > 0]
        if not present:
            raise ValueError("X must have rows, and sample_weight must not be all zeros; no row would count")
        rows = sum(each.rows for each in present)
        if rows < 2:
            raise ValueError(f"X must have at least 2 rows; got {rows} sample(s)")
        with naming("y", "labels of one kind"):
            classes = np.unique(np.concatenate([each.labels for each in present]))
        check_classes(classes)
        of_class: list[list[Any]] = [[] for _ in classes]
        for each in present:
            for k, weights in zip(np.searchsorted(classes, each.labels), each.weights, strict=True):
                of_class[k].append(weights)
        least, largest, sums = zip(*(zip(*found, strict=True) for found in of_class), strict=True)
        ends = np.column_stack([list(map(min, least)), list(map(max, largest))])
        totals = [sum(each, Fraction(0)) for each in sums]
        weighing = Weighing.of(class_weight, classes, ends, lambda: totals)
        return cls(classes, weighing, Span(*weighing.ends, rows), _encoding(present, columns))


def _encoding(known: Sequence[Facts], columns: Any) -> Encoding:
    """The categories of all partitions, in the order that they declare or else sorted.

    Where partitions declare different ones, in the order in which they first appear, as pandas joins them.
    """
    names = getattr(columns, "feature_names_in_", range(columns.n_features_in_))
    categories = {}
    for f in sorted({f for each in known for f in each.categorical}):
        if any(f not in each.categories for each in known):
            raise ValueError(
                f"column {names[f]!r} of X must hold categories or text in all partitions or in none; "
                "in some partitions it holds something else"
            )
        present = {value: None for each in known for value in each.categories[f][0]}
        declared = [given for each in known if (given := each.categories[f][1]) is not None]
        order = dict.fromkeys(value for given in declared for value in given)
        values = [value for value in order if value in present] if declared else in_order(list(present))
        categories[names[f]] = category_array(values)
    check_categories(categories)
    return Encoding.of(categories, columns, {f for each in known for f in each.dates})


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a partition that carry weight, at least one, as numbers, with the number of its class."""

    X: Floats
    code: Indices
    sample_weight: Floats
    carries: Flags  # which of the given rows they are

    @classmethod
    def of(cls, portion: Portion, agreed: Agreement) -> Rows:
        """The rows of a partition."""
        weight = check_each_weight(portion.sample_weight, len(portion.X))
        carries = weight > 0.0
        X = agreed.encoding(portion.X)
        labels = check_labels(portion.y, len(carries))[carries]
        code = np.searchsorted(agreed.classes, labels)
        counted = agreed.weighing(weight[carries], code)
        return cls(X if carries.all() else X[carries], code, counted, carries)
