"""Which rows of a set are fitted, and which are kept for the test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from studies.sets import LabelledRows

TEST_SHARE = 0.2


def count(path: Path, wanted: int, train_rows: int) -> int:
    """How many different splits a set has, at most as many as wanted."""
    with np.load(path, allow_pickle=False) as file:
        if "train" in file.files:
            return min(wanted, len(file["train"]))
        if "n_train" in file.files and int(file["n_train"]) <= train_rows:
            return 1
    return wanted


def rows_of(
    data: LabelledRows, split: int, train_rows: int, test_rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Training and test rows, no more than asked for, the same for the same number of the split.

    They are drawn from the two parts of an official split, if there is one, or else of a random one with a
    fifth of the rows for the test. Every draw keeps the share of the labels.
    """
    rows = np.arange(len(data.y))
    if data.realisations is not None:
        train = data.realisations[split].astype(np.intp)
        test = np.setdiff1d(rows, train)
    elif data.n_train is not None:
        train, test = rows[: data.n_train], rows[data.n_train :]
    else:
        train, test = train_test_split(rows, test_size=TEST_SHARE, stratify=data.y, random_state=split)
    return _at_most(train, train_rows, data, split), _at_most(test, test_rows, data, split)


def _at_most(rows: NDArray[np.intp], most: int, data: LabelledRows, seed: int) -> NDArray[np.intp]:
    if len(rows) <= most:
        return rows
    drawn: NDArray[np.intp]
    drawn, _ = train_test_split(rows, train_size=most, stratify=data.y[rows], random_state=seed)
    return drawn
