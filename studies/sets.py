"""Data sets as .npz files of a folder: rows, labels, what the columns are, and official splits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets import Dataset
from frankboost.replacement import replacing

CATEGORICAL, NUMBER = "c", "n"
Categorical = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Rows with labels -1 and 1, the numbers of the columns that hold categories, and the official splits.

    `realisations` are the official training rows, a line for each split; of a set with `n_train` the first
    so many rows are for training. The other rows are for testing.
    """

    X: NDArray[Any]
    y: NDArray[np.int64]
    categorical: Categorical = ()
    realisations: NDArray[Any] | None = None
    n_train: int | None = None


def find(folder: Path, names: list[str] | None = None) -> dict[str, Path]:
    """The files in a folder and the folders in it, by the names of the sets; all, or those that are named."""
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
    """A set; a ValueError names the file and what is wrong with it.

    A file has X (m x d) and y (-1 or 1). It may have `kind`, a letter for each column, of which c means
    codes of categories; and `n_train`, or `train` with row numbers into the full set X[full_ix], y[full_ix].
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
    if set(np.unique(y)) != {-1, 1}:
        raise ValueError(f"{path} must have the labels -1 and 1; got {np.unique(y)[:5]}")
    categorical = tuple(f for f, letter in enumerate(kind) if letter == CATEGORICAL)
    return LabelledRows(X, y.astype(np.int64), categorical, realisations, n_train)


def keep(folder: Path, dataset: Dataset, categorical: Categorical) -> None:
    """Write a set to a folder, for a study to find; a ValueError if other rows are there by its name."""
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
