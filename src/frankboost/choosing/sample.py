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


def sample_of(data: LabelledRows, seed: int, *, joint: bool = False) -> Sample:
    """That of rows which lie here."""
    keys, classes = row_keys(data.X, seed), len(data.classes)
    limits = limits_of([least_keys(keys, data.code, classes)])
    if (limits == EVERY).all():
        return Sample(training_sets(data, joint=joint), data.carries, Patterns.of(keys))
    totals = [exact_sum(data.sample_weight[data.code == k]) for k in range(classes)]
    rows = np.flatnonzero(within(keys, data.code, limits))
    carries = np.zeros_like(data.carries)
    carries[np.flatnonzero(data.carries)[rows]] = True
    code, weight = data.code[rows], data.sample_weight[rows]
    some = replace(
        data,
        X=data.X[rows],
        code=code,
        sample_weight=standing_for(totals, code, weight),
        carries=carries,
    )
    return Sample(training_sets(some, joint=joint), carries, Patterns.of(keys[rows]))


def least_keys(keys: Hashes, code: Indices, classes: int) -> list[Hashes]:
    """The least different keys of each class, as many as are enough of one class."""
    enough = max(ENOUGH // classes, FEWEST)
    return [np.unique(keys[code == k])[:enough] for k in range(classes)]


def limits_of(found: Sequence[list[Hashes]]) -> Hashes:
    """The largest key of each class that is in the sample, from the least keys of each part of the rows."""
    classes = len(found[0])
    enough = max(ENOUGH // classes, FEWEST)
    least = [np.unique(np.concatenate([each[k] for each in found])) for k in range(classes)]
    return np.array([each[enough - 1] if len(each) >= enough else EVERY for each in least], dtype=np.uint64)


def within(keys: Hashes, code: Indices, limits: Hashes) -> Flags:
    """Which rows are in the sample."""
    return keys <= limits[code]


def standing_for(totals: Sequence[Fraction], code: Indices, weight: Floats) -> Floats:
    """The weights of the sample, with the shares that the classes have of all rows."""
    some = [exact_sum(weight[code == k]) for k in range(len(totals))]
    size = sum(some, Fraction(0)) / sum(totals, Fraction(0))
    factors = [float(all_of_it / part * size) for all_of_it, part in zip(totals, some, strict=True)]
    found: Floats = weight * np.array(factors)[code]
    return found
