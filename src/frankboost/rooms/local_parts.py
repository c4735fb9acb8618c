"""The parts in this process: with all rows of a training set or some, of two classes or of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from frankboost import native
from frankboost.grid import weight_shares
from frankboost.learners.base import Hypothesis, Oracle
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest, Tree, vote
from frankboost.rooms.distributions import Placed
from frankboost.rooms.host_part import Examples, HostPart
from frankboost.rooms.joint_rows import JointRows
from frankboost.rooms.margin_matrix import MarginMatrix
from frankboost.rooms.part import Pair, Part
from frankboost.rooms.questions import Number
from frankboost.rooms.tree_search import TreeRows
from frankboost.typing import AnyArray, Floats, Indices, Precision

FEW = 8  # hypotheses whose votes are computed at a time


@dataclass(eq=False)
class _Projected:
    """A projected distribution, which is rounded to the grid when d is first used."""

    margins: Floats
    exact: Floats | None  # until d is made
    units: Floats
    threads: int

    @cached_property
    def d(self) -> Floats:
        assert self.exact is not None
        d, self.exact = native.snap(self.exact, self.units, self.threads), None
        return d


class WholePart(HostPart):
    """A part that has all rows of its room: one kernel call does what takes several questions to many parts.

    The oracle is prepared for these rows; error messages call it `learner`.
    """

    def __init__(
        self, examples: Examples, oracle: Oracle, *, threads: int = 1, learner: str = "the weak learner"
    ) -> None:
        super().__init__(examples, threads=threads)
        self._oracle = oracle
        self._learner = learner

    def _values(self, hypotheses: Sequence[Hypothesis]) -> Iterable[AnyArray]:
        return self._oracle.values(hypotheses, self._examples.X)

    def _few_at_a_time(self, hypotheses: Sequence[Hypothesis]) -> Iterable[Sequence[Hypothesis]]:
        few = FEW * self._examples.margins.members
        return (hypotheses[k : k + few] for k in range(0, len(hypotheses), few))

    def _columns(self, values: AnyArray) -> AnyArray:
        rows = self._rows
        if values.shape[1:] != (rows,):
            raise ValueError(
                f"{self._learner} returned a hypothesis with values of shape {values.shape[1:]} "
                f"for {rows} rows; expected ({rows},)"
            )
        if not (values.min() >= -1 and values.max() <= 1):
            raise ValueError(
                f"{self._learner} returned a hypothesis with values from {values.min():g} "
                f"to {values.max():g}; allowed: [-1, 1]"
            )
        return super()._columns(values)

    def _votes(self, hypotheses: Sequence[Hypothesis], weights: Floats) -> Floats:
        trees = [each for each in hypotheses if isinstance(each, Tree)]
        if len(trees) == len(hypotheses):
            return vote(trees, weights, self._examples.X, self._threads)
        pairs = zip(weights.tolist(), self._values(hypotheses), strict=True)
        return sum((weight * values for weight, values in pairs), np.zeros(self._rows))

    def column(self, j: int) -> Floats:
        return self._matrix.column(j)

    def caps(self) -> Floats:
        caps: Floats = self._caps
        return caps

    def soft_margin(self, number: Number) -> Pair:
        margins = self._placed[number].margins
        return native.soft_margin(margins, self._weight, self._nu, self._total, self._threads)

    def project(self, number: Number, eta: float) -> float:
        """Keep d_i = min(c_i, q_i exp(-eta margin_i - tau)), computed in log space.

        It attains the minimum over P of d . margins + KL(d || prior) / eta, which is returned.
        """
        margins = self._placed[number].margins
        d, value = native.project(
            margins, self._weight, self._caps, self._nu, self._total, eta, self._threads
        )
        self._placed[number] = _Projected(margins, d, self._units, self._threads)
        return value

    def moving(self, number: Number, least: Pair, stride: int) -> tuple[int, float, Indices]:
        rows = self._free(number, least, stride)
        return len(rows), float(self._placed[number].d[rows].sum()), rows

    def covariance(
        self, number: Number, rows: Indices, columns: Indices, weight: float, dtype: Precision
    ) -> Floats:
        d = self._placed[number].d[rows]
        return self._matrix.covariance(columns, np.ascontiguousarray(rows), d * (weight / d.sum()), dtype)


class TreePart(HostPart, TreeRows):
    """Some of the rows, with the tables for the search for trees; the tables of all parts add up.

    X is a `BinnedFeatures`, with the thresholds and missing flags of the rows of all parts.
    """

    def __init__(self, examples: Examples, first: int = 0, *, threads: int = 1) -> None:
        super().__init__(examples, first, threads=threads)
        self._features: BinnedFeatures = examples.X
        self._search: native.TreeSearch = self._features.search()
        self._searched: tuple[int, native.WeightedRows] | None = None

    def _values(self, hypotheses: Forest) -> Iterable[AnyArray]:
        """The votes of trees with leaves -1 and +1 for the rows."""
        return self._search.votes(hypotheses.nodes, hypotheses.roots, hypotheses.sets, self._threads)

    def _votes(self, hypotheses: Forest, weights: Floats) -> Floats:
        """The weighted vote of trees with any leaf values."""
        forest = (hypotheses.nodes, hypotheses.roots, hypotheses.sets)
        return self._search.vote(*forest, weights, self._threads)

    def weigh_rows(self, number: Number, whole: float) -> None:
        shares = weight_shares(self._weight, whole)
        # With signs, so that u has none.
        self._placed[number] = Placed(None, self._examples.margins.signed(shares))

    def feature_sums(self, number: Number) -> Floats:
        return np.stack(self._search.feature_sums(self._rows_with_weight(number), self._threads))

    def pair_tables(self, number: Number, begin: int, end: int) -> Floats:
        return self._search.pair_tables(self._rows_with_weight(number), begin, end, self._threads)

    def add_pair_tables(self, number: Number, begin: int, end: int, tables: Floats) -> None:
        """Fill the tables and add them to those of other parts."""
        self._search.add_pair_tables(self._rows_with_weight(number), begin, end, tables, self._threads)

    def side_sums(self, number: Number, nodes: AnyArray, sets: AnyArray, children: AnyArray) -> Floats:
        weighty = self._rows_with_weight(number)
        sums = self._search.side_sums(weighty, nodes, sets, children, self._threads)
        self._searched = None  # nothing else is asked in a search
        return sums

    def _rows_with_weight(self, number: Number) -> native.WeightedRows:
        """The rows with weight, kept for all questions of a search."""
        if self._searched is None or self._searched[0] != number:
            self._searched = number, self._search.weighted(self.signed(number))
        return self._searched[1]

    def forget(self, numbers: Sequence[Number]) -> None:
        super().forget(numbers)
        if self._searched is not None and self._searched[0] in numbers:
            self._searched = None

    def rows(self, number: Number) -> tuple[AnyArray, Floats]:
        u = self.signed(number)
        kept = np.flatnonzero(u)
        return np.ascontiguousarray(self._features.codes[:, kept]), u[kept]

    def bin_weights(self, number: Number) -> Floats:
        rows = self._search.weighted(np.abs(self.signed(number)))
        return self._search.feature_sums(rows, self._threads)[0]


class _JointHostRows(JointRows, HostPart):
    """What both kinds of parts have if the rows are of many classes."""

    def _no_columns(self) -> MarginMatrix:
        return MarginMatrix(self._rows * self._margins.classes, self._threads)

    def _of_all(self, values: Iterable[AnyArray]) -> AnyArray:
        """The votes of the hypotheses of all classes for the rows, class by class."""
        return np.array(list(values), dtype=np.int8).reshape(-1, self._matrix.rows)

    def _columns(self, values: AnyArray) -> AnyArray:
        return values

    def signed(self, number: Number) -> Floats:
        """The signed weights of a class, see `of_class`."""
        u: Floats = self._placed[number].d
        return u


class JointPart(_JointHostRows, WholePart):
    """All rows of many classes in this process, with a weak learner whose hypotheses vote -1 and +1."""

    moving, covariance = Part.moving, Part.covariance

    def _values(self, hypotheses: Any) -> Iterable[AnyArray]:
        return self._of_all(WholePart._values(self, hypotheses))

    def column(self, j: int) -> Floats:
        return np.ascontiguousarray(self._margins.pairs(self._matrix.column(j)).T)

    def caps(self) -> Floats:
        """0 for a row's own class, whose entries of the columns are 0."""
        own = self._margins.code[:, None] == np.arange(self._margins.classes)
        return np.where(own, 0.0, self._caps[:, None])

    def project(self, number: Number, eta: float) -> float:
        least = self._soften(number, eta)
        value = super().project(number, eta)
        self._placed[number].margins = least
        return value


class JointTreePart(_JointHostRows, TreePart):
    """Some rows of many classes, by their bin codes."""

    def _values(self, hypotheses: Any) -> Iterable[AnyArray]:
        return self._of_all(TreePart._values(self, hypotheses))
