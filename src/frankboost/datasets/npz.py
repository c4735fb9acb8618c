"""Sets of the collection from NumPy's archives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.patterns import Patterns

KEYS = ("X", "y", "full_ix", "train")


def read_npz(path: Path) -> Patterns:
    """Read a file with the arrays X, y, full_ix and train of `Patterns`; other arrays are left alone.

    Raises
    ------
    ValueError
        If the file cannot be read so; the message names the file and the array.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in KEYS}
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # of many types, by what is damaged
        raise ValueError(
            f"{path} is not a NumPy archive (.npz) with the arrays {', '.join(KEYS)}: {error}"
        ) from error
    try:
        return _checked(**arrays)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _checked(X: NDArray[Any], y: NDArray[Any], full_ix: NDArray[Any], train: NDArray[Any]) -> Patterns:
    if X.ndim != 2 or 0 in X.shape or X.dtype.kind not in "fiu":
        raise ValueError(f"X must be numbers in rows and columns; got {_shown(X)}")
    if not np.isfinite(X).all():
        raise ValueError("X must be finite")
    if y.shape != (len(X),) or y.dtype.kind not in "fi":
        raise ValueError(f"y must have a label for each of the {len(X)} rows of X; got {_shown(y)}")
    if not np.isin(y, (-1, 1)).all():
        raise ValueError(f"y must be -1 or +1; got {y[~np.isin(y, (-1, 1))][0]}")
    _check_rows("full_ix", full_ix, 1, len(X))
    _check_rows("train", train, 2, len(full_ix))
    if (np.diff(np.sort(train, axis=1), axis=1) == 0).any():
        raise ValueError("train must not name a row twice in the same realisation")
    as_ints = (values.astype(np.int64) for values in (y, full_ix, train))
    return Patterns(X.astype(np.float64), *as_ints)


def _check_rows(key: str, rows: NDArray[Any], ndim: int, stop: int) -> None:
    if rows.ndim != ndim or 0 in rows.shape or rows.dtype.kind not in "iu":
        plural = "s" if ndim > 1 else ""
        raise ValueError(f"{key} must be integers in {ndim} dimension{plural}; got {_shown(rows)}")
    if rows.min() < 0 or rows.max() >= stop:
        wrong = rows.min() if rows.min() < 0 else rows.max()
        raise ValueError(f"{key} must be row numbers from 0 to {stop - 1}; got {wrong}")


def _shown(values: NDArray[Any]) -> str:
    return f"{values.dtype} of shape {values.shape}"
