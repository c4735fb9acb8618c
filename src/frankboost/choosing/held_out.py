"""Rows that are held out."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from frankboost.choosing.constants import ROWS
from frankboost.typing import Flags, Floats, Indices


def held_out_parts(y: Floats, fraction: float, seed: int) -> list[Flags]:
    """Parts of the rows to hold out: one of this size, or of few rows several, one after another.

    Each has about the same share of both classes. There are none if a class has a single row.
    """
    from sklearn.model_selection import StratifiedKFold  # noqa: PLC0415  (heavy)

    fewest = int(min((y > 0.0).sum(), (y < 0.0).sum()))
    count = min(max(round(1.0 / fraction), 2), fewest)
    if count < 2:
        return []
    folds = StratifiedKFold(count, shuffle=True, random_state=seed).split(y[:, None], y > 0.0)
    parts = [mask_of(rows, len(y)) for _, rows in folds]
    return parts[: enough_parts([int(part.sum()) for part in parts])]


def checked_folds(
    name: str, cv: Any, labels: NDArray[Any], carries: Flags, groups: Any = None
) -> list[tuple[Indices, Indices]]:
    """The folds of a number of them or of a splitter, with all classes in each; `name` is the argument.

    Rows that carry no weight are in none of them.
    """
    from sklearn.model_selection import check_cv  # noqa: PLC0415  (heavy)

    most = largest_class(name, labels, carries)
    if isinstance(cv, Integral) and int(cv) > most:
        raise ValueError(
            f"{name} must be at most {most}, the rows of the largest class (n_samples={carries.sum()}); "
            f"got {cv!r}"
        )
    splitter = check_cv(cv, labels[carries], classifier=True)
    if isinstance(cv, Integral) or hasattr(cv, "split"):
        folds = folds_of(splitter, labels, carries, groups)
    else:  # folds that are given number all rows
        given = ((np.asarray(train), np.asarray(test)) for train, test in splitter.split())
        folds = [(train[carries[train]], test[carries[test]]) for train, test in given]
    check_folds(name, folds, labels, carries)
    return folds


def largest_class(name: str, labels: NDArray[Any], carries: Flags) -> int:
    """How many rows it has, at least two; `name` is the argument for which rows are held out."""
    classes, counts = np.unique(labels[carries], return_counts=True)
    if counts.max() < 2:
        raise ValueError(
            f"y must have at least two rows of every class for {name}, which holds rows out; "
            f"{classes.tolist()[0]!r} has one (n_samples={len(labels)})"
        )
    return int(counts.max())


def folds_of(
    splitter: Any, labels: NDArray[Any], carries: Flags, groups: Any = None
) -> list[tuple[Indices, Indices]]:
    """Those of a splitter of scikit-learn's among the rows that carry weight."""
    rows = np.flatnonzero(carries)
    groups = None if groups is None else _safe_indexing(groups, rows)
    parts = splitter.split(np.zeros(len(rows)), labels[rows], groups)
    return [(rows[train], rows[test]) for train, test in parts]


def check_folds(
    name: str, folds: Sequence[tuple[Indices, Indices]], labels: NDArray[Any], carries: Flags
) -> None:
    """Raise unless all classes are among the rows that each fold fits; `name` is the argument they are of."""
    classes, counts = np.unique(labels[carries], return_counts=True)
    for k, (train, _) in enumerate(folds):
        left = np.unique(labels[train])
        if len(left) == len(classes):
            continue
        gone = ~np.isin(classes, left)
        if counts[gone].min() == 1:
            label = classes[gone & (counts == 1)].tolist()[0]
            raise ValueError(
                f"y must have at least two rows of every class for {name}, which holds rows out; "
                f"{label!r} has one"
            )
        raise ValueError(
            f"{name} must leave every class among the rows to fit; fold {k} has only "
            f"{left.tolist()} of {classes.tolist()}"
        )


def enough_parts(rows: Sequence[int]) -> int:
    """How many of parts with so many rows have enough together."""
    return 1 + int(np.searchsorted(np.cumsum(rows), ROWS))


def mask_of(rows: Indices, count: int) -> Flags:
    """Which of so many rows these are."""
    mask = np.zeros(count, dtype=np.bool_)
    mask[rows] = True
    return mask
