"""The names of the columns and categories that a fitted classifier knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frankboost.estimators.prediction import ModelClassifier, encoding_of


def feature_names_of(clf: ModelClassifier, names: Sequence[str] | None = None) -> list[str]:
    """The names given, those of the data frame that was fitted, or x0, x1, ..."""
    count = clf.n_features_in_
    if names is None:
        return [str(name) for name in getattr(clf, "feature_names_in_", (f"x{f}" for f in range(count)))]
    if isinstance(names, str) or not hasattr(names, "__len__") or len(names) != count:
        raise ValueError(f"feature_names must hold {count} names, one per feature; got {names!r}")
    return [str(name) for name in names]


def category_names(clf: ModelClassifier) -> dict[int, list[Any]]:
    """The categories of each column that has some, by its number."""
    return {f: known.tolist() for f, known in encoding_of(clf).by_column.items()}
