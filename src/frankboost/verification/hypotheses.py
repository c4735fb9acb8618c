"""Hypotheses and the class that they are declared to come from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.constraints import Constraints
from frankboost.scope import finite_text, trees_text
from frankboost.typing import Floats
from frankboost.verification.deep_search import deep_edge
from frankboost.verification.heavy_search import heavy_edge
from frankboost.verification.rationals import largest_column_edge
from frankboost.verification.search import DEEPEST, largest_edge
from frankboost.verification.tree_walk import BITS, Held, Splits, declared_constraints, is_tree, tree_values


@dataclass(frozen=True)
class SeparatedValues:
    """How many of the neighbouring values of a feature its thresholds separate, and how many there are.

    Missing values are neighbours of the largest value.
    """

    feature: int
    count: int
    most: int
    all_values: bool  # whether all values are told apart, be missing ones or not

    @property
    def is_unused(self) -> bool:
        """Whether values differ, and no threshold separates two of them."""
        return self.count == 0 < self.most

    @classmethod
    def of(cls, feature: int, thresholds: Floats, values: Floats) -> SeparatedValues:
        """The cells of a column."""
        missing = np.isnan(values)
        distinct = np.unique(values[~missing])
        # value <= thresholds[t] if and only if its cell <= t.
        cells = np.searchsorted(thresholds, distinct, side="left")
        apart = int(np.count_nonzero(np.diff(cells)))
        gaps = bool(missing.any()) and len(distinct) > 0
        present = gaps and bool(cells[-1] < len(thresholds))
        neighbours = max(len(distinct) - 1, 0)
        return cls(feature, apart + present, neighbours + gaps, apart == neighbours)


@dataclass(frozen=True, eq=False)
class DeclaredTrees(Splits):
    """Trees of at most a depth, over declared thresholds and categories.

    Those of depth 3 are searched if that is said of them; it takes long.
    """

    constraints: Constraints | None = None
    exact: bool = False

    @property
    def provable(self) -> bool:
        deeper = self.exact and self.max_depth == DEEPEST + 1 and self.constraints is None
        return self.max_depth <= DEEPEST or deeper

    def values(self, name: str, hypothesis: Any, X: Floats, held: Held | None = None) -> Floats:
        """What a hypothesis says, after a check that it is of the class; `held`: see `tree_values`."""
        if not is_tree(hypothesis):
            raise CertificateError(f"{name}: claimed a tree, found {hypothesis!r}")
        values = tree_values(name, hypothesis, X, self, held)
        broken = None if self.constraints is None else self.constraints.broken_by(hypothesis)
        if broken is not None:
            raise CertificateError(f"{name}: claimed to be {self.constraints}, found that it {broken}")
        return values

    def largest_edge(self, X: Floats, u: Floats, claimed: Fraction) -> Fraction:
        """max_h sum_i u_i h(x_i); of depth 3, up to what is claimed, only that it is no larger.

        For integers u whose absolute values sum to 2^52: no sum is rounded, see `rationals`.
        """
        if self.constraints is not None and self.least:
            edge = heavy_edge(X, u, self.weight, self, self.constraints)
        elif self.max_depth > DEEPEST:
            edge = deep_edge(X, u, self.thresholds, self.categories, float(math.floor(claimed)))
        else:
            edge = largest_edge(
                X, u, self.thresholds, self.max_depth, self.categories, constraints=self.constraints
            )
        return Fraction(int(edge))

    def separated(self, X: Floats) -> list[SeparatedValues]:
        """What the thresholds of each feature of numbers tell apart."""
        numbers = [f for f, count in enumerate(self.categories) if count == 0]
        return [SeparatedValues.of(f, self.thresholds[f], X[:, f]) for f in numbers]

    def kept(self, features: Sequence[str | int]) -> str:
        """What all trees keep to, in words."""
        return "" if self.constraints is None else self.constraints.text(list(map(repr, features)))

    def text(self, claimed: str, *, tells_all: bool) -> str:
        """What the class is called. A claim may leave out "all thresholds" even where that is true."""
        counts = [len(cuts) for cuts in self.thresholds]
        some, every = (
            trees_text(self.max_depth, counts, self.categories, all_thresholds=flag, exact=self.exact)
            + ("" if self.constraints is None else f", {self.constraints}")
            for flag in (False, True)
        )
        found = every if tells_all else some
        if claimed not in (some, found):
            raise CertificateError(f"hypothesis_class: claimed {claimed!r}, found {found!r}")
        return found


@dataclass(frozen=True, eq=False)
class UnknownClass:
    """What a heuristic learner comes from: nothing can be proved."""

    provable = False

    def values(self, name: str, hypothesis: Any, X: Floats) -> Floats:
        """What a hypothesis says."""
        return tree_values(name, hypothesis, X) if is_tree(hypothesis) else _called(name, hypothesis, X)

    def largest_edge(self, X: Floats, u: Floats, claimed: Fraction) -> Fraction:
        """Raise, as no search covers the class."""
        raise CertificateError("largest edge: claimed over a class that cannot be searched")

    def separated(self, X: Floats) -> None:
        """None, as the class has no thresholds."""

    def kept(self, features: Sequence[str | int]) -> str:
        """Nothing that all hypotheses keep to is known."""
        return ""

    def text(self, claimed: str, *, tells_all: bool) -> str:
        """The words of the claim, which nothing contradicts."""
        return claimed


@dataclass(frozen=True, eq=False)
class DeclaredColumns(UnknownClass):
    """Hypotheses known by what they say of the rows that carry weight, one column each."""

    predictions: Floats

    provable = True

    @cached_property
    def _columns(self) -> frozenset[bytes]:
        return frozenset(map(_key, self.predictions.T))

    def values(self, name: str, hypothesis: Any, X: Floats) -> Floats:
        values = _called(name, hypothesis, X)
        if _key(values) not in self._columns:
            raise CertificateError(f"{name}: claimed a column of the class, found one that is not among them")
        return values

    def largest_edge(self, X: Floats, u: Floats, claimed: Fraction) -> Fraction:
        return largest_column_edge(self.predictions, u)

    def text(self, claimed: str, *, tells_all: bool) -> str:
        """What the class is called: what its columns mean, nobody can tell from them."""
        return finite_text(self.predictions.shape[1])


DeclaredClass = DeclaredTrees | UnknownClass


def declared_class(declared: Any, X: Floats, weight: Floats | None = None) -> DeclaredClass:
    """The class that a model declares, by its `searched_as`, checked against the rows and their weights."""
    searched_as = getattr(declared, "searched_as", None)
    if searched_as == "trees":
        return _tree_class(declared, X, weight)
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


def _tree_class(declared: Any, X: Floats, weight: Floats | None) -> DeclaredTrees:
    features = X.shape[1]
    depth = declared.max_depth
    if not isinstance(depth, int | np.integer) or isinstance(depth, bool) or depth < 0:
        raise CertificateError(f"max_depth of the class: claimed {depth!r}, which is no depth")
    thresholds = tuple(np.asarray(t, dtype=np.float64) for t in declared.thresholds)
    if len(thresholds) != features:
        raise ValueError(f"X must have the {len(thresholds)} features of the model; got {features}")
    for j, t in enumerate(thresholds):
        if t.ndim != 1 or not np.isfinite(t).all() or not (t[1:] > t[:-1]).all():
            raise CertificateError(
                f"thresholds of feature {j}: claimed finite and increasing numbers, found {t}"
            )
    categories = tuple(int(count) for count in getattr(declared, "categories", [0] * features))
    if len(categories) != features:
        raise CertificateError(f"categories: claimed for {features} features, found {len(categories)}")
    for j in range(features):
        _check_categories(j, categories[j], X[:, j])
        if categories[j] and thresholds[j].size:
            raise CertificateError(f"feature {j}: claimed categories or thresholds, found both")
    constraints = declared_constraints(getattr(declared, "constraints", None), categories)
    return DeclaredTrees(
        int(depth),
        thresholds,
        categories,
        np.ones(len(X)) if weight is None else weight,
        least=0.0 if constraints is None else constraints.least,
        constraints=constraints,
        exact=bool(getattr(declared, "exact", False)),
    )


def _check_categories(feature: int, count: int, values: Floats) -> None:
    if not 0 <= count < BITS:
        raise CertificateError(f"categories of feature {feature}: claimed 0 to 255 of them, found {count}")
    strange = values[~(np.isnan(values) | np.isin(values, np.arange(count)))]
    if count and strange.size:
        found = "a value that is none of them" if np.isinf(strange[0]) else strange[0]
        raise CertificateError(f"categories of feature {feature}: claimed {count}, found {found}")


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
