"""Trees walked node by node, and held to the class that they are declared to come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.constraints import ALONE, LARGEST, PAIRWISE, Constraints
from frankboost.typing import Flags, Floats
from frankboost.verification.search import ALL_SUBSETS, DEEPEST

BITS = 256  # of a set of categories
MISSING = -1  # in place of a category

Held = dict[tuple[str, int | None, bool], float]
"""What some rows weigh in each leaf (None), and in each category that a node of the last level sends to a
side."""

_TREE_ARRAYS = ("feature", "threshold", "missing_left", "left", "right", "value", "set_index")


@dataclass(frozen=True, eq=False)
class Splits:
    """What trees may do: at most a depth, over thresholds and categories (0 of them: numbers)."""

    max_depth: int
    thresholds: tuple[Floats, ...]
    categories: tuple[int, ...]
    weight: Floats  # of the rows
    least: float = 0.0  # what a leaf is to weigh

    def least_at(self, depth: int) -> float:
        """The least weight with which a split at a depth may tell a category from the light ones."""
        return self.least if depth + 1 == self.max_depth <= DEEPEST else 0.0


def declared_constraints(declared: Any, categories: tuple[int, ...]) -> Constraints | None:
    """What trees are declared to keep to, if it is what trees over these features can keep to."""
    if declared is None:
        return None
    signs, sets, features = tuple(declared.monotonic), declared.interactions, len(categories)
    fit = len(signs) in (0, features) and all(each in (-1, 0, 1) for each in signs)
    if not fit or any(sign and count for sign, count in zip(signs, categories, strict=False)):
        raise CertificateError(
            f"constraints: claimed -1, 0 or 1 for each of {features} features, found {signs}"
        )
    if sets is not None and not (isinstance(sets, str) and sets in (PAIRWISE, ALONE)):
        sets = tuple(map(tuple, sets))
        if {f for each in sets for f in each} != set(range(features)):
            raise CertificateError(f"constraints: claimed sets of all {features} features, found {sets}")
    least = float(getattr(declared, "leaf_weight", 0.0))
    if not 0.0 <= least <= LARGEST:
        raise CertificateError(f"constraints: claimed leaves of some weight, found {least}")
    return Constraints(tuple(map(int, signs)), sets, least)


def is_tree(hypothesis: Any) -> bool:
    return all(hasattr(hypothesis, name) for name in (*_TREE_ARRAYS, "sets"))


def tree_values(
    name: str, tree: Any, X: Floats, declared: Splits | None = None, held: Held | None = None
) -> Floats:
    """A number in [-1, 1] for each row: a walk from the root that checks each node on its way.

    If the rows are not all, `held` gets what they weigh, for a check of the sums.
    """
    here: Held = {} if held is None else held
    arrays = [np.asarray(getattr(tree, array)) for array in _TREE_ARRAYS]
    if any(a.shape != arrays[0].shape or a.ndim != 1 or a.size == 0 for a in arrays):
        raise CertificateError(f"{name}: claimed a tree, found arrays of shapes {[a.shape for a in arrays]}")
    nodes = list(zip(*(a.tolist() for a in arrays), strict=True))
    sets = _left_categories(name, tree)
    values = np.zeros(len(X))
    seen: set[int] = set()
    todo = [(0, 0, np.arange(len(X)))]
    while todo:
        k, depth, rows = todo.pop()
        where = f"{name}, node {k!r}"
        if not isinstance(k, int) or not 0 <= k < len(nodes) or k in seen:
            raise CertificateError(f"{where}: claimed a child, found a cycle or no such node")
        seen.add(k)
        feature, _, _, left, right, value, _ = nodes[k]
        if feature == -1:
            if not -1.0 <= value <= 1.0:
                raise CertificateError(f"{where}: claimed a leaf in [-1, 1], found {value}")
            values[rows] = value
            if declared is not None and declared.least:
                here[where, None, False] = float(declared.weight[rows].sum())
            continue
        if not isinstance(feature, int) or not 0 <= feature < X.shape[1]:
            raise CertificateError(f"{where}: claimed one of {X.shape[1]} features, found {feature}")
        if declared is not None and depth >= declared.max_depth:
            raise CertificateError(
                f"{where}: claimed depth <= {declared.max_depth}, found a split below that"
            )
        x = X[rows, feature]
        goes_left = _goes_left(where, depth, nodes[k], x, sets=sets, declared=declared)
        if declared is not None and declared.categories[feature] and declared.least_at(depth):
            _weigh_categories(where, x, goes_left, declared.weight[rows], here)
        todo += [(left, depth + 1, rows[goes_left]), (right, depth + 1, rows[~goes_left])]
    if held is None and declared is not None:
        check_held([here], declared.least)
    return values


def _weigh_categories(where: str, x: Floats, goes_left: Flags, weight: Floats, held: Held) -> None:
    """The weight of each category at a node, and of missing values."""
    kind = np.where(np.isnan(x), MISSING, x).astype(np.intp)
    for category in np.unique(kind).tolist():
        some = kind == category
        held[where, category, bool(goes_left[some][0])] = float(weight[some].sum())


def check_held(parts: Sequence[Held], least: float) -> None:
    """Check that leaves weigh enough, and that categories too light for a leaf go one way together at the
    last level, by what all parts of the rows hold."""
    sides: dict[str, bool] = {}
    for where, category, side in dict.fromkeys(key for each in parts for key in each):
        weight = sum(each.get((where, category, side), 0.0) for each in parts)
        if weight >= least:
            continue
        if category is None:
            raise CertificateError(f"{where}: claimed a leaf of weight {least:g} or more, found {weight:g}")
        if sides.setdefault(where, side) != side:
            raise CertificateError(
                f"{where}: claimed that light categories go one way, found that they do not"
            )


def _goes_left(
    where: str,
    depth: int,
    node: tuple[Any, ...],
    x: Floats,
    *,
    sets: Flags,
    declared: Splits | None,
) -> Flags:
    """Which of the rows a split sends left, if it is a split of the declared class."""
    feature, threshold, missing_left, _, _, _, set_index = node
    if np.isnan(threshold) and 0 <= set_index < len(sets):
        sent = sets[set_index]
        if declared is not None:
            _check_set(where, depth, feature, sent, declared)
        in_set, missing = np.isin(x, np.flatnonzero(sent)), ~np.isin(x, np.arange(BITS))
    elif np.isfinite(threshold) and set_index == -1:
        if declared is not None and threshold not in declared.thresholds[feature]:
            raise CertificateError(
                f"{where}: claimed a declared threshold of feature {feature}, found {threshold!r}"
            )
        in_set, missing = x <= threshold, np.isnan(x)
    else:
        raise CertificateError(f"{where}: claimed a split, found {threshold} and set {set_index}")
    if missing_left not in (0, 1):
        raise CertificateError(f"{where}: claimed a split, found {threshold} and side {missing_left}")
    return in_set | (missing & bool(missing_left))


def _left_categories(name: str, tree: Any) -> Flags:
    """Which of 256 categories each set of a tree sends left."""
    words = np.asarray(tree.sets)
    if words.ndim != 2 or words.shape[1] != BITS // 64 or words.dtype != np.uint64:
        raise CertificateError(f"{name}: claimed sets of categories, found {words.dtype} of {words.shape}")
    little = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(little, axis=1, bitorder="little").astype(bool)


def _check_set(where: str, depth: int, feature: int, left: Flags, declared: Splits) -> None:
    count = declared.categories[feature]
    if count == 0:
        raise CertificateError(f"{where}: claimed a split of numbers, found one of categories")
    if left[count:].any():
        raise CertificateError(f"{where}: claimed {count} categories of feature {feature}, found another")
    # Above another split the class has not all sets.
    together = int(left.sum())
    if depth + 1 < declared.max_depth and count > ALL_SUBSETS and 1 < together < count - 1:
        raise CertificateError(
            f"{where}: claimed one of {count} categories, found {together} against the rest"
        )
