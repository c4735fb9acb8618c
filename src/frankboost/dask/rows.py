"""Partitions as numbers: facts about each partition, an agreement of all, and the rows of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.dask.collections import Partition
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
class PartitionFacts:
    """Facts about a partition; all except `given` are about its rows with weight.

    `categories` has the present categories, and the declared ones or None, of each column in `categorical`,
    and of each column that may hold categories in another partition.
    """

    given: int  # the number of given rows
    labels: NDArray[Any]
    weights: list[tuple[float, float, Fraction]]  # for each label the smallest, the largest, and their sum
    rows: int  # the number of rows with weight
    categorical: list[int]  # the columns of categories, as far as this partition shows
    categories: dict[int, tuple[list[Any], list[Any] | None]]
    dates: list[int]  # the columns of dates


def inspect_partition(partition: Partition, features: Any, also: Sequence[int]) -> PartitionFacts:
    """Collect the facts about a partition; `features` and `also` are as in `categorical_columns`."""
    X, given = partition.X, len(partition.X)
    weight = check_each_weight(partition.sample_weight, given)
    carries = weight > 0.0
    with naming("y", "labels of one kind"):
        labels, code = _labels(partition, carries)
    categorical = categorical_columns(X, features, also)
    types = getattr(X, "dtypes", ()) if features is None else ()
    uncertain = [f for f, dtype in enumerate(types) if is_object(dtype)]  # another partition may have text
    columns = {f: category_column(X, f) for f in {*categorical, *uncertain}}
    weight = weight[carries]
    by_class = [weight[code == k] for k in range(len(labels))]
    return PartitionFacts(
        given=given,
        labels=labels,
        weights=[(float(each.min()), float(each.max()), exact_sum(each)) for each in by_class],
        rows=len(weight),
        categorical=categorical,
        categories={
            f: (column.present(carries), column.values if column.declared else None)
            for f, column in columns.items()
        },
        dates=date_columns(X),
    )


def _labels(partition: Partition, carries: Flags) -> tuple[NDArray[Any], Indices]:
    """The distinct labels of the rows with weight, and the number of each row's label."""
    if len(carries) == 0:
        return np.zeros(0), np.zeros(0, dtype=np.intp)
    labels, code = np.unique(check_labels(partition.y, len(carries))[carries], return_inverse=True)
    return labels, code


@dataclass(frozen=True, eq=False)
class Agreement:
    """What all partitions have in common: classes, class weights and categories."""

    classes: NDArray[Any]
    weighing: Weighing
    span: Span  # the number of rows, and the range of their weights
    encoding: Encoding

    @classmethod
    def of(cls, known: Sequence[PartitionFacts], class_weight: Any, columns: Any) -> Agreement:
        """Combine the facts about all partitions; `columns` is an estimator with the column names of X."""
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


def _encoding(known: Sequence[PartitionFacts], columns: Any) -> Encoding:
    """The encoding by the categories of all partitions.

    Declared categories keep their order: if partitions declare different ones, the order in which they first
    appear, as in pandas. Other categories are sorted.
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
    """The rows of a partition that have weight, as numbers; there is at least one."""

    X: Floats
    code: Indices  # the number of the class of each row
    sample_weight: Floats
    carries: Flags  # which of the given rows have weight

    @classmethod
    def of(cls, partition: Partition, agreed: Agreement) -> Rows:
        """Encode the rows of a partition."""
        weight = check_each_weight(partition.sample_weight, len(partition.X))
        carries = weight > 0.0
        X = agreed.encoding(partition.X)
        labels = check_labels(partition.y, len(carries))[carries]
        code = np.searchsorted(agreed.classes, labels)
        counted = agreed.weighing(weight[carries], code)
        return cls(X if carries.all() else X[carries], code, counted, carries)
