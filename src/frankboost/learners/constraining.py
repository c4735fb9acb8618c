"""Checks of constraints on trees, from the settings of a user to numbers of features."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from frankboost.constraints import ALONE, LARGEST, PAIRWISE, Sets
from frankboost.validation import quoted


def least_weight(min_samples_leaf: Any, total: float = np.inf) -> float:
    """The least weight of a leaf, 0 for None; `total` is the weight of all rows."""
    if min_samples_leaf is None:
        return 0.0
    known = isinstance(min_samples_leaf, Real) and not isinstance(min_samples_leaf, bool)
    if not known or not 0.0 < float(min_samples_leaf) <= min(total / 2.0, LARGEST):
        allowed = "" if np.isinf(total) else f" and at most {total / 2.0:g}, half the weight of the rows"
        raise ValueError(
            f"min_samples_leaf must be None or a number above 0{allowed}; got {quoted(min_samples_leaf)}"
        )
    return float(min_samples_leaf)


def signs_of(monotonic_cst: Any, features: int, names: Sequence[str] | None) -> tuple[int, ...]:
    """-1, 0 or 1 for each feature; an empty tuple if there are no constraints."""
    if monotonic_cst is None:
        return ()
    if isinstance(monotonic_cst, Mapping):
        place = _places(monotonic_cst, features, names, "monotonic_cst", numbers=False)
        by_place = {place[key]: value for key, value in monotonic_cst.items()}
        values = [by_place.get(f, 0) for f in range(features)]
    else:
        values = list(monotonic_cst) if np.iterable(monotonic_cst) else [None]
    if len(values) != features or any(not _is_number(each) or each not in (-1, 0, 1) for each in values):
        raise ValueError(
            f"monotonic_cst must have -1, 0 or 1 for each of the {features} columns of X; "
            f"got {quoted(monotonic_cst)}"
        )
    return tuple(map(int, values))


def sets_of(interaction_cst: Any, features: int, names: Sequence[str] | None) -> Sets | str | None:
    """The sets of features; the features that are in no given set form one more, as in scikit-learn."""
    if interaction_cst is None or (isinstance(interaction_cst, str) and interaction_cst in (PAIRWISE, ALONE)):
        return interaction_cst
    groups = [] if isinstance(interaction_cst, str) else interaction_cst
    if not np.iterable(groups) or not all(np.iterable(each) and not isinstance(each, str) for each in groups):
        groups = []
    if not groups:
        raise ValueError(
            f'interaction_cst must be "{PAIRWISE}", "{ALONE}", None or a list of sets of columns; '
            f"got {quoted(interaction_cst)}"
        )
    place = _places([key for each in groups for key in each], features, names, "interaction_cst")
    found = [tuple(sorted({place[key] for key in each})) for each in groups]
    rest = tuple(sorted({*range(features)}.difference(*found)))
    return tuple(dict.fromkeys(each for each in (*found, rest) if each))


def _places(
    keys: Collection[Any], features: int, names: Sequence[str] | None, what: str, *, numbers: bool = True
) -> dict[Any, int]:
    """The number of the feature of each key, which is its name or, if `numbers` is true, its number."""
    known = {name: f for f, name in enumerate(names if names is not None else ())}
    found = {}
    for key in keys:
        if numbers and _is_number(key) and 0 <= key < features:
            found[key] = int(key)
        elif isinstance(key, str) and key in known:
            found[key] = known[key]
        else:
            ways = [f"by number in [0, {features - 1}]"] * numbers + ["by name"] * bool(known)
            how = " or ".join(ways) or "by name, but they have no names: give an array"
            raise ValueError(f"{what} must name columns of X {how}; got {quoted(key)}")
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
