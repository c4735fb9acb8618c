"""Checks of what `fit` is given: rows, labels and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_array, column_or_1d

from frankboost.arrays import here, is_on_device
from frankboost.model import positives
from frankboost.tables.frames import Encoding, encoded
from frankboost.tables.weights import Weighing, check_weights
from frankboost.typing import AnyArray, Flags, Floats, Indices
from frankboost.validation import naming

MISSING = {"NoneType", "NAType", "NaTType"}  # types of what is no label
MANY_ROWS = 100_000  # that take a while to sort
UNLABELLED = "y must have a label in every row; leave out the rows without a label"


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows that carry weight, with the number of each one's class."""

    X: AnyArray  # of float64, or of float32 as given
    code: Indices
    sample_weight: Floats  # times the factor of the class
    factors: Floats  # one per class, of `class_weight`
    carries: Flags  # which of the given rows they are
    classes: NDArray[Any]
    encoding: Encoding

    @property
    def plain_weight(self) -> Floats:
        """The weights without `class_weight`: what the rows are, not what errors cost."""
        return self.sample_weight / self.factors[self.code]

    def targets(self) -> Flags:
        """Whether each row is of the class that each ensemble is for, one column per ensemble."""
        targets: Flags = self.code[:, None] == positives(np.arange(len(self.classes)))
        return targets


def check_training_data(
    clf: Any,
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    *,
    categorical_features: Any = (),
    categorical: Sequence[int] = (),
) -> LabelledRows:
    """Check everything that `clf.fit` was given; `categorical` numbers more columns of categories."""
    if y is None:
        raise ValueError(f"{type(clf).__name__} requires y to be passed, but the target y is None")
    if is_on_device(y):
        y = here(y)
    if is_on_device(sample_weight):
        sample_weight = here(sample_weight)
    weight = check_weights(sample_weight, _num_samples(X))
    carries = weight > 0.0
    numbers, encoding = encoded(clf, X, categorical_features, carries, categorical)
    with naming("y", "labels of one kind"):
        labels = check_labels(y, len(carries))
        classes, code = classes_of(labels if carries.all() else labels[carries])
    check_classes(classes)
    weight = weight[carries]
    weighing = Weighing.of_rows(clf.class_weight, classes, weight, code)
    return LabelledRows(
        X=numbers if carries.all() else numbers[carries],
        code=code,
        sample_weight=weighing(weight, code),
        factors=weighing.factors,
        carries=carries,
        classes=classes,
        encoding=encoding,
    )


def classes_of(labels: NDArray[Any]) -> tuple[NDArray[Any], Indices]:
    """The distinct labels in order, and for each row the number of its label, as `np.unique` gives them."""
    least = labels.min() if labels.dtype.kind in "iu" and labels.size else None
    if least is None or int(labels.max()) - int(least) >= MANY_ROWS:
        classes, code = np.unique(labels, return_inverse=True)
        return classes, code
    # Whole numbers are counted, since a sort takes far longer. Neither line overflows but to come back.
    place = (labels - least).view(f"u{labels.dtype.itemsize}").astype(np.intp)
    there = np.bincount(place) > 0
    return np.flatnonzero(there).astype(labels.dtype) + least, (np.cumsum(there) - 1)[place]


def check_classes(classes: NDArray[Any]) -> None:
    """Raise a ValueError for a single class."""
    if len(classes) < 2:
        raise ValueError(
            "y must hold at least two classes among the rows with weight; "
            f"got 1 class: {classes.tolist()[0]!r}"
        )


def check_labels(y: ArrayLike, rows: int) -> NDArray[Any]:
    """One label per row."""
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    if len(labels) != rows:
        raise ValueError(f"y must have one label for each of the {rows} rows of X; got {len(labels)}")
    if labels.dtype == object and MISSING & {type(label).__name__ for label in labels.tolist()}:
        raise ValueError(UNLABELLED)
    try:
        check_array(labels, ensure_2d=False, dtype=None, input_name="y")
    except ValueError as error:
        if "NaN" not in str(error):
            raise
        raise ValueError(UNLABELLED) from error
    if labels.dtype.kind in "biu" and len(labels) > MANY_ROWS:
        return labels  # whole numbers are labels; to look at each takes a sort
    try:
        check_classification_targets(labels)
    except ValueError as error:
        raise ValueError(f"y must hold the labels of classes: {error}") from error
    return labels
