"""Weights of rows and of classes, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frankboost.typing import Floats, Indices


def class_weights(class_weight: Any, classes: NDArray[Any], code: Indices, weight: Floats) -> Floats:
    """One factor per class; "balanced" gives every class the same total."""
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = np.bincount(code, weights=weight, minlength=len(classes))
        balanced: Floats = weight.sum() / (len(classes) * totals)
        return balanced
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


def check_weights(sample_weight: ArrayLike | None, rows: int) -> Floats:
    """One finite weight >= 0 per row, not all 0; None is 1 for each."""
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
    if not weight.any():
        raise ValueError("sample_weight must not be all zeros; no row would count")
    return weight
