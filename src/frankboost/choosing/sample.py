"""The rows that nu is chosen on: all rows, or a sample of each class if there are very many rows.

The sample has the rows of each class with the smallest keys. A key depends on the content of a row alone, so
that a cluster draws the same sample as one machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from frankboost.choosing.constants import MIN_CLASS_SAMPLE, SAMPLE_ROWS
from frankboost.choosing.held_out import Hashes, Patterns, row_keys
from frankboost.fitting.problems import TrainingSet, make_training_sets
from frankboost.grid import exact_sum
from frankboost.tables.labelled import LabelledRows
from frankboost.typing import Flags, Floats, Indices

NO_LIMIT = np.uint64(2**64 - 1)  # the largest key


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows that nu is chosen on.

    Attributes
    ----------
    sets : list of TrainingSet
        One training set for each ensemble.
    carries : array of bool
        Which of the rows given to `fit` are in the sample.
    patterns : Patterns
        Which rows of the sample are equal.
    """

    sets: Sequence[TrainingSet]
    carries: Flags
    patterns: Patterns


def draw_sample(data: LabelledRows, seed: int, *, joint: bool = False, threads: int = 1) -> Sample:
    """Draw the sample from rows in this process."""
    keys, classes = row_keys(data.X, seed, threads), len(data.classes)
    size = class_sample_size(classes)
    limits = key_limits([smallest_keys(keys, data.code, classes, size + 1)], size)
    if (limits == NO_LIMIT).all():
        return Sample(make_training_sets(data, joint=joint), data.carries, Patterns.of(keys))
    totals = class_weights(data.code, data.sample_weight, classes)
    rows = np.flatnonzero(are_sampled(keys, data.code, limits))
    first, weight = merge_equal_rows(keys[rows], data.code[rows], data.sample_weight[rows])
    rows = rows[first]
    carries = np.zeros_like(data.carries)
    carries[np.flatnonzero(data.carries)[rows]] = True
    code = data.code[rows]
    sample = replace(
        data, X=data.X[rows], code=code, sample_weight=rescale_weights(totals, code, weight), carries=carries
    )
    return Sample(make_training_sets(sample, joint=joint), carries, Patterns.of(keys[rows]))


def class_sample_size(classes: int) -> int:
    """The number of different rows of each class in the sample."""
    return max(SAMPLE_ROWS // classes, MIN_CLASS_SAMPLE)


def smallest_keys(keys: Hashes, code: Indices, classes: int, count: int) -> list[Hashes]:
    """The `count` smallest different keys of each class."""
    return [_smallest(keys[code == k], count) for k in range(classes)]


def _smallest(keys: Hashes, count: int) -> Hashes:
    if len(keys) > 4 * count:  # sorting all keys would take long
        few = np.unique(np.partition(keys, 2 * count)[: 2 * count])
        if len(few) >= count:
            return few[:count]
    return np.unique(keys)[:count]


def key_limits(found: Sequence[list[Hashes]], size: int) -> Hashes:
    """The largest key of each class in a sample of this size, from the smallest keys of each part of the
    rows.

    The limit is `NO_LIMIT` if the class has no more rows than that.
    """
    smallest = (np.unique(np.concatenate(each)) for each in zip(*found, strict=True))
    return np.array([each[size - 1] if len(each) > size else NO_LIMIT for each in smallest], dtype=np.uint64)


def are_sampled(keys: Hashes, code: Indices, limits: Hashes) -> Flags:
    """Whether each row is in the sample."""
    return keys <= limits[code]


def merge_equal_rows(keys: Hashes, code: Indices, weight: Floats) -> tuple[Indices, Floats]:
    """Merge rows with the same key and class: the position of the first row, and the sum of the weights.

    The merged rows are in the order of these positions.
    """
    group = np.unique(keys, return_inverse=True)[1]
    kind = group * (1 + int(code.max(initial=0))) + code
    _, first, kind = np.unique(kind, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.bincount(kind, weight, len(first)).astype(np.float64)[order]


def class_weights(code: Indices, weight: Floats, classes: int) -> list[Fraction]:
    """The exact total weight of each class."""
    return [exact_sum(weight[code == k]) for k in range(classes)]


def rescale_weights(totals: Sequence[Fraction], code: Indices, weight: Floats) -> Floats:
    """Scale the weights of the sample so that each class has its share of the weight of all rows."""
    sampled = class_weights(code, weight, len(totals))
    size = sum(sampled, Fraction(0)) / sum(totals, Fraction(0))
    factors = [float(whole / part * size) for whole, part in zip(totals, sampled, strict=True)]
    found: Floats = weight * np.array(factors)[code]
    return found
