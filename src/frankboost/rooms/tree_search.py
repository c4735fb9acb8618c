"""The search for depth-2 trees of largest edge over rows in parts."""

# mypy: disable-error-code="empty-body"
# A question has no body: who has rows, answers.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.constraints import Constraints
from frankboost.grid import power_above
from frankboost.learners.base import Answer, Hypothesis, Need
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.certified_trees import leaf
from frankboost.learners.constraining import least_weight
from frankboost.learners.tree import Forest, Tree
from frankboost.learners.tree_class import DEEPEST, TreeClass
from frankboost.learners.tree_oracle import MOST_COLUMNS, NEGLIGIBLE, RememberedStop
from frankboost.learners.wide_trees import WideTrees, is_wide
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number, Parts, added, asked, asked_together, question
from frankboost.typing import AnyArray, Floats

MOST_CELLS = 2**22  # of tables at a time: 32 MB


class TreeRows(Part):
    """The questions that the search for trees asks of the rows of a part."""

    @question(changes=True)
    def weigh_rows(self, number: Number, whole: float) -> None:
        """Let the shares of the sample weights in `whole` be u."""

    @question(adds=True)
    def feature_sums(self, number: Number) -> Floats:
        """Sums of u, then of |u|, by the bins of each feature."""

    @question(adds=True)
    def pair_tables(self, number: Number, begin: int, end: int) -> Floats:
        """Sums of u by the bins of pairs of features."""

    @question(changes=True, optional=True)
    def fill_pairs(self, number: Number, begin: int, end: int) -> None:
        """Fill the tables that `pair_children` will search, on parts that fill them together."""

    @question(optional=True)
    def pair_children(self, number: Number, begin: int, end: int) -> tuple[Floats, NDArray[np.int32]]:
        """The best children of every root split on one feature of these pairs, of all rows."""

    @question(adds=True)
    def side_sums(self, number: Number, nodes: AnyArray, sets: AnyArray, children: AnyArray) -> Floats:
        """Sums of u below roots by the bins of their children."""

    @question()
    def rows(self, number: Number) -> tuple[AnyArray, Floats]:
        """The bin codes and u of the rows with weight."""

    @question(adds=True)
    def bin_weights(self, number: Number) -> Floats:
        """Sums of d by the bins of each feature."""


