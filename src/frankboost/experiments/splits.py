"""Which rows are fitted and which are kept aside."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from frankboost.typing import Indices

FIFTHS = 5


def split_rows(y: NDArray[Any], split: int | None, fold: int | None, seed: int) -> tuple[Indices, Indices]:
    """The rows to fit and those kept aside, none without a split.

    All rows fall into five parts of like labels, and `split` is the one for testing; with a `fold` the
    others fall into five parts again, and that one is kept aside in the place of the test rows, which are
    not looked at.
    """
    fitted = np.arange(len(y))
    aside = fitted[:0]
    parts = StratifiedKFold(FIFTHS, shuffle=True, random_state=seed)
    for number in (split, fold):
        if number is not None:
            inner, outer = list(parts.split(fitted, y[fitted]))[number]
            fitted, aside = fitted[inner], fitted[outer]
    return fitted, aside
