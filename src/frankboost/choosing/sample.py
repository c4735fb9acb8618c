"""The rows that nu is chosen on: all, or of many so many of each class, by what they hold.

Neither the order of the rows nor where they lie decides which rows these are, so that a cluster chooses what
one machine chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from frankboost.choosing.constants import ENOUGH, FEWEST
from frankboost.choosing.held_out import Hashes, Patterns, row_keys
from frankboost.fitting.problems import TrainingSet, training_sets
from frankboost.grid import exact_sum
from frankboost.tables.labelled import LabelledRows
from frankboost.typing import Flags, Floats, Indices

EVERY = np.uint64(2**64 - 1)


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows to choose nu on.

    Attributes
    ----------
    sets : list of TrainingSet
        One for each ensemble that is to be fitted.
    carries : array of bool
        Which of the rows given to `fit` they are.
    patterns : Patterns
        What they hold.
    """

    sets: Sequence[TrainingSet]
    carries: Flags
    patterns: Patterns


def sample_of(data: LabelledRows, seed: int, *, joint: bool = False, threads: int = 1) -> Sample:
    """The sample of rows that are in this process."""
    keys, classes = row_keys(data.X, seed, threads), len(data.classes)
    enough = enough_of(classes)
    limits = limits_of([least_keys(keys, data.code, classes, enough)], enough)
    if (limits == EVERY).all():
        return Sample(training_sets(data, joint=joint), data.carries, Patterns.of(keys))
    totals = totals_of(data.code, data.sample_weight, classes)
    rows = np.flatnonzero(within(keys, data.code, limits))
    first, weight = once(keys[rows], data.code[rows], data.sample_weight[rows])
    rows = rows[first]
    carries = np.zeros_like(data.carries)
    carries[np.flatnonzero(data.carries)[rows]] = True
    code = data.code[rows]
    some = replace(
        data, X=data.X[rows], code=code, sample_weight=standing_for(totals, code, weight), carries=carries
    )
    return Sample(training_sets(some, joint=joint), carries, Patterns.of(keys[rows]))


def enough_of(classes: int) -> int:
    """How many different rows of a class are enough."""
    return max(ENOUGH // classes, FEWEST)


def least_keys(keys: Hashes, code: Indices, classes: int, enough: int) -> list[Hashes]:
    """The least different keys of each class, as many as are enough and one more."""
    return [_least(keys[code == k], enough + 1) for k in range(classes)]


def _least(keys: Hashes, count: int) -> Hashes:
    if len(keys) > 4 * count:  # to sort all of them would take long
        few = np.unique(np.partition(keys, 2 * count)[: 2 * count])
        if len(few) >= count:
            return few[:count]
    return np.unique(keys)[:count]


def limits_of(found: Sequence[list[Hashes]], enough: int) -> Hashes:
    """The largest key of each class that is in the sample, from the least keys of each part of the rows."""
    least = (np.unique(np.concatenate(each)) for each in zip(*found, strict=True))
    return np.array([each[enough - 1] if len(each) > enough else EVERY for each in least], dtype=np.uint64)


def within(keys: Hashes, code: Indices, limits: Hashes) -> Flags:
    """Which rows are in the sample."""
    return keys <= limits[code]


def once(keys: Hashes, code: Indices, weight: Floats) -> tuple[Indices, Floats]:
    """The places of different rows, with the weights of all that equal each; in the order of the rows."""
    group = np.unique(keys, return_inverse=True)[1]
    kind = group * (1 + int(code.max(initial=0))) + code
    _, first, same = np.unique(kind, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.bincount(same, weight, len(first)).astype(np.float64)[order]


def totals_of(code: Indices, weight: Floats, classes: int) -> list[Fraction]:
    """The weight of each class, exactly."""
    return [exact_sum(weight[code == k]) for k in range(classes)]


def standing_for(totals: Sequence[Fraction], code: Indices, weight: Floats) -> Floats:
    """The weights of the sample, with the shares that the classes have of all rows."""
    some = totals_of(code, weight, len(totals))
    size = sum(some, Fraction(0)) / sum(totals, Fraction(0))
    factors = [float(whole / part * size) for whole, part in zip(totals, some, strict=True)]
    found: Floats = weight * np.array(factors)[code]
    return found
