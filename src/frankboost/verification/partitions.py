"""What partitions of the rows say of a claim, in numbers that add up to what all rows say.

The soft margin of margins mu_i with weights s_i, sum S, is the largest t - sum_i s_i (t - mu_i)+ / (nu S)
of all t: that of the least t at which the rows up to it weigh nu S. Every sum is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.certificate import CertificateError
from frankboost.typing import Flags, Floats
from frankboost.verification.cells import Feature, celled_features
from frankboost.verification.heavy_search import leaves_of
from frankboost.verification.hypotheses import DeclaredTrees, declared_class
from frankboost.verification.labels import class_of_each, labels_of
from frankboost.verification.parts import Claim
from frankboost.verification.rationals import (
    UNITS,
    are_signs,
    excess_over,
    integers,
    scaled,
    total,
    units_of,
    whole_units,
)
from frankboost.verification.sample import Sample
from frankboost.verification.search import DEEPEST, Root, best_edge, may_meet, profile
from frankboost.verification.tree_walk import Held

BUCKETS = 1024  # of margins, in a pass


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of a partition that carry weight."""

    margins: Floats  # y_i times the vote, or the lead of its class's vote, in units of 2^-52
    sides: list[Flags]  # the rows of each class, or of either side
    weight: Floats
    units: Floats  # d_i
    cells: NDArray[np.uint16]  # of the rows with d_i > 0, of all if leaves are weighed; a row per feature
    u: list[Floats]  # what is searched for: units times labels of these rows, or one vector per class
    least: Floats  # the least value in each cell of each feature of numbers; infinite where there is none
    largest: Floats
    held: Held = field(default_factory=dict)  # what leaves weigh here, if they are to be heavy

    @classmethod
    def of(cls, claim: Claim, sample: Sample, shares: Floats) -> Part:
        """The rows of a sample and their shares of the distribution, against what is claimed."""
        declared = declared_class(class_of_each(claim.hypothesis_class), sample.X, sample.weight)
        assert isinstance(declared, DeclaredTrees)
        labels = labels_of(claim, sample.code)
        units = units_of("distribution", shares.ravel()).reshape(shares.shape)
        masses, hypotheses = labels.masses(units), claim.ensemble()[0]
        weights = whole_units("weights", claim.ensemble()[1])
        held: Held = {}
        votes = [_vote(declared, members, weights, sample.X, held) for members in labels.searched(hypotheses)]
        cells, least, largest = _cells(declared, sample.X)
        rows = np.arange(len(masses)) if declared.least else np.flatnonzero(masses)
        u = [each[rows] for each in labels.signed(units)]
        inside, margins = np.ascontiguousarray(cells[:, rows]), labels.leads(votes)
        return cls(margins, labels.sides, sample.weight, masses, inside, u, least, largest, held)

    def totals(self) -> tuple[int, Fraction]:
        """The sum of the units, and of the weights."""
        return total(self.units), scaled(*integers(self.weight))

    def counts(self) -> tuple[int | Fraction, ...]:
        """Rows, those on the right side, those with a weight other than 1, and the weight of each side."""
        sides = [scaled(*integers(self.weight[side])) for side in self.sides]
        right, weighted = np.count_nonzero(self.margins > 0.0), np.count_nonzero(self.weight != 1.0)
        return len(self.weight), int(right), int(weighted), *sides

    def bucket_weights(self, low: float, width: float) -> Floats:
        """The weight in each bucket of margins, up to rounding; what lies outside is in the ends."""
        bucket = np.clip(np.floor((self.margins - low) / width), -1, BUCKETS).astype(np.intp)
        return np.bincount(bucket + 1, self.weight, BUCKETS + 2).astype(np.float64)

    def up_to(self, t: int) -> tuple[Fraction, Fraction, Fraction, float, float]:
        """The weight below a margin and up to it, the sum of s_i (t - mu_i)+, and the margins next to it."""
        numbers, exponent = integers(self.weight)
        size = np.array(numbers, dtype=object)
        below, above = self.margins < t, self.margins > t
        short = (t - self.margins[below].astype(np.int64)).astype(object)
        sums = [size[below].sum(), size[~above].sum(), (size[below] * short).sum()]
        lower, upper = self.margins[below], self.margins[above]
        exact = [Fraction(int(each)) * Fraction(2) ** exponent for each in sums]
        return exact[0], exact[1], exact[2], lower.max(initial=-np.inf), upper.min(initial=np.inf)

    def excess(self, room: Fraction) -> Fraction:
        """The sum of max(d_i - c_i, 0) with caps c_i = s_i / room."""
        numbers, exponent = integers(self.weight)
        return excess_over(self.units, numbers, room / Fraction(2) ** exponent)

    def ends(self) -> tuple[Floats, Floats]:
        """The least and the largest values of cells."""
        return self.least, self.largest

    def leaves(self) -> Held:
        """The weight in the leaves of trees."""
        return self.held

    def add_tables(self, code: int | None, root: int, tables: Sequence[Floats]) -> None:
        """Add the u of a class, or the weights, by the cells of a feature and of each feature."""
        amounts = self.weight if code is None else self.u[code]
        for table, cells in zip(tables, self.cells, strict=True):
            at = self.cells[root].astype(np.intp) * table.shape[1] + cells
            np.add(table, np.bincount(at, amounts, table.size).reshape(table.shape), out=table)


