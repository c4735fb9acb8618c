"""Hypotheses and the class that they are declared to come from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.typing import Flags, Floats
from frankboost.verification.search import ALL_SUBSETS, DEEPEST, largest_edge

_TREE_ARRAYS = ("feature", "threshold", "missing_left", "left", "right", "value", "set_index")
_BITS = 256  # of a set of categories


@dataclass(frozen=True, eq=False)
class DeclaredTrees:
    """Trees of at most a depth, over declared thresholds and categories (0 of them: numbers)."""

    max_depth: int
    thresholds: tuple[Floats, ...]
    categories: tuple[int, ...]

    @property
    def provable(self) -> bool:
        return self.max_depth <= DEEPEST

    def values(self, name: str, hypothesis: Any, X: Floats) -> Floats:
        """What a hypothesis says, after a check that it belongs to the class."""
        if not _is_tree(hypothesis):
            raise CertificateError(f"{name}: claimed a tree, found {hypothesis!r}")
        return _tree_values(name, hypothesis, X, self)

    def largest_edge(self, X: Floats, u: Floats) -> float:
        """max_h sum_i u_i h(x_i)."""
        return largest_edge(X, u, self.thresholds, self.max_depth, self.categories)


@dataclass(frozen=True, eq=False)
class DeclaredColumns:
    """Hypotheses known by what they say of the rows that carry weight, one column each."""

    predictions: Floats

    provable = True

    @cached_property
    def _columns(self) -> frozenset[bytes]:
        return frozenset(map(_key, self.predictions.T))

    def values(self, name: str, hypothesis: Any, X: Floats) -> Floats:
        """What a hypothesis says, after a check that it belongs to the class."""
        values = _called(name, hypothesis, X)
        if _key(values) not in self._columns:
            raise CertificateError(f"{name}: claimed a column of the class, found one that is not among them")
        return values

    def largest_edge(self, X: Floats, u: Floats) -> float:
        """max_h sum_i u_i h(x_i)."""
        return float((u @ self.predictions).max())


@dataclass(frozen=True)
class UnknownClass:
    """What a heuristic learner comes from: nothing can be proved."""

    provable = False

    def values(self, name: str, hypothesis: Any, X: Floats) -> Floats:
        """What a hypothesis says."""
        return _tree_values(name, hypothesis, X) if _is_tree(hypothesis) else _called(name, hypothesis, X)

    def largest_edge(self, X: Floats, u: Floats) -> float:
        """Not to be known."""
        raise CertificateError("largest edge: claimed over a class that cannot be searched")


DeclaredClass = DeclaredTrees | DeclaredColumns | UnknownClass


def declared_class(declared: Any, X: Floats) -> DeclaredClass:
    """The class that a model declares, by its `searched_as`, checked against the rows of weight."""
    searched_as = getattr(declared, "searched_as", None)
    if searched_as == "trees":
        return _tree_class(declared, X)
    if searched_as == "columns":
        predictions = np.asarray(declared.predictions, dtype=np.float64)
        if predictions.ndim != 2 or len(predictions) != len(X) or predictions.shape[1] == 0:
            raise CertificateError(
                f"finite class: claimed predictions of shape {predictions.shape}, "
                f"found {len(X)} rows that carry weight"
            )
        _check_range("finite class", predictions)
        return DeclaredColumns(predictions)
    return UnknownClass()


def _tree_class(declared: Any, X: Floats) -> DeclaredTrees:
    features = X.shape[1]
    depth = declared.max_depth
    if not isinstance(depth, int | np.integer) or isinstance(depth, bool) or depth < 0:
        raise CertificateError(f"max_depth of the class: claimed {depth!r}, which is no depth")
    thresholds = tuple(np.asarray(t, dtype=np.float64) for t in declared.thresholds)
    if len(thresholds) != features:
        raise ValueError(f"X must have the {len(thresholds)} features of the model; got {features}")
    for j, t in enumerate(thresholds):
        if t.ndim != 1 or not np.isfinite(t).all() or not (np.diff(t) > 0.0).all():
            raise CertificateError(
                f"thresholds of feature {j}: claimed finite and increasing numbers, found {t}"
            )
    categories = tuple(int(count) for count in getattr(declared, "categories", [0] * features))
    if len(categories) != features:
        raise CertificateError(f"categories: claimed for {features} features, found {len(categories)}")
    for j in range(features):
        _check_categories(j, categories[j], X[:, j])
    return DeclaredTrees(int(depth), thresholds, categories)


def _check_categories(feature: int, count: int, values: Floats) -> None:
    if not 0 <= count < _BITS:
        raise CertificateError(f"categories of feature {feature}: claimed 0 to 255 of them, found {count}")
    strange = values[~(np.isnan(values) | np.isin(values, np.arange(count)))]
    if count and strange.size:
        raise CertificateError(f"categories of feature {feature}: claimed {count}, found {strange[0]}")


def _is_tree(hypothesis: Any) -> bool:
    return all(hasattr(hypothesis, name) for name in (*_TREE_ARRAYS, "sets"))


def _tree_values(name: str, tree: Any, X: Floats, declared: DeclaredTrees | None = None) -> Floats:
    """A number in [-1, 1] for each row: a walk from the root that checks each node on its way."""
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
        feature, threshold, missing_left, left, right, value, set_index = nodes[k]
        if feature == -1:
            if not -1.0 <= value <= 1.0:
                raise CertificateError(f"{where}: claimed a leaf in [-1, 1], found {value}")
            values[rows] = value
            continue
        if not isinstance(feature, int) or not 0 <= feature < X.shape[1]:
            raise CertificateError(f"{where}: claimed one of {X.shape[1]} features, found {feature}")
        x = X[rows, feature]
        if np.isnan(threshold) and 0 <= set_index < len(sets):
            sent = sets[set_index]
            if declared is not None:
                _check_set(where, depth, feature, sent, declared)
            in_set, missing = np.isin(x, np.flatnonzero(sent)), ~np.isin(x, np.arange(_BITS))
        elif np.isfinite(threshold) and set_index == -1:
            if declared is not None:
                _check_split(where, depth, feature, threshold, declared)
            in_set, missing = x <= threshold, np.isnan(x)
        else:
            raise CertificateError(f"{where}: claimed a split, found {threshold} and set {set_index}")
        if missing_left not in (0, 1):
            raise CertificateError(f"{where}: claimed a split, found {threshold} and side {missing_left}")
        goes_left = in_set | (missing & bool(missing_left))
        todo += [(left, depth + 1, rows[goes_left]), (right, depth + 1, rows[~goes_left])]
    return values


def _left_categories(name: str, tree: Any) -> Flags:
    """Which of 256 categories each set of a tree sends left."""
    words = np.asarray(tree.sets)
    if words.ndim != 2 or words.shape[1] != _BITS // 64 or words.dtype != np.uint64:
        raise CertificateError(f"{name}: claimed sets of categories, found {words.dtype} of {words.shape}")
    little = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(little, axis=1, bitorder="little").astype(bool)


def _check_set(where: str, depth: int, feature: int, left: Flags, declared: DeclaredTrees) -> None:
    _check_depth(where, depth, declared)
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


def _check_depth(where: str, depth: int, declared: DeclaredTrees) -> None:
    if depth >= declared.max_depth:
        raise CertificateError(f"{where}: claimed depth <= {declared.max_depth}, found a split below that")


def _check_split(where: str, depth: int, feature: int, threshold: float, declared: DeclaredTrees) -> None:
    _check_depth(where, depth, declared)
    if threshold not in declared.thresholds[feature]:
        raise CertificateError(
            f"{where}: claimed a declared threshold of feature {feature}, found {threshold!r}"
        )


def _called(name: str, hypothesis: Any, X: Floats) -> Floats:
    values = np.asarray(hypothesis(X), dtype=np.float64)
    if values.shape != (len(X),):
        raise CertificateError(f"{name}: claimed a value for each of {len(X)} rows, found {values.shape}")
    _check_range(name, values)
    return values


def _check_range(name: str, values: Floats) -> None:
    outside = values[~(np.abs(values) <= 1.0)]
    if outside.size:
        raise CertificateError(f"{name}: claimed values in [-1, 1], found {outside[0]}")


def _key(column: Floats) -> bytes:
    return (column + 0.0).tobytes()  # -0.0 becomes 0.0
