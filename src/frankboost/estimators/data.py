"""What `fit` is given, checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_array, column_or_1d

from frankboost.arrays import here, is_on_device
from frankboost.estimators.frames import Encoding, encoded
from frankboost.model import positives
from frankboost.typing import Flags, Floats, Indices
from frankboost.validation import naming

SPAN = 1e-250  # of the largest weight: what is smaller would vanish beside it, and below 1e-308 in itself
MISSING = {"NoneType", "NAType", "NaTType"}  # types of what is no label
UNLABELLED = "y must have a label in every row; leave out the rows where it is missing"


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows that carry weight, with the number of each one's class."""

    X: Floats
    code: Indices
    sample_weight: Floats
    carries: Flags  # which of the given rows they are
    classes: NDArray[Any]
    encoding: Encoding

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
        classes, code = np.unique(labels[carries], return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            "y must hold at least two classes among the rows with weight; "
            f"got 1 class: {classes.tolist()[0]!r}"
        )
    weight = scaled(weight[carries], float(weight.max()))

    def totals() -> list[float]:
        # Correctly rounded sums: what the weights are does not depend on an order of summation.
        return [*(math.fsum(weight[code == k]) for k in range(len(classes))), math.fsum(weight)]

    weight = weight * class_factors(clf.class_weight, classes, totals)[code]
    weight = scaled(weight, float(weight.max()))
    check_span(float(weight.min()), float(weight.max()))
    return LabelledRows(
        X=numbers if carries.all() else numbers[carries],
        code=code,
        sample_weight=weight,
        carries=carries,
        classes=classes,
        encoding=encoding,
    )


def scaled(weight: Floats, largest: float) -> Floats:
    """Weights times a power of two, if sums of them might overflow or vanish; nothing else changes."""
    exponent = int(np.frexp(largest)[1])
    return weight if abs(exponent) < 500 or not np.isfinite(largest) else np.ldexp(weight, -exponent)


def check_span(least: float, largest: float) -> None:
    """Raise if the smallest weights would vanish beside the largest."""
    if not 0.0 < least >= SPAN * largest:
        raise ValueError(
            f"sample_weight, times class_weight, must not span more than a factor of {1 / SPAN:g}; "
            f"got {least / largest if largest else 0.0:g} of the largest"
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
    check_classification_targets(labels)
    return labels


def check_weights(sample_weight: ArrayLike | None, rows: int) -> Floats:
    """One finite weight >= 0 per row, not all 0; None is 1 for each."""
    weight = check_each_weight(sample_weight, rows)
    if rows > 0 and not weight.any():
        raise ValueError("sample_weight must not be all zeros; no row would count")
    return weight


def check_each_weight(sample_weight: ArrayLike | None, rows: int) -> Floats:
    """One finite weight >= 0 per row; None is 1 for each."""
    if sample_weight is None:
        return np.ones(rows)
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers; got {sample_weight!r}") from error
    if weight.shape != (rows,):
        raise ValueError(
            f"sample_weight must have one weight for each of the {rows} rows of X, "
            f"shape ({rows},); got shape {weight.shape}"
        )
    bad = weight[~(np.isfinite(weight) & (weight >= 0.0))]
    if len(bad):
        raise ValueError(f"sample_weight must hold finite numbers >= 0; got {bad[0]:g}")
    return weight


def class_factors(class_weight: Any, classes: NDArray[Any], totals: Callable[[], Sequence[float]]) -> Floats:
    """One factor per class; "balanced" gives every class the same total.

    `totals` are the weight of each class and that of all rows.
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        *of_each, whole = totals()
        return whole / (len(classes) * np.array(of_each))
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight must be a dict, 'balanced' or None; got {class_weight!r}")
    known = classes.tolist()
    unknown = [label for label in class_weight if label not in known]
    if unknown:
        raise ValueError(f"class_weight must name classes of y, {known}; got {unknown[0]!r}")
    factors = np.array([float(class_weight.get(label, 1.0)) for label in known])
    if not (np.isfinite(factors) & (factors > 0.0)).all():
        raise ValueError(f"class_weight must hold finite numbers > 0; got {class_weight!r}")
    return factors
