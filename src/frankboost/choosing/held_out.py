"""Rows that are held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from frankboost.choosing.constants import ROWS
from frankboost.learners.rows import Rows, SparseRows
from frankboost.threads import mapped
from frankboost.typing import Flags, Floats, Indices

Hashes = NDArray[np.uint64]


FIRST, SECOND, ODD = (
    np.uint64(each) for each in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x9E3779B97F4A7C15)
)
BLOCK = 2**14  # rows whose keys stay in a processor's cache
ROWS_TOGETHER = 300  # of many classes in one game that are enough to hold out: by time
MISSING = np.uint64(0x7FF8000000000000)  # the bits of one NaN, for all of them


def row_keys(X: Floats | Rows, seed: int = 0, threads: int = 1) -> Hashes:
    """64 bits of each row's content and the seed: equal rows have equal ones, wherever they stand."""
    if isinstance(X, SparseRows):  # which have their columns at hand
        return _keys_of(X, seed)

    def of_block(begin: int) -> Hashes:
        return _keys_of(np.asarray(X[begin : begin + BLOCK]), seed)

    return np.concatenate(mapped(of_block, range(0, max(len(X), 1), BLOCK), threads))


def _keys_of(X: Floats | Rows, seed: int) -> Hashes:
    found = np.zeros(len(X), dtype=np.uint64)
    for f in range(X.shape[1]):
        column = X[:, f] + 0.0  # -0.0 becomes 0.0
        bits = column.astype(np.float64, copy=False).view(np.uint64)
        bits[np.isnan(column)] = MISSING
        found ^= bits
        _mix(found)
    seeded = np.full(1, seed, dtype=np.uint64)
    _mix(seeded)
    found ^= seeded
    _mix(found)
    return found


def _mix(bits: Hashes) -> None:
    """Make each bit depend on all (the finaliser of splitmix64: Steele, Lea, Flood, 2014)."""
    bits += ODD
    bits ^= bits >> np.uint64(30)
    bits *= FIRST
    bits ^= bits >> np.uint64(27)
    bits *= SECOND
    bits ^= bits >> np.uint64(31)


@dataclass(frozen=True, eq=False)
class Patterns:
    """The patterns of the rows: one number for all rows that are equal, whatever their labels, weights and
    order.

    The numbers are those of a random order that a seed and the content of the rows alone decide.
    """

    number: Indices  # of each row's
    count: int

    @classmethod
    def of(cls, keys: Hashes) -> Patterns:
        """The patterns of rows, from their keys."""
        distinct, number = np.unique(keys, return_inverse=True)
        return cls(number, len(distinct))

    def dealt(self, code: Indices, parts: int) -> Indices:
        """The part of each row: equal rows are in the same part, and each class is spread evenly over all
        parts."""
        least, most = np.full(self.count, code.max()), np.zeros(self.count, dtype=np.intp)
        np.minimum.at(least, self.number, code)
        np.maximum.at(most, self.number, code)
        # Patterns of both of two classes come between those of one: so those of a class follow each other.
        order = np.lexsort((np.arange(self.count), most, least))
        part = np.empty(self.count, dtype=np.intp)
        part[order] = np.arange(self.count) % parts
        return part[self.number]

    def of_class(self, rows: Flags) -> int:
        """How many different patterns some rows have."""
        return len(np.unique(self.number[rows]))


def held_out_parts(patterns: Patterns, y: Floats, fraction: float, classes: int = 2) -> list[Flags]:
    """The parts of the rows to hold out: one part of this size, or several if there are few rows.

    Equal rows are held out together, so that no copy of a row that is fitted is among them. There are none if
    a class has a single row, or rows that are all equal; with many classes in one game, only of such a class.
    """
    if classes > 2:
        return _parts_together(patterns, y.astype(np.intp), fraction)
    count = min(max(round(1.0 / fraction), 2), patterns.of_class(y > 0.0), patterns.of_class(y <= 0.0))
    if count < 2:
        return []
    part = patterns.dealt((y <= 0.0).astype(np.intp), count)
    return enough_parts(part, count, patterns.count)


