"""A set of the collection: unique patterns, how the full set repeats them, and its realisations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.datasets.base import Floats, Ints

UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class Patterns:
    """Unique rows (x, y), the full set as row numbers of these, and the training rows of each realisation.

    Attributes
    ----------
    X : array of shape (m, d)
    y : array of shape (m,)
        -1 or +1.
    full_ix : array of shape (n,)
        The full set is X[full_ix], y[full_ix].
    train : array of shape (realisations, n_train)
        Row numbers into the full set; the rows that are not named are for the test.
    """

    X: Floats
    y: Ints
    full_ix: Ints
    train: Ints


def from_splits(X: Floats, y: Ints, train: Ints, test: Ints) -> Patterns:
    """Patterns from rows and the numbers of those to train on and to test on, one line per realisation.

    The patterns are in the lexicographic order of (x, y). The full set has the training rows of the first
    realisation and then its test rows; any other realisation takes equal rows from the top. One that has
    other rows than the first is a line of `UNKNOWN`.
    """
    rows, pattern = np.unique(np.column_stack([X, y]), axis=0, return_inverse=True)
    pattern = pattern.reshape(-1)
    full_ix = pattern[np.concatenate([train[0], test[0]])]
    places = np.argsort(full_ix, kind="stable")  # pattern p is at places[start[p] : start[p] + count[p]]
    count = np.bincount(full_ix, minlength=len(rows))
    start = np.cumsum(count) - count
    taken = np.full(train.shape, UNKNOWN)
    for k, (trained, tested) in enumerate(zip(pattern[train], pattern[test], strict=True)):
        if np.array_equal(np.bincount(np.append(trained, tested), minlength=len(rows)), count):
            taken[k] = places[start[trained] + _occurrence(trained)]
    return Patterns(rows[:, :-1], rows[:, -1].astype(np.int64), full_ix, taken)


def _occurrence(values: Ints) -> Ints:
    """How often each value came before.

    >>> _occurrence(np.array([5, 3, 5, 5, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(values, kind="stable")
    _, first, count = np.unique(values[order], return_index=True, return_counts=True)
    occurrence = np.empty(len(values), dtype=np.int64)
    occurrence[order] = np.arange(len(values)) - np.repeat(first, count)
    return occurrence
