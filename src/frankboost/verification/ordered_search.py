"""What trees pay that keep to an order of their votes along features (proof: docs/theory/constraints.md).

Let no tree fall along the feature of a root, with A on its left and B on its right side (where none rises,
the sides change their roles). Then the numbers of A all vote -1, or those of B all vote +1, or both sides
split one other feature and what votes +1 in A does so in B. Missing values of the root's feature have no part
in the order, nor has a threshold that every number is at most.
"""

from __future__ import annotations

import numpy as np

from frankboost.typing import Floats
from frankboost.verification.cells import Feature


def stump_pays(profiles: Floats, child: Feature, *, tells_missing: bool) -> Floats:
    """The best that stumps on a feature of numbers, or leaves, pay on each set, where votes have an order.

    `tells_missing`: a threshold tells missing values from all numbers of the set, whatever their votes.
    """
    missing, numbers = profiles[:, -1], profiles[:, -2]
    total = numbers + missing
    left = profiles[:, : child.cuts]
    if child.sign > 0:
        ordered = total - 2.0 * (left.min(axis=1) + np.minimum(missing, 0.0))
    else:
        ordered = 2.0 * (left.max(axis=1) + np.maximum(missing, 0.0)) - total
    best: Floats = np.maximum(np.abs(total), ordered)
    return np.maximum(best, np.abs(numbers - missing)) if tells_missing else best


def pays_of_both(left: Floats, right: Floats, child: Feature, sign: int) -> Floats:
    """The best that stumps on one feature pay on both sides of each cut, if their votes are in order."""
    less, more = (left, right) if sign > 0 else (right, left)
    if child.categorical:
        each: Floats = np.maximum(np.abs(less + more), more - less).sum(axis=1)
        return each
    total = less[:, -2] + more[:, -2]
    a, b = less[:, : child.cuts], more[:, : child.cuts]
    best = np.full(len(left), -np.inf)
    if child.sign >= 0:  # a is not below b
        least = np.minimum.accumulate(b, axis=1)
        nested = a + (np.minimum(least, 0.0) if child.present else least)
        best = np.maximum(best, total - 2.0 * nested.min(axis=1))
    if child.sign <= 0:  # nor above it
        most = np.maximum.accumulate(a, axis=1)
        nested = b + (np.maximum(most, 0.0) if child.present else most)
        best = np.maximum(best, 2.0 * nested.max(axis=1) - total)
    missing: Floats = np.maximum(np.abs(less[:, -1] + more[:, -1]), more[:, -1] - less[:, -1])
    return best + missing
