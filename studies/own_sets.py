"""Data sets of one's own in a study, kept beside its results: one that goes on finds the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from frankboost.datasets import NAMES, Dataset
from frankboost.replacement import replacing
from studies.problems import SMALL_SETS, WORST_CASE

FOLDER = "sets"  # beside the results
TAKEN = {*NAMES, WORST_CASE, *(name for name, _ in SMALL_SETS)}  # names that mean other rows
Categorical = tuple[int, ...]


def keep_own(folder: Path, dataset: Dataset, categorical: Categorical) -> None:
    """Keep a set in a folder; ValueError if other rows are kept there by its name."""
    path = folder / f"{dataset.name}.npz"
    arrays: dict[str, Any] = {
        "X": dataset.X,
        "y": dataset.y,
        "categorical": np.array(categorical, dtype=np.int64),
    }
    if path.exists():
        with np.load(path) as kept:
            same = all(np.array_equal(kept[name], array, equal_nan=True) for name, array in arrays.items())
        if not same:
            raise ValueError(f"{dataset.name} is not what it was when the study began, see {path}")
        return
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        np.savez(file, **arrays)


def load_own(name: str, folder: Path) -> tuple[Dataset, Categorical]:
    """A set that was kept, and its columns of categories."""
    with np.load(folder / f"{name}.npz") as kept:
        return Dataset(name, kept["X"], kept["y"]), tuple(kept["categorical"].tolist())
