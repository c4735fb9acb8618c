"""Data sets that are made or read from .npz files, and their splits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from frankboost import datasets
from frankboost.datasets import Dataset
from frankboost.tables.files import replacing

CATEGORICAL, NUMBER = "c", "n"
TEST_SHARE = 0.2  # of a random split
Categorical = tuple[int, ...]

WORST_CASE = "worst-case"
GENERATORS = {"twonorm": datasets.twonorm, "ringnorm": datasets.ringnorm, "waveform": datasets.waveform}
# Sets that need no file, and their numbers of rows. Ringnorm has the fewest, since it is the hardest.
SMALL_SETS = (("wisconsin", 569), ("twonorm", 200), ("ringnorm", 150), ("waveform", 300))


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows and labels of a data set, and its official splits; the other rows of a split are test rows."""

    X: NDArray[Any]
    y: NDArray[np.int64]  # -1 and 1, or, of k > 2 classes, 0 to k - 1
    categorical: Categorical = ()  # the numbers of the columns of categories
    realisations: NDArray[Any] | None = None  # the training rows of each official split, one line per split
    n_train: int | None = None  # the number of training rows of the only official split, which come first


def make_set(name: str, rows: int, seed: int = 0) -> Dataset:
    """Make a data set that needs no file: random rows, the first rows of wisconsin, or the worst case."""
    if name == WORST_CASE:
        return datasets.worst_case(rows)
    if name in GENERATORS:
        return GENERATORS[name](rows, seed)
    data = datasets.breast_cancer()
    return replace(data, X=data.X[:rows], y=data.y[:rows])


def find(folder: Path, names: list[str] | None = None) -> dict[str, Path]:
    """Find the files of data sets in a folder and its subfolders; `names` selects some of the sets."""
    paths = sorted(folder.rglob("*.npz"))
    if not paths:
        raise ValueError(f"the data must be a folder with .npz files; there are none in {folder}")
    found: dict[str, Path] = {}
    for path in paths:
        if found.setdefault(path.stem, path) != path:
            raise ValueError(f"two files have the name {path.stem!r}: {found[path.stem]} and {path}")
    unknown = set(names or ()) - set(found)
    if unknown:
        raise ValueError(f"the sets must be among {', '.join(found)}; got {', '.join(sorted(unknown))}")
    return {name: path for name, path in found.items() if not names or name in names}


def read(path: Path) -> LabelledRows:
    """Read a data set; a ValueError names the file and the mistake in it.

    A file has X (m x d) and y (-1 or 1, or 0 to k - 1 of k > 2 classes). It may have `kind`, with one letter
    per column, of which c means codes of categories. It may have `n_train`, or `train` with row numbers into
    the full set X[full_ix], y[full_ix].
    """
    with np.load(path, allow_pickle=False) as file:
        missing = {"X", "y"} - set(file.files)
        if missing:
            raise ValueError(f"{path} must have the arrays X and y; it lacks {', '.join(sorted(missing))}")
        X, y = file["X"], file["y"]
        kind = str(file["kind"]) if "kind" in file.files else ""
        realisations = file["train"] if "train" in file.files else None
        n_train = int(file["n_train"]) if "n_train" in file.files else None
        if "full_ix" in file.files:
            X, y = X[file["full_ix"]], y[file["full_ix"]]
    if X.ndim != 2 or y.shape != X.shape[:1] or len(kind) not in (0, X.shape[1]):
        shapes = f"X {X.shape}, y {y.shape}, kind {len(kind)}"
        raise ValueError(f"{path} must have X (m x d), y (m) and, if at all, kind (d letters); got {shapes}")
    labels = np.unique(y)
    if set(labels) not in ({-1, 1}, set(range(max(3, len(labels))))):
        raise ValueError(
            f"{path} must have the labels -1 and 1, or 0 to k - 1 of k > 2 classes; got {labels[:5]}"
        )
    categorical = tuple(f for f, letter in enumerate(kind) if letter == CATEGORICAL)
    return LabelledRows(X, y.astype(np.int64), categorical, realisations, n_train)


def save_set(folder: Path, dataset: Dataset, categorical: Categorical) -> None:
    """Write a data set to a folder; a ValueError if the folder has another set of this name."""
    path = folder / f"{dataset.name}.npz"
    kind = "".join(CATEGORICAL if f in categorical else NUMBER for f in range(dataset.X.shape[1]))
    if path.exists():
        kept = read(path)
        same = np.array_equal(kept.X, dataset.X, equal_nan=True) and np.array_equal(kept.y, dataset.y)
        if not same or kept.categorical != tuple(categorical):
            raise ValueError(f"{dataset.name} is not what it was when the study began, see {path}")
        return
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        np.savez(file, X=dataset.X, y=dataset.y, kind=kind)


def split_count(path: Path, wanted: int, train_rows: int) -> int:
    """The number of different splits of a data set, at most `wanted`."""
    with np.load(path, allow_pickle=False) as file:
        if "train" in file.files:
            return min(wanted, len(file["train"]))
        if "n_train" in file.files and int(file["n_train"]) <= train_rows:
            return 1
    return wanted


def split_rows(
    data: LabelledRows, split: int, train_rows: int, test_rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw at most `train_rows` training rows and `test_rows` test rows of a split.

    The split is an official one if the set has official splits, and otherwise a random one with a fifth of
    the rows as test rows. Every draw keeps the shares of the labels. The same number `split` gives the same
    rows.
    """
    rows = np.arange(len(data.y))
    if data.realisations is not None:
        train = data.realisations[split].astype(np.intp)
        test = np.setdiff1d(rows, train)
    elif data.n_train is not None:
        train, test = rows[: data.n_train], rows[data.n_train :]
    else:
        train, test = train_test_split(rows, test_size=TEST_SHARE, stratify=data.y, random_state=split)
    return _draw(train, train_rows, data, split), _draw(test, test_rows, data, split)


def _draw(rows: NDArray[np.intp], most: int, data: LabelledRows, seed: int) -> NDArray[np.intp]:
    if len(rows) <= most:
        return rows
    drawn: NDArray[np.intp]
    drawn, _ = train_test_split(rows, train_size=most, stratify=data.y[rows], random_state=seed)
    return drawn
