"""The rows that are held out: random parts, and folds of scikit-learn."""

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

FACTOR_1, FACTOR_2, INCREMENT = (
    np.uint64(each) for each in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x9E3779B97F4A7C15)
)
BLOCK = 2**14  # rows whose keys fit into a processor's cache
JOINT_ROWS = 300  # the number of held-out rows that is enough for many classes in one game: by time
MISSING = np.uint64(0x7FF8000000000000)  # the bits that stand for every NaN


def row_keys(X: Floats | Rows, seed: int = 0, threads: int = 1) -> Hashes:
    """A 64-bit hash of each row and the seed, which does not depend on the other rows or on the order."""
    if isinstance(X, SparseRows):  # sparse rows are stored by columns, so blocks of rows would not help
        return _hash_rows(X, seed)

    def hash_block(begin: int) -> Hashes:
        return _hash_rows(np.asarray(X[begin : begin + BLOCK]), seed)

    return np.concatenate(mapped(hash_block, range(0, max(len(X), 1), BLOCK), threads))


def _hash_rows(X: Floats | Rows, seed: int) -> Hashes:
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
    """Make each bit depend on all bits (the finaliser of splitmix64: Steele, Lea, Flood, 2014)."""
    bits += INCREMENT
    bits ^= bits >> np.uint64(30)
    bits *= FACTOR_1
    bits ^= bits >> np.uint64(27)
    bits *= FACTOR_2
    bits ^= bits >> np.uint64(31)


@dataclass(frozen=True, eq=False)
class Patterns:
    """The pattern of each row: equal rows have the same pattern, whatever their labels and weights.

    The patterns are numbered in a random order, which the seed and the content of the rows decide.
    """

    number: Indices  # one entry per row
    count: int

    @classmethod
    def of(cls, keys: Hashes) -> Patterns:
        """The patterns of rows with these keys."""
        distinct, number = np.unique(keys, return_inverse=True)
        return cls(number, len(distinct))

    def split(self, code: Indices, parts: int) -> Indices:
        """Split the rows into parts; returns the part of each row.

        Equal rows are in the same part. Each class is spread evenly over all parts.
        """
        least, most = np.full(self.count, code.max()), np.zeros(self.count, dtype=np.intp)
        np.minimum.at(least, self.number, code)
        np.maximum.at(most, self.number, code)
        # With two classes, patterns of both come between those of one, so each class is one run of patterns.
        order = np.lexsort((np.arange(self.count), most, least))
        part = np.empty(self.count, dtype=np.intp)
        part[order] = np.arange(self.count) % parts
        return part[self.number]

    def count_in(self, rows: Flags) -> int:
        """The number of different patterns of some rows."""
        return len(np.unique(self.number[rows]))


def held_out_masks(patterns: Patterns, y: Floats, fraction: float, classes: int = 2) -> list[Flags]:
    """Masks of the rows to hold out: one part of this fraction, or several parts if there are few rows.

    Equal rows are held out together, so that no held-out row is a copy of a fitted row. There is no mask if a
    class has a single row, or only equal rows; many classes in one game leave out only such a class.
    """
    if classes > 2:
        return _joint_masks(patterns, y.astype(np.intp), fraction)
    parts = min(max(round(1.0 / fraction), 2), patterns.count_in(y > 0.0), patterns.count_in(y <= 0.0))
    if parts < 2:
        return []
    part = patterns.split((y <= 0.0).astype(np.intp), parts)
    enough = min(parts, -(-ROWS * parts // patterns.count))  # parts that together have enough patterns
    return [part == k for k in range(enough)]


def _joint_masks(patterns: Patterns, code: Indices, fraction: float) -> list[Flags]:
    """Masks of the rows to hold out, each with about the same share of each class."""
    all_equal = np.array([patterns.count_in(code == c) < 2 for c in range(code.max() + 1)])[code]
    if all_equal.all():
        return []
    parts = max(round(1.0 / fraction), 2)
    part = patterns.split(code, parts)
    # A class with fewer rows than parts has one row in some parts, so that each fit leaves out another row.
    masks = [mask for mask in ((part == k) & ~all_equal for k in range(parts)) if mask.any()]
    sizes = np.cumsum([mask.sum() for mask in masks])
    return masks[: 1 + int(np.searchsorted(sizes, JOINT_ROWS))]


def make_folds(
    name: str, cv: Any, labels: NDArray[Any], carries: Flags, groups: Any = None
) -> list[tuple[Indices, Indices]]:
    """The folds of a number or a splitter, checked to have all classes in each fit.

    Rows without weight are in none of the folds. `name` is the name of the argument in errors.
    """
    from sklearn.model_selection import check_cv  # noqa: PLC0415  (heavy)

    most = _count_largest_class(name, labels, carries)
    if isinstance(cv, Integral) and int(cv) > most:
        raise ValueError(
            f"{name} must be at most {most}, the number of rows in the largest class "
            f"(n_samples={carries.sum()}); got {cv!r}"
        )
    splitter = check_cv(cv, labels[carries], classifier=True)
    if isinstance(cv, Integral) or hasattr(cv, "split"):
        folds = _split_rows(splitter, labels, carries, groups)
    else:  # the user's own folds also have the rows without weight
        given = ((np.asarray(train), np.asarray(test)) for train, test in splitter.split())
        folds = [(train[carries[train]], test[carries[test]]) for train, test in given]
    check_folds(name, folds, labels, carries)
    return folds


def _count_largest_class(name: str, labels: NDArray[Any], carries: Flags) -> int:
    """The number of rows of the largest class, which must be at least two."""
    classes, counts = np.unique(labels[carries], return_counts=True)
    if counts.max() < 2:
        raise ValueError(
            f"y must have at least two rows of every class for {name}, which holds rows out; "
            f"{classes.tolist()[0]!r} has one (n_samples={len(labels)})"
        )
    return int(counts.max())


def _split_rows(
    splitter: Any, labels: NDArray[Any], carries: Flags, groups: Any
) -> list[tuple[Indices, Indices]]:
    """The folds of a splitter of scikit-learn, over the rows with weight."""
    rows = np.flatnonzero(carries)
    groups = None if groups is None else _safe_indexing(groups, rows)
    parts = splitter.split(np.zeros(len(rows)), labels[rows], groups)
    return [(rows[train], rows[test]) for train, test in parts]


def check_folds(
    name: str, folds: Sequence[tuple[Indices, Indices]], labels: NDArray[Any], carries: Flags
) -> None:
    """Raise a ValueError unless each fold leaves rows of all classes to fit."""
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
