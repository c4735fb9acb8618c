"""What `fit` is given, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_array, column_or_1d

from frankboost.estimators.frames import EncodedTable, Encoding, training_table
from frankboost.estimators.weights import check_weights, class_weights
from frankboost.model import positives
from frankboost.typing import Flags, Floats, Indices

SAMPLE = 2000  # rows among which equal ones are looked for first
MOST_DISTINCT = 0.8  # of them; where more are distinct, merging would save less than it costs


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows that carry weight, with labels -1 and +1."""

    X: Floats
    y: Floats
    sample_weight: Floats
    place: Indices  # one entry per row given to fit: the number of the row that stands for it here, or -1
    share: Floats  # one entry per row given to fit: its share of that row's weight

    def spread(self, values: Floats) -> Floats:
        """One entry per row given to fit: its share, and 0 where the row has no weight."""
        spread: Floats = values[self.place] * self.share
        return spread

    def gather(self, values: Floats) -> Floats:
        """One entry per row here, from one entry per row given to fit."""
        inside = self.place >= 0
        gathered = np.zeros(len(self.y))
        np.add.at(gathered, self.place[inside], values[inside])
        return gathered

    def merged(self) -> TrainingSet:
        """The same with equal rows made one, if they are worth looking for.

        No tree tells them apart, so the game is the same with their weights added up.
        """
        some = slice(None, None, max(1, len(self.y) // SAMPLE))
        if 1 + _equal_rows(self.X[some], self.y[some]).max() > MOST_DISTINCT * len(self.y[some]):
            return self
        group = _equal_rows(self.X, self.y)
        first = np.unique(group, return_index=True)[1]
        weight = np.zeros(len(first))
        np.add.at(weight, group, self.sample_weight)
        inside = self.place >= 0
        before = self.place[inside]
        place, share = self.place.copy(), self.share.copy()
        place[inside] = group[before]
        share[inside] *= self.sample_weight[before] / weight[group[before]]
        return replace(self, X=self.X[first], y=self.y[first], sample_weight=weight, place=place, share=share)


def _equal_rows(X: Floats, y: Floats) -> Indices:
    """One number per row, the same for equal rows alone; they count from 0 in the order of the rows."""
    group = (y > 0.0).astype(np.intp)
    for f in range(X.shape[1]):
        values, code = np.unique(X[:, f], return_inverse=True)
        _, group = np.unique(group * len(values) + code, return_inverse=True)
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """What `fit` was given, checked: the rows that carry weight, with the number of each one's class."""

    X: Floats
    code: Indices
    sample_weight: Floats
    carries: Flags  # which of the given rows they are
    classes: NDArray[Any]
    table: EncodedTable  # of all given rows

    @property
    def encoding(self) -> Encoding:
        """How the table came about."""
        return self.table.encoding

    def problems(self) -> list[TrainingSet]:
        """The second class against the first; with more than two, each class against the rest."""
        place = np.full(len(self.carries), -1, dtype=np.intp)
        place[self.carries] = np.arange(len(self.code))
        return [
            TrainingSet(
                X=self.X,
                y=np.where(positive, 1.0, -1.0),
                sample_weight=self.sample_weight,
                place=place,
                share=self.carries.astype(np.float64),
            )
            for positive in self.targets().T
        ]

    def targets(self) -> Flags:
        """Whether each row is of the class that each problem is about, one column per problem."""
        targets: Flags = self.code[:, None] == positives(np.arange(len(self.classes)))
        return targets


def check_training_data(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    class_weight: Any = None,
    *,
    categorical_features: Any = (),
    categorical: Sequence[int] = (),
) -> LabelledRows:
    """Check everything, and set feature names and count; `categorical` numbers more columns of categories."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    weight = check_weights(sample_weight, _num_samples(X))
    carries = weight > 0.0
    table = training_table(estimator, X, categorical_features, carries, categorical)
    labels = _check_labels(y, len(carries))
    classes, code = np.unique(labels[carries], return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            "y must hold at least two classes among the rows with weight; "
            f"got 1 class: {classes.tolist()[0]!r}"
        )
    weight = weight[carries]
    return LabelledRows(
        X=table.X if carries.all() else table.X[carries],
        code=code,
        sample_weight=weight * class_weights(class_weight, classes, code, weight)[code],
        carries=carries,
        classes=classes,
        table=table,
    )


def _check_labels(y: ArrayLike, rows: int) -> NDArray[Any]:
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    if len(labels) != rows:
        raise ValueError(f"y must have one label for each of the {rows} rows of X; got {len(labels)}")
    check_array(labels, ensure_2d=False, dtype=None, input_name="y")
    check_classification_targets(labels)
    return labels
