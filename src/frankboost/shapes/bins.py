"""The bins of a feature: trees give two values in the same bin the same votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from frankboost.learners.nodes import unpacked
from frankboost.learners.thresholds import PRESENT
from frankboost.learners.tree import Forest
from frankboost.learners.tree_text import day_text, number_text
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False, repr=False)
class Bins:
    """The bins of one feature: intervals of numbers, or categories, and a last bin for missing values.

    Attributes
    ----------
    feature : int
        The number of the column.
    name : str
    edges : array
        Bin k holds the numbers above ``edges[k - 1]`` and at most ``edges[k]``. These are the thresholds of
        the trees. Empty if the feature has categories.
    categories : list or None
        The category of each bin, if the feature has some.
    weights : array of shape (number of bins,)
        The share of the rows in each bin, by weight.
    span : tuple of two float
        The smallest and the largest number among the rows; NaN if there is none.
    is_date : bool
        Whether the numbers are days since 1970-01-01.
    """

    feature: int
    name: str
    edges: Floats
    categories: Sequence[Any] | None
    weights: Floats
    span: tuple[float, float]
    is_date: bool

    def __repr__(self) -> str:
        return f"<Bins of {self.name}: {len(self)}, with that of missing values>"

    def __len__(self) -> int:
        return len(self.weights)

    def text(self, number: float, digits: int | None = None) -> str:
        """A number of the feature as text, with all digits by default."""
        return day_text(number, digits) if self.is_date else number_text(number, digits)

    def labels(self, digits: int | None = None) -> list[str]:
        """The text of each bin, such as an interval, with all digits by default."""
        if self.categories is not None:
            return [*map(str, self.categories), "missing"]
        if len(self.edges) == 0:
            return ["any number", "missing"]
        ends = [self.text(edge, digits) for edge in self.edges.tolist()]
        between = [f"{low} to {high}" for low, high in pairwise(ends)]
        return [f"<= {ends[0]}", *between, f"> {ends[-1]}", "missing"]

    def label_of(self, number: float) -> str:
        """The text of a value of the feature in a table of numbers."""
        if np.isnan(number):
            return "missing"
        if self.categories is not None:
            return str(self.categories[int(number)])
        return self.text(number, digits=4)


def codes(x: Floats, edges: Floats, categories: Sequence[Any] | None) -> Indices:
    """The bin of each value of a column; missing values are in the last bin."""
    if categories is not None:
        return np.where(np.isnan(x), len(categories), x).astype(np.intp)
    found = np.searchsorted(edges, x)
    found[np.isnan(x)] = len(edges) + 1
    return found


def sent_left(forest: Forest, splits: Indices, bins: Bins) -> Flags:
    """Which bins of their feature some splits send left, one row per split."""
    nodes = forest.nodes[splits]
    threshold = nodes["threshold"][:, None]
    if bins.categories is None:
        left = np.hstack([bins.edges <= threshold, threshold == PRESENT])
    else:
        left, by_set = np.arange(len(bins.categories)) <= threshold, nodes["set_index"] >= 0
        left[by_set] = unpacked(forest.sets[nodes["set_index"][by_set]])[:, : len(bins.categories)]
    return np.hstack([left, nodes["missing_left"][:, None] > 0])
