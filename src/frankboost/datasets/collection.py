"""The paper's 13 data sets by name, from NumPy archives in a folder or from scikit-datasets.

References
----------
Rätsch, Onoda, Müller: Soft margins for AdaBoost, 2001 (the sets and their realisations).
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.builtin import Dataset, Ints
from frankboost.typing import Floats

NAMES = (
    "banana", "breast-cancer", "diabetis", "flare-solar", "german", "heart", "image", "ringnorm", "splice",
    "thyroid", "titanic", "twonorm", "waveform",
)  # fmt: skip
VARIABLE = "FRANKBOOST_DATA"
KINDS = {"X": ("fiu", 2), "y": ("fi", 1), "full_ix": ("iu", 1), "train": ("iu", 2)}  # types and dimensions
UNKNOWN = -1

PathLike = str | os.PathLike[str]


def load(name: str, data_dir: PathLike | None = None, *, full: bool = False) -> Dataset:
    """Load a set of the collection: its unique rows (x, y), as in the paper, or all of its rows.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    data_dir : path, default=None
        The folder of raetsch/NAME.npz or NAME.npz. None: the folder in the environment variable
        FRANKBOOST_DATA or, if this is not set, the public collection, which scikit-datasets downloads once
        (`pip install "frankboost[datasets]"`).
    full : bool, default=False
        Whether equal rows are kept. This matters for breast-cancer, flare-solar, image, splice and titanic.

    Raises
    ------
    ValueError, FileNotFoundError
        ValueError if the name is unknown or a file is malformed; FileNotFoundError if the set cannot be
        found, with how to get it.

    Notes
    -----
    A file has the unique rows as arrays X (m x d) and y (-1 or +1); `full_ix`, so that X[full_ix],
    y[full_ix] is the full set; and `train`, with one line of row numbers of the full set per realisation. A
    downloaded set has its unique rows in lexicographic order, and the full set in the order of the first
    realisation: training rows, then test rows.

    Examples
    --------
    >>> import tempfile
    >>> arrays = {"X": [[0.0], [1.0]], "y": [-1, 1], "full_ix": [0, 1, 1], "train": [[0, 2]]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "titanic.npz", **arrays)
    ...     load("titanic", folder).y, load("titanic", folder, full=True).y
    ...
    (array([-1,  1]), array([-1,  1,  1]))
    """
    patterns = _patterns(name, data_dir)
    rows = patterns.full_ix if full else slice(None)
    return Dataset(name, patterns.X[rows], patterns.y[rows])


def realisations(name: str, data_dir: PathLike | None = None) -> list[tuple[Ints, Ints]]:
    """The official splits of a full set: (rows to train on, the other rows to test on).

    Arguments and errors are those of `load`; the rows are those of `load(name, data_dir, full=True)`.
    """
    patterns = _patterns(name, data_dir)
    for number, train in enumerate(patterns.train, start=1):
        if UNKNOWN in train:
            raise ValueError(f"realisation {number} of {name!r} has other rows than the first")
    rows = np.arange(len(patterns.full_ix))
    return [(train, np.setdiff1d(rows, train)) for train in patterns.train]


def _patterns(name: str, data_dir: PathLike | None) -> Patterns:
    if name not in NAMES:
        near = difflib.get_close_matches(str(name), NAMES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"name must be one of {', '.join(NAMES)}; got {name!r}.{hint}")
    folder = data_dir if data_dir is not None else os.environ.get(VARIABLE) or None
    if folder is None:
        try:
            return fetch(name)
        except ImportError:
            reason = "no folder is set and scikit-datasets is not installed"
        except (OSError, ValueError) as error:  # its "not found" is a ValueError
            reason = f"scikit-datasets could not fetch it: {error}"
    else:
        paths = [Path(folder, "raetsch", f"{name}.npz"), Path(folder, f"{name}.npz")]
        for path in paths:
            if path.is_file():
                return read_npz(path)
        reason = f"there is neither {paths[0]} nor {paths[1]}"
    raise FileNotFoundError(
        f"the data set {name!r} is not here: {reason}. Put {name}.npz into a folder, and name the folder "
        f"as data_dir (--data-dir) or in the environment variable {VARIABLE}. Or name no folder: "
        'scikit-datasets then fetches the public collection (pip install "frankboost[datasets]").'
    )


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
    """Read a file with the arrays X, y, full_ix and train; other arrays are ignored.

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
    """Download a set by scikit-datasets, or read it from its cache.

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
