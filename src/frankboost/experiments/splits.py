"""Which rows are fitted and which are kept aside."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

FIFTHS = 5

Rows = NDArray[np.intp]


def split_rows(y: NDArray[Any], split: int | None, fold: int | None, seed: int) -> tuple[Rows, Rows]:
    """The rows to fit and those kept aside, none without a split.

    All rows fall into five parts of like labels, and `split` is the one for testing; with a `fold` the
    others fall into five parts again, and that one is kept aside in the place of the test rows, which are
    not looked at.
    """
    everything = np.arange(len(y))
    if split is None:
        return everything, everything[:0]
    fitted, aside = _fifth(y, split, seed)
    if fold is None:
        return fitted, aside
    inner, validated = _fifth(y[fitted], fold, seed)
    return fitted[inner], fitted[validated]


def _fifth(y: NDArray[Any], number: int, seed: int) -> tuple[Rows, Rows]:
    parts = StratifiedKFold(FIFTHS, shuffle=True, random_state=seed)
    fitted, aside = list(parts.split(y, y))[number]
    return fitted, aside
