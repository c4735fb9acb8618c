"""The 13 sets of the paper by name, from a directory or the public collection.

References
----------
Rätsch, Onoda, Müller: Soft margins for AdaBoost, 2001 (the sets and their realisations).
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import numpy as np

from frankboost.datasets.builtin import Dataset, Ints
from frankboost.datasets.patterns import UNKNOWN, Patterns, fetch, read_npz

NAMES = (
    "banana", "breast-cancer", "diabetis", "flare-solar", "german", "heart", "image", "ringnorm", "splice",
    "thyroid", "titanic", "twonorm", "waveform",
)  # fmt: skip
VARIABLE = "FRANKBOOST_DATA"

PathLike = str | os.PathLike[str]


def load(name: str, data_dir: PathLike | None = None, *, full: bool = False) -> Dataset:
    """A set of the collection: its unique rows (x, y), as in the paper, or with every repetition.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    data_dir : path, default=None
        Where raetsch/NAME.npz or NAME.npz is. None is the environment's FRANKBOOST_DATA or, if that is not
        set, the public collection by way of scikit-datasets (`pip install frankboost[datasets]`), which
        fetches it once.
    full : bool, default=False
        Whether rows that occur more than once do so here. This matters for breast-cancer, flare-solar, image,
        splice and titanic.

    Raises
    ------
    ValueError, FileNotFoundError
        If there is no such name or a file is malformed; if the set is not to be had, with how to get it.

    Notes
    -----
    A file has the arrays X (m x d) and y (-1 or +1), the unique rows; `full_ix`, by which the full set is
    X[full_ix], y[full_ix]; and `train`, a line of row numbers into the full set for each realisation. What is
    fetched has its unique rows in lexicographic order, and the full set in the order of its first
    realisation: training rows, then test rows.

    Examples
    --------
    >>> import tempfile
    >>> arrays = {"X": [[0.0], [1.0]], "y": [-1, 1], "full_ix": [0, 1, 1], "train": [[0, 2]]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "titanic.npz", **arrays)
    ...     load("titanic", folder).y, load("titanic", folder, full=True).y
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
        f"the data set {name!r} is not here: {reason}. Either have {name}.npz in a folder and name the "
        f"folder as data_dir (--data-dir) or by the environment variable {VARIABLE}, or set neither and let "
        "scikit-datasets fetch the public collection: pip install frankboost[datasets]"
    )