class TreeTables:
    """The search of `BestTree`, with depth 1 or 2, over parts of the rows.

    The parts send tables, whose sums are searched here: sums by bin for stumps, sums by pairs of bins for
    depth-2 trees. If these tables have more cells than there are rows with weight, or if there are very many
    features (`is_wide`), the parts send the bins of the rows with weight instead. For trees with heavy leaves
    they send all tables, those of the sample weights once. `features` describe the bins, and have the codes
    of any rows.
    """

    exact = True
    drives = False

    def __init__(
        self,
        hypothesis_class: TreeClass,
        features: BinnedFeatures,
        parts: Parts,
        *,
        columns: int,
        threads: int = 1,
    ) -> None:
        self.hypothesis_class = hypothesis_class
        self._stop: Callable[[], bool] | None = None
        self._kappa = 0.0
        self._features = features
        self._search = features.search()
        self._parts = parts
        self._columns = min(columns, MOST_COLUMNS)
        self._threads = threads
        deep = hypothesis_class.max_depth == DEEPEST and features.constraints is None
        wide = deep and is_wide(features.bins, parts.rows)
        self._wide = WideTrees(self._columns, threads) if wide else None
        self._weighty = parts.rows  # the number of rows with weight, at the last distribution
        # Every row has a sample weight, so that the choice between rows and tables is made once for these.
        self._as_rows = hypothesis_class.max_depth == DEEPEST and self._search.wants_rows(parts.rows)
        total, kept = self._weigh(), features.constraints
        self._leaves = self._leaf_weights(kept, total) if kept is not None and kept.least else None

    def _weigh(self) -> Fraction:
        """The sum of the sample weights; of weights so far apart that a leaf may have none in the tables, an
        error."""
        weights, lightest = zip(*self._parts.ask(Part.weigh), strict=True)
        total = sum(weights, Fraction(0))
        least, mean = min(lightest), float(total) / self._parts.rows
        if least < NEGLIGIBLE * mean:
            raise ValueError(
                "sample_weight must hold no positive weight below a millionth of the mean weight on a "
                f"cluster or a device; got {least / mean:.3g} times the mean"
            )
        return total

    def _leaf_weights(self, constraints: Constraints, total: Fraction) -> native.LeafWeights:
        least_weight(constraints.leaf_weight, float(total))
        number, whole = Number(-1), power_above(total)
        self._parts.ask(TreeRows.weigh_rows, number, whole)
        leaves = self._search.leaf_weights(self._cells(number), constraints.least / whole)
        self._parts.ask(Part.forget, [number])
        return leaves

    def begin(self, stop: Callable[[], bool], kappa: float) -> None:
        self._stop, self._kappa = stop, kappa

    def __call__(self, number: Number, need: Callable[[], Need]) -> Answer:
        """The trees of largest edge at a distribution, best first, see `BestTree`."""
        if self._wide is not None:
            search, u = self._weighty_rows(number)
            return Answer(*self._wide(search, u, need(), self._kappa, self._stop))
        stop = RememberedStop(self._stop)
        trees = self._trees(number, stop)
        return Answer(trees, 1.0 if stop.stopped else None)  # a search cut short knows no more

    def _trees(self, number: Number, stop: Callable[[], bool]) -> list[Tree]:
        depth = self.hypothesis_class.max_depth
        if self._leaves is not None:
            cells = self._cells(number)
            found = self._search.heavy_trees(cells, self._leaves, depth, self._columns, self._threads, stop)
            return Forest(*found).trees() or [leaf(np.array([cells.total]))]
        if depth == 1:
            return self._stumps(number)
        filled = None if self._search.wants_rows(self._weighty) else self._chunks[0]
        if filled is not None:  # tables are likely to be wanted: parts may fill them before the next answer
            self._fill(number, *filled)
        counts, sums = self._parts.run(
            asked_together(asked(Part.weighty, number), asked(TreeRows.feature_sums, number))
        )
        self._weighty = sum(counts)
        if self._search.wants_rows(self._weighty):
            return self._of_rows(number, stop)
        return self._of_tables(number, added(sums), filled)

    def _stumps(self, number: Number) -> list[Tree]:
        sums, masses = added(self._parts.ask(TreeRows.feature_sums, number))
        found = Forest(*self._search.sum_stumps(sums, masses, self._columns)).trees()
        return found or [leaf(sums[: self._features.bins[0] + 1])]

    def _of_rows(self, number: Number, stop: Callable[[], bool]) -> list[Tree]:
        search, u = self._weighty_rows(number)
        return Forest(*search.trees(u, self._columns, self._threads, stop)).trees() or [leaf(u)]

    def _cells(self, number: Number) -> native.Cells:
        """Sums of u by the bins of features and of pairs of them."""
        if self._as_rows:
            search, u = self._weighty_rows(number)
            return search.cells(u)
        sums, _ = added(self._parts.ask(TreeRows.feature_sums, number))
        if self.hypothesis_class.max_depth == 1:
            return self._search.cells_in_tables(sums, None)
        survey = self._search.survey()
        tables = np.empty(survey.pair_cells(0, survey.pairs))
        for begin, end in self._chunks:
            cells = slice(survey.pair_cells(0, begin), survey.pair_cells(0, end))
            tables[cells] = added(self._parts.ask(TreeRows.pair_tables, number, begin, end))
        return self._search.cells_in_tables(sums, tables)

    def _weighty_rows(self, number: Number) -> tuple[native.TreeSearch, Floats]:
        """A search of the rows that have weight, and their u."""
        answers = self._parts.ask(TreeRows.rows, number)
        codes = np.concatenate([each for each, _ in answers], axis=1)
        u = np.concatenate([each for _, each in answers])
        return replace(self._features, codes=np.ascontiguousarray(codes)).search(), u

    def _of_tables(self, number: Number, of_features: Floats, filled: tuple[int, int] | None) -> list[Tree]:
        survey, (sums, masses) = self._search.survey(), of_features
        survey.take_features(sums, masses)
        for begin, end in self._chunks:
            if (begin, end) != filled:
                self._fill(number, begin, end)
            self._take_pairs(survey, number, begin, end)
        nodes, sets, children = self._search.survey_roots(survey, self._columns)
        if len(nodes) == 0:
            return [leaf(sums[: self._features.bins[0] + 1])]
        sides = added(self._parts.ask(TreeRows.side_sums, number, nodes, sets, children))
        return Forest(*self._search.survey_trees(survey, sides)).trees()

    def _take_pairs(self, survey: native.TableSurvey, number: Number, begin: int, end: int) -> None:
        """Add the children that pairs begin .. end offer to the survey."""
        if self._parts.can(TreeRows.pair_children):
            for children in self._parts.ask(TreeRows.pair_children, number, begin, end):
                survey.take_children(*children)
        else:
            tables = added(self._parts.ask(TreeRows.pair_tables, number, begin, end))
            survey.take_pairs(begin, end, tables, self._threads)

    def _fill(self, number: Number, begin: int, end: int) -> None:
        if self._parts.can(TreeRows.fill_pairs):
            self._parts.ask(TreeRows.fill_pairs, number, begin, end)

    @cached_property
    def _chunks(self) -> list[tuple[int, int]]:
        """Ranges of pairs, begin and end, whose tables are in memory at the same time."""
        survey = self._search.survey()
        chunks, begin = [], 0
        while begin < survey.pairs:
            end = begin + 1
            while end < survey.pairs and survey.pair_cells(begin, end + 1) <= MOST_CELLS:
                end += 1
            chunks.append((begin, end))
            begin = end
        return chunks

    def encode(self, trees: Sequence[Any]) -> Forest:
        return Forest.of(trees)

    def recall(self, hypothesis: Hypothesis, /) -> Tree | None:
        """As `TreeOracle` does."""
        tree = self.hypothesis_class.recall(hypothesis)
        if tree is None or self._leaves is None:
            return tree
        forest = Forest.of([tree])
        arrays = forest.nodes, forest.roots, forest.sets
        heavy = not len(tree.sets) and self._search.has_heavy_leaves(self._leaves, *arrays)
        return tree if heavy else None

    def bin_weights(self, number: Number) -> Floats:
        return added(self._parts.ask(TreeRows.bin_weights, number))

    def gains(self, trees: Sequence[Any], number: Number) -> None:
        """No tree is deeper than 2."""
