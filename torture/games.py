"""A random problem as the game that its certificate is about: rows, labels, caps and every column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torture.kind import require
from torture.problems import Problem
from torture.rationals import caps_of
from torture.simplex import Column
from torture.trees import Cell, all_trees, walked


@dataclass(frozen=True, eq=False)
class Game:
    """The rows that carry weight, of one class against the others, and what the model declares."""

    given: Problem
    positive: Any
    declared: Any  # the class of trees, as the model has it
    nu: float

    @cached_property
    def carries(self) -> list[bool]:
        weight = self.given.weight
        return [True] * len(self.given.y) if weight is None else (weight > 0.0).tolist()

    @cached_property
    def y(self) -> list[int]:
        return [1 if label == self.positive else -1 for label in self._kept(self.given.y.tolist())]

    @cached_property
    def caps(self) -> list[Fraction]:
        return caps_of(self._effective(), self.nu)

    def _kept(self, values: Sequence[Any]) -> list[Any]:
        return [value for value, kept in zip(values, self.carries, strict=True) if kept]

    def _effective(self) -> list[float]:
        """Sample weights times what class_weight makes of them: doubles, each rounded once."""
        labels = self._kept(self.given.y.tolist())
        ones = [1.0] * len(self.carries)
        weight = self._kept(ones if self.given.weight is None else self.given.weight.tolist())
        asked, classes = self.given.estimator.class_weight, sorted(set(labels))
        factor = dict.fromkeys(classes, 1.0)
        if asked == "balanced":
            for label in classes:
                own = math.fsum(w for w, each in zip(weight, labels, strict=True) if each == label)
                factor[label] = math.fsum(weight) / (len(classes) * own)
        elif asked is not None:
            factor |= asked
        return [w * factor[label] for w, label in zip(weight, labels, strict=True)]

    @cached_property
    def table(self) -> list[list[Cell]]:
        """One list per feature; categories are numbered in their order, and None is missing."""
        columns: list[list[Cell]] = []
        for j, column in enumerate(self.given.X.T.tolist()):
            cells = [None if math.isnan(cell) else cell for cell in self._kept(column)]
            if j in self.given.categorical:
                known = sorted({cell for cell in cells if cell is not None})
                cells = [None if cell is None else known.index(cell) for cell in cells]
            columns.append(cells)
        return columns

    @cached_property
    def signs(self) -> NDArray[np.int64]:
        """Every tree of the class, one row of -1 and +1 each."""
        sizes = [
            len({cell for cell in cells if cell is not None}) if j in self.given.categorical else 0
            for j, cells in enumerate(self.table)
        ]
        require(
            list(self.declared.categories) == sizes, f"categories {self.declared.categories}, not {sizes}"
        )
        thresholds = [cuts.tolist() for cuts in self.declared.thresholds]
        most = self.given.estimator.max_bins
        for j, (cells, size, cuts) in enumerate(zip(self.table, sizes, thresholds, strict=True)):
            distinct = sorted({cell for cell in cells if cell is not None})
            told = {sum(cut < cell for cut in cuts) for cell in distinct}
            every = size > 0 or len(told) == len(distinct)
            # Where values are missing, one threshold of several tells them from all others.
            between = most if most is None or None not in cells else max(min(most, 254) - 1, 1)
            few = between is None or len(distinct) <= between + 1
            if most != 1 and distinct and None in cells and size == 0:
                require(
                    cuts[-1] > distinct[-1], f"feature {j}: thresholds {cuts} do not tell what is missing"
                )
            require(every or not few, f"feature {j}: thresholds {cuts} do not tell {distinct} apart")
            require(most is None or len(cuts) <= most, f"feature {j}: {len(cuts)} thresholds")
        return all_trees(self.table, thresholds, sizes, self.given.estimator.max_depth)

    @cached_property
    def columns(self) -> list[Column]:
        """What each hypothesis of the class says of the rows."""
        if self.given.matrix is not None:
            return [tuple(map(Fraction, column)) for column in self.given.matrix.T.tolist()]
        return [tuple(column) for column in self.signs.tolist()]

    def edge(self, units: Sequence[int]) -> Fraction:
        """The largest edge at a distribution, both in units."""
        u = [a * b for a, b in zip(units, self.y, strict=True)]
        if self.given.matrix is None:
            return Fraction(int((self.signs @ np.array(u)).max()))  # integers below 2^53
        return max(Fraction(sum(a * b for a, b in zip(u, column, strict=True))) for column in self.columns)

    def says(self, hypothesis: Any) -> Column:
        """What a fitted hypothesis says of the rows; it must be of the class."""
        if self.given.matrix is not None:
            return self.columns[int(hypothesis.index)]
        column = walked(hypothesis, self.table)
        require((self.signs == np.array(column)).all(axis=1).any(), f"a tree is not of the class: {column}")
        return tuple(int(each) for each in column)
