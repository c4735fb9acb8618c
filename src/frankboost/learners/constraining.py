"""Constraints of trees as users give them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from frankboost.constraints import ALONE, PAIRWISE, Constraints, Sets
from frankboost.validation import quoted


def constraints_of(
    monotonic_cst: Any, interaction_cst: Any, features: int, categorical: Collection[int], depth: int
) -> Constraints | None:
    """Those of BestTree, features by their numbers; None if trees of this depth keep to them anyway."""
    signs = signs_of(monotonic_cst, features, None)
    for f in categorical:
        if signs and signs[f]:
            raise ValueError(
                f"monotonic_cst must be 0 for column {f}, which holds categories; got {signs[f]}"
            )
    sets = sets_of(interaction_cst, features, None)
    if depth == 1 or (depth == 2 and sets == PAIRWISE):
        sets = None
    return Constraints(signs if any(signs) else (), sets) if any(signs) or sets is not None else None


def signs_of(monotonic_cst: Any, features: int, names: Sequence[str] | None) -> tuple[int, ...]:
    """-1, 0 or 1 for each feature; none if there are no constraints."""
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
    """Sets of features; those that are in none of those given are one more, as in scikit-learn."""
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
    """The numbers of features that are given by name or, unless names alone will do, by number."""
    known = {name: f for f, name in enumerate(names if names is not None else ())}
    found = {}
    for key in keys:
        if numbers and _is_number(key) and 0 <= key < features:
            found[key] = int(key)
        elif isinstance(key, str) and key in known:
            found[key] = known[key]
        else:
            ways = [f"by number in [0, {features - 1}]"] * numbers + ["by name"] * bool(known)
            how = " or ".join(ways) or "if these have names, and else be an array"
            raise ValueError(f"{what} must name columns of X {how}; got {quoted(key)}")
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
