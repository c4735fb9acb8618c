"""Sets of the collection as unique patterns, from NumPy's archives or by way of scikit-datasets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.builtin import Ints
from frankboost.typing import Floats

KINDS = {"X": ("fiu", 2), "y": ("fi", 1), "full_ix": ("iu", 1), "train": ("iu", 2)}  # types and dimensions
UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class Patterns:
    """Unique rows (x, y), the full set X[full_ix], y[full_ix], and the training rows of each realisation.

    `train` has one line per realisation, of row numbers into the full set; the other rows are for the test.
    """

    X: Floats
    y: Ints
    full_ix: Ints
    train: Ints


def read_npz(path: Path) -> Patterns:
    """Read a file with the arrays X, y, full_ix and train; other arrays are left alone.

    A ValueError names the file and the array that cannot be read so.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in KINDS}
        _check(arrays)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # of many types, by what is damaged
        raise ValueError(
            f"{path} is not a NumPy archive (.npz) with the arrays {', '.join(KINDS)}: {error}"
        ) from error
    return Patterns(**{key: arrays[key].astype(np.float64 if key == "X" else np.int64) for key in KINDS})


def _check(arrays: dict[str, NDArray[Any]]) -> None:
    for key, (kinds, dimensions) in KINDS.items():
        values = arrays[key]
        if values.dtype.kind not in kinds or values.ndim != dimensions or values.size == 0:
            allowed = f"{'numbers' if 'f' in kinds else 'integers'} with ndim = {dimensions}"
            raise ValueError(f"{key} must be {allowed}; got {values.dtype} of shape {values.shape}")
    X, y, full_ix, train = arrays.values()
    if not np.isfinite(X).all():
        raise ValueError("X must be finite")
    if len(y) != len(X):
        raise ValueError(f"y must have a label for each of the {len(X)} rows of X; got {len(y)}")
    if len(wrong := y[~np.isin(y, (-1, 1))]):
        raise ValueError(f"y must be -1 or +1; got {wrong[0]}")
    for key, rows, count in (("full_ix", full_ix, len(X)), ("train", train, len(full_ix))):
        if len(outside := rows[(rows < 0) | (rows >= count)]):
            raise ValueError(f"{key} must be row numbers from 0 to {count - 1}; got {outside[0]}")
    if (np.diff(np.sort(train, axis=1), axis=1) == 0).any():
        raise ValueError("train must not name a row twice in the same realisation")


def fetch(name: str) -> Patterns:
    """Fetch a set by scikit-datasets, or read it from where an earlier call has put it.

    The package keeps the collection in scikit-learn's data folder and verifies its SHA-256 at every call.
    What it calls the data are the unique patterns already, in an order of its own; the splits count from 1
    and repeat a pattern as often as it occurs. Without the package this is an ImportError, without a network
    or with another file than the published one an OSError.
    """
    from skdatasets.repositories import raetsch  # noqa: PLC0415  (optional)

    found = raetsch.fetch(name.replace("-", "_"))
    splits = found.outer_cv
    train, test = (np.asarray(rows, np.int64) - 1 for rows in (splits.train_splits, splits.test_splits))
    return _from_splits(np.column_stack([found.data, np.ravel(found.target)]), train, test)


def _from_splits(rows: Floats, train: Ints, test: Ints) -> Patterns:
    """Patterns from rows (x, y) and the numbers of those to train on and to test on, per realisation.

    The patterns are in lexicographic order. The full set has the training rows of the first realisation and
    then its test rows; any other realisation takes equal rows from the top. One that has other rows than the
    first is a line of `UNKNOWN`.
    """
    patterns, pattern = np.unique(rows, axis=0, return_inverse=True)
    pattern = pattern.reshape(-1)
    full_ix = pattern[np.concatenate([train[0], test[0]])]
    places: dict[int, list[int]] = {}
    for place, each in enumerate(full_ix.tolist()):
        places.setdefault(each, []).append(place)
    taken = np.full(train.shape, UNKNOWN)
    for k, (trained, tested) in enumerate(zip(pattern[train], pattern[test], strict=True)):
        if np.array_equal(np.sort(np.append(trained, tested)), np.sort(full_ix)):
            left = {each: iter(where) for each, where in places.items()}
            taken[k] = [next(left[each]) for each in trained.tolist()]
    return Patterns(patterns[:, :-1], patterns[:, -1].astype(np.int64), full_ix, taken)