def _parts_together(patterns: Patterns, code: Indices, fraction: float) -> list[Flags]:
    """The parts of the rows to hold out, with about the same share of each class; several if there are few
    rows.

    Equal rows are held out together. A class whose rows are all equal is never held out.
    """
    alone = np.array([patterns.of_class(code == c) < 2 for c in range(code.max() + 1)])[code]
    if alone.all():
        return []
    count = max(round(1.0 / fraction), 2)
    part = patterns.dealt(code, count)
    # A class with fewer rows than parts is in each of its own, so that every fit has another of its rows.
    masks = [mask for mask in ((part == k) & ~alone for k in range(count)) if mask.any()]
    sizes = np.cumsum([mask.sum() for mask in masks])
    return masks[: 1 + int(np.searchsorted(sizes, ROWS_TOGETHER))]


def checked_folds(
    name: str, cv: Any, labels: NDArray[Any], carries: Flags, groups: Any = None
) -> list[tuple[Indices, Indices]]:
    """The folds of a number or a splitter, checked to have all classes; `name` is the argument in errors.

    Rows that carry no weight are in none of them.
    """
    from sklearn.model_selection import check_cv  # noqa: PLC0415  (heavy)

    most = largest_class(name, labels, carries)
    if isinstance(cv, Integral) and int(cv) > most:
        raise ValueError(
            f"{name} must be at most {most}, the number of rows in the largest class "
            f"(n_samples={carries.sum()}); got {cv!r}"
        )
    splitter = check_cv(cv, labels[carries], classifier=True)
    if isinstance(cv, Integral) or hasattr(cv, "split"):
        folds = folds_of(splitter, labels, carries, groups)
    else:  # folds that are given number all rows
        given = ((np.asarray(train), np.asarray(test)) for train, test in splitter.split())
        folds = [(train[carries[train]], test[carries[test]]) for train, test in given]
    check_folds(name, folds, labels, carries)
    return folds


def largest_class(name: str, labels: NDArray[Any], carries: Flags) -> int:
    """The number of rows of the largest class; every class must have two rows. `name` is the argument in
    errors."""
    classes, counts = np.unique(labels[carries], return_counts=True)
    if counts.max() < 2:
        raise ValueError(
            f"y must have at least two rows of every class for {name}, which holds rows out; "
            f"{classes.tolist()[0]!r} has one (n_samples={len(labels)})"
        )
    return int(counts.max())


def folds_of(
    splitter: Any, labels: NDArray[Any], carries: Flags, groups: Any = None
) -> list[tuple[Indices, Indices]]:
    """The folds of a splitter of scikit-learn, for the rows that carry weight."""
    rows = np.flatnonzero(carries)
    groups = None if groups is None else _safe_indexing(groups, rows)
    parts = splitter.split(np.zeros(len(rows)), labels[rows], groups)
    return [(rows[train], rows[test]) for train, test in parts]


def check_folds(
    name: str, folds: Sequence[tuple[Indices, Indices]], labels: NDArray[Any], carries: Flags
) -> None:
    """Raise a ValueError unless each fold fits rows of all classes; `name` is the argument in errors."""
    classes, counts = np.unique(labels[carries], return_counts=True)
    for k, (train, _) in enumerate(folds):
        left = np.unique(labels[train])
        if len(left) == len(classes):
            continue
        gone = ~np.isin(classes, left)
        if counts[gone].min() == 1:
            label = classes[gone & (counts == 1)].tolist()[0]
            raise ValueError(
                f"y must have at least two rows of every class for {name}, which holds rows out; "
                f"{label!r} has one"
            )
        raise ValueError(
            f"{name} must leave rows of every class to fit; fold {k} leaves only {left.tolist()} of the "
            f"classes {classes.tolist()}"
        )


def enough_parts(part: Indices, count: int, rows: int) -> list[Flags]:
    """The first of the parts that together hold enough different rows."""
    return [part == k for k in range(min(count, -(-ROWS * count // rows)))]


def mask_of(rows: Indices, count: int) -> Flags:
    """A mask of `count` rows that is True at these rows."""
    mask = np.zeros(count, dtype=np.bool_)
    mask[rows] = True
    return mask