def features_of(declared: DeclaredTrees, X: Floats | None = None) -> list[Feature]:
    """The features by their cells, of rows or of none."""
    rows = np.zeros((0, len(declared.thresholds))) if X is None else X
    return celled_features(rows, declared.thresholds, declared.categories, declared.constraints)


def empty_tables(declared: DeclaredTrees, root: int) -> list[Floats]:
    """Empty tables: a row for each cell of a root, and a column for each cell of a feature."""
    features = features_of(declared)
    return [np.zeros((features[root].groups + 1, each.groups + 1)) for each in features]


def edge_in_tables(declared: DeclaredTrees, root: int, *tables: Sequence[Floats]) -> float:
    """The largest edge of trees with a root feature, from the tables of all parts: each cell is a row.

    Tables of u and, where leaves are weighed, of the weights.
    """
    features, leaves = features_of(declared), leaves_of(declared.constraints)
    sums = [each[root].sum(axis=1) for each in tables]
    feature = replace(features[root], group=np.arange(len(sums[0])))
    if feature.cuts == 0 or declared.max_depth == 0:
        return abs(float(sums[0].sum()))
    edge = float(leaves.stumps([profile(feature, feature.group, each) for each in sums], feature)[0])
    if declared.max_depth < DEEPEST:
        return edge
    pays = []
    for child, *both in zip(features, *tables, strict=True):
        if child.cuts > 0 and may_meet(declared.constraints, feature, child):
            group, other = (each.ravel() for each in np.indices(both[0].shape))
            cells = Root.of(replace(feature, group=group), [each.ravel() for each in both])
            pays.append(cells.pays(replace(child, group=other), leaves))
    return max(edge, best_edge(reduce(np.maximum, pays), feature))


def soft_margin(ask: Callable[..., list[Any]], room: Fraction, scale: int) -> Fraction:
    """The soft margin of all parts in units; `ask` has the answers of all parts to a method of `Part`."""
    low, width = -float(scale * UNITS), 2.0 * scale * UNITS / BUCKETS
    while width > 1.0:
        weight = np.cumsum(sum(ask(Part.bucket_weights, low, width)))
        bucket = int(np.searchsorted(weight, float(room)).clip(1, BUCKETS)) - 1
        low, width = low + bucket * width, max(width / BUCKETS, 1.0)
    weight = np.cumsum(sum(ask(Part.bucket_weights, low, 1.0)))
    t = int(low) + int(np.searchsorted(weight, float(room)).clip(1, BUCKETS)) - 1
    while True:  # about once: only rounding can have missed it
        below, upto, short, lower, upper = zip(*ask(Part.up_to, t), strict=True)
        if sum(below) > room and max(lower) > -np.inf:
            t = int(max(lower))
        elif sum(upto) < room and min(upper) < np.inf:
            t = int(min(upper))
        else:
            return t - sum(short, Fraction(0)) / room


def tells_all(least: Sequence[Floats], largest: Sequence[Floats]) -> bool:
    """Whether no cell of a feature of numbers has two values, from the ends in all parts."""
    return bool((np.max(largest, axis=0) <= np.min(least, axis=0)).all())


def _vote(declared: DeclaredTrees, trees: dict[str, Any], weights: Floats, X: Floats, held: Held) -> Floats:
    """The vote in units; sums of whole numbers are exact."""
    vote = np.zeros(len(X))
    for (name, tree), weight in zip(trees.items(), weights, strict=True):
        values = declared.values(name, tree, X, held)
        if not are_signs(values):
            raise CertificateError(f"{name}: claimed votes of -1 and +1, found others")
        vote += weight * values
    return vote


def _cells(declared: DeclaredTrees, X: Floats) -> tuple[NDArray[np.uint16], Floats, Floats]:
    """The cell of each value, feature by feature, and the ends of the cells of all features of numbers."""
    cells, least, largest = np.zeros(X.T.shape, dtype=np.uint16), [np.zeros(0)], [np.zeros(0)]
    for f, feature in enumerate(features_of(declared, X)):
        cells[f] = feature.group
        if not feature.categorical:
            there = ~np.isnan(X[:, f])
            least.append(np.full(feature.groups, np.inf))
            largest.append(np.full(feature.groups, -np.inf))
            np.minimum.at(least[-1], feature.group[there], X[there, f])
            np.maximum.at(largest[-1], feature.group[there], X[there, f])
    return cells, np.concatenate(least), np.concatenate(largest)
