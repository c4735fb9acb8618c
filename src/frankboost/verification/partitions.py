"""What partitions of the rows say of a claim, in numbers that add up to what all rows say.

The soft margin of margins mu_i with weights s_i, sum S, is the largest t - sum_i s_i (t - mu_i)+ / (nu S)
of all t: that of the least t at which the rows up to it weigh nu S. Every sum is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.certificate import CertificateError
from frankboost.constraints import signs_along
from frankboost.typing import Flags, Floats
from frankboost.verification.cells import tells_missing
from frankboost.verification.hypotheses import DeclaredTrees, declared_class
from frankboost.verification.labels import class_of_each, labels_of
from frankboost.verification.parts import Claim
from frankboost.verification.proof import are_signs
from frankboost.verification.rationals import UNITS, integers, scaled, total, units_of, whole_units
from frankboost.verification.sample import Sample
from frankboost.verification.table_search import Kind

BUCKETS = 1024  # of margins, in a pass


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of a partition that carry weight.

    Attributes
    ----------
    margins, weight, units : array with one entry per row
        y_i times the vote, or the lead of its class's vote, and d_i, in units of 2^-52.
    sides : list of arrays
        The rows of each class, or of either side.
    cells : array with one row per feature
        Of the rows with d_i > 0: how many thresholds lie below a value, or its category; the last is for
        missing values.
    u : list of arrays
        What is searched for: units times labels of these rows, or one vector per class.
    least, largest : array with one entry per cell of each feature of numbers
        Its values; infinite where there is none.
    """

    margins: Floats
    sides: list[Flags]
    weight: Floats
    units: Floats
    cells: NDArray[np.uint16]
    u: list[Floats]
    least: Floats
    largest: Floats

    @classmethod
    def of(cls, claim: Claim, sample: Sample, shares: Floats) -> Part:
        """The rows of a sample and their shares of the distribution, against what is claimed."""
        declared = _trees(claim, sample.X)
        labels = labels_of(sample.y, sample.code, sample.classes)
        units = units_of("distribution", shares.ravel()).reshape(shares.shape)
        masses, hypotheses = labels.masses(units), claim.ensemble()[0]
        weights = whole_units("weights", claim.ensemble()[1])
        votes = [_vote(declared, members, weights, sample.X) for members in labels.searched(hypotheses)]
        cells, least, largest = _cells(declared, sample.X)
        rows = np.flatnonzero(masses)
        u = [each[rows] for each in labels.signed(units)]
        inside, margins = np.ascontiguousarray(cells[:, rows]), labels.leads(votes)
        return cls(margins, labels.sides, sample.weight, masses, inside, u, least, largest)

    def totals(self) -> tuple[int, Fraction]:
        """The sum of the units, and of the weights."""
        return total(self.units), scaled(*integers(self.weight))

    def counts(self) -> tuple[int | Fraction, ...]:
        """Rows, those on the right side, those with a weight other than 1, and the weight of each side."""
        sides = [
            scaled(*integers(some)) if len(some := self.weight[side]) else Fraction(0) for side in self.sides
        ]
        right, weighted = np.count_nonzero(self.margins > 0.0), np.count_nonzero(self.weight != 1.0)
        return len(self.weight), int(right), int(weighted), *sides

    def bucket_weights(self, low: float, width: float) -> Floats:
        """The weight in each bucket of margins, up to rounding; what lies outside is in the ends."""
        bucket = np.clip(np.floor((self.margins - low) / width), -1, BUCKETS).astype(np.intp)
        weights: Floats = np.bincount(bucket + 1, self.weight, BUCKETS + 2).astype(np.float64)
        return weights

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
        cap = Fraction(2) ** exponent / room * UNITS
        pairs = zip(self.units.astype(np.int64).tolist(), numbers, strict=True)
        over = sum(max(n * cap.denominator - w * cap.numerator, 0) for n, w in pairs)
        return Fraction(over, cap.denominator * UNITS)

    def ends(self) -> tuple[Floats, Floats]:
        """The least and the largest values of cells."""
        return self.least, self.largest

    def add_tables(self, code: int, root: int, tables: Sequence[Floats]) -> None:
        """Add the u of a class by the cells of a feature and of each feature."""
        for table, cells in zip(tables, self.cells, strict=True):
            at = self.cells[root].astype(np.intp) * table.shape[1] + cells
            np.add(table, np.bincount(at, self.u[code], table.size).reshape(table.shape), out=table)


def kinds_of(declared: DeclaredTrees) -> list[Kind]:
    """Of all features."""
    signs = signs_along(declared.constraints, len(declared.categories))
    counts = zip(declared.thresholds, declared.categories, signs, strict=True)
    return [
        Kind(categories, categorical=True)
        if categories
        else Kind(len(cuts), sign=sign, present=tells_missing(cuts))
        for cuts, categories, sign in counts
    ]


def empty_tables(kinds: Sequence[Kind], root: int) -> list[Floats]:
    """To which parts add theirs."""
    return [np.zeros((kinds[root].cells, each.cells)) for each in kinds]


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


def _trees(claim: Claim, X: Floats) -> DeclaredTrees:
    declared = declared_class(class_of_each(claim.hypothesis_class), X)
    if not isinstance(declared, DeclaredTrees):
        raise CertificateError(f"hypothesis_class: claimed trees, found {claim.hypothesis_class!r}")
    if declared.least:
        raise ValueError(
            "model must have no min_samples_leaf to be proved on a cluster: bring the rows to one machine"
        )
    return declared


def _vote(declared: DeclaredTrees, trees: dict[str, Any], weights: Floats, X: Floats) -> Floats:
    """In units; sums of whole numbers are exact."""
    vote = np.zeros(len(X))
    for (name, tree), weight in zip(trees.items(), weights, strict=True):
        values = declared.values(name, tree, X)
        if not are_signs(values):
            raise CertificateError(f"{name}: claimed votes of -1 and +1, found others")
        vote += weight * values
    return vote


def _cells(declared: DeclaredTrees, X: Floats) -> tuple[NDArray[np.uint16], Floats, Floats]:
    """The cell of each value, feature by feature, and the ends of the cells of all features of numbers."""
    cells, least, largest = np.zeros(X.T.shape, dtype=np.uint16), [np.zeros(0)], [np.zeros(0)]
    for f, kind in enumerate(kinds_of(declared)):
        x, missing, count = X[:, f], np.isnan(X[:, f]), kind.count
        if kind.categorical:
            cells[f] = np.where(missing, count, x)
            continue
        cell = np.searchsorted(declared.thresholds[f], x[~missing])
        cells[f] = count + 1
        cells[f, ~missing] = cell
        ends = np.full(count + 1, np.inf), np.full(count + 1, -np.inf)
        np.minimum.at(ends[0], cell, x[~missing])
        np.maximum.at(ends[1], cell, x[~missing])
        least.append(ends[0])
        largest.append(ends[1])
    return cells, np.concatenate(least), np.concatenate(largest)
