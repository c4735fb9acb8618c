"""What `fit` is given, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_array, column_or_1d, validate_data

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows that carry weight, with labels -1 and +1."""

    X: Floats
    y: Floats
    sample_weight: Floats
    kept: NDArray[np.intp]  # their places among the rows that were given
    given: int  # how many those were
    classes: NDArray[Any]

    def spread(self, values: Floats) -> Floats:
        """One entry for each given row: 0 where the row has no weight."""
        full = np.zeros(self.given)
        full[self.kept] = values
        return full


def check_training_set(estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> TrainingSet:
    """Check everything, and set the estimator's feature names and count."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    X = validate_data(estimator, X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2)
    labels = column_or_1d(y, warn=True)
    if _num_samples(labels) != len(X):
        raise ValueError(f"y must have one label for each of the {len(X)} rows of X; got {len(labels)}")
    check_array(labels, ensure_2d=False, dtype=None, input_name="y")
    check_classification_targets(labels)
    weight = _check_weights(sample_weight, len(X))
    kept = np.flatnonzero(weight)
    classes, code = np.unique(labels[kept], return_inverse=True)
    if len(classes) != 2:
        shown = ", ".join(repr(c) for c in classes[:5].tolist()) + (", ..." if len(classes) > 5 else "")
        noun = "class" if len(classes) == 1 else "classes"
        raise ValueError(
            f"y must hold exactly two classes among the rows with weight; got {len(classes)} {noun}: {shown}"
        )
    return TrainingSet(
        X=X if len(kept) == len(X) else X[kept],
        y=np.where(code == 1, 1.0, -1.0),
        sample_weight=weight[kept],
        kept=kept,
        given=len(X),
        classes=classes,
    )


def _check_weights(sample_weight: ArrayLike | None, rows: int) -> Floats:
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
    if not np.isfinite(weight).all() or (weight < 0.0).any():
        bad = weight[~(np.isfinite(weight) & (weight >= 0.0))][0]
        raise ValueError(f"sample_weight must hold finite numbers >= 0; got {bad:g}")
    if not weight.any():
        raise ValueError("sample_weight must not be all zeros; no row would count")
    return weight
