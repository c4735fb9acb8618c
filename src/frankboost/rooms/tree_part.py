"""Rows in this process, with the tables for the search for trees; the tables of all parts add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from frankboost import native
from frankboost.grid import weight_shares
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.tree import Forest
from frankboost.rooms.distributions import Placed
from frankboost.rooms.host_part import Examples, HostPart
from frankboost.rooms.questions import Number
from frankboost.rooms.tree_search import TreeRows
from frankboost.typing import AnyArray, Floats


class TreePart(HostPart, TreeRows):
    """A part whose X is a `BinnedFeatures`, with the thresholds and missing flags of the rows of all
    parts."""

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
