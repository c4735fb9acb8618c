"""The values of features in groups that thresholds or categories tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from frankboost.constraints import LARGEST, Constraints, signs_along
from frankboost.typing import Floats

Groups = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Feature:
    """The values of one feature, in groups that the thresholds tell alone.

    Cut k = 0, 1, ... sends the groups 0..k to the left. Rows whose value is missing are in group `groups`.
    If the groups are categories, a cut sends some of them left, or none but the missing rows.

    `number` is the feature's own. `sign`: 1 if no tree falls along it, -1 if none rises. `present`: the last
    cut does nothing but tell missing rows from all others.
    """

    group: Groups
    groups: int
    cuts: int
    categorical: bool = False
    number: int = 0
    sign: int = 0
    present: bool = False


def _celled(values: Floats, thresholds: Floats) -> Feature:
    """A group for each cell: thresholds that tell no rows apart may differ in the order of their votes."""
    cuts = len(thresholds)
    group = np.where(np.isnan(values), cuts + 1, np.searchsorted(thresholds, values, side="left"))
    return Feature(group, cuts + 1, cuts, present=cuts > 0 and bool(thresholds[-1] == LARGEST))


def _categories(values: Floats, count: int) -> Feature:
    group = np.where(np.isnan(values), count, values).astype(np.intp)
    return Feature(group, count, count, categorical=True)


def _grouped(values: Floats, thresholds: Floats) -> Feature:
    missing = np.isnan(values)
    # value <= thresholds[t] if and only if cell <= t.
    cell = np.searchsorted(thresholds, values[~missing], side="left")
    cells, group = np.unique(cell, return_inverse=True)
    groups = len(cells)
    full = np.full(len(values), groups, dtype=np.intp)
    full[~missing] = group
    # A threshold outside of the values still tells the missing ones from all others.
    alone = groups > 0 and missing.any() and bool(cells[0] > 0 or cells[-1] < len(thresholds))
    return Feature(full, groups, groups if alone else max(groups - 1, 0))


def celled_features(
    X: Floats,
    thresholds: Sequence[Floats],
    categories: Sequence[int],
    constraints: Constraints | None,
    of_numbers: Callable[[Floats, Floats], Feature] = _celled,
) -> list[Feature]:
    """All features, by default with a group for each cell, be there rows in it or not."""
    signs = signs_along(constraints, len(categories))
    columns = enumerate(zip(X.T, thresholds, categories, signs, strict=True))
    return [
        replace(_categories(x, count) if count else of_numbers(x, cuts), number=f, sign=sign)
        for f, (x, cuts, count, sign) in columns
    ]


def grouped_features(
    X: Floats, thresholds: Sequence[Floats], categories: Sequence[int], constraints: Constraints | None = None
) -> list[Feature]:
    """The features that tell any two of the rows apart; where votes have an order, those that have cuts."""
    of_numbers = _celled if any(signs_along(constraints, len(categories))) else _grouped
    found = celled_features(X, thresholds, categories, constraints, of_numbers)
    return [each for each in found if each.cuts > 0]
