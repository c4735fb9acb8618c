"""The class of trees that BestTree searches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from frankboost.constraints import Constraints
from frankboost.learners.base import HypothesisClass
from frankboost.learners.tree import Tree
from frankboost.native import MOST_FREE
from frankboost.scope import trees_text
from frankboost.typing import Floats

DEEPEST = 2  # the largest depth that is always searched exactly


@dataclass(frozen=True, eq=False, repr=False)
class TreeClass(HypothesisClass):
    """The trees of a given depth over given thresholds, one array per feature, and sets of categories.

    `categories` has the number of categories of each feature, 0 for a feature of numbers. `all_thresholds`
    says that there is a threshold between any two neighbouring values of the training rows. `exact` says
    that the search is exact although the trees are deeper than 2. All trees satisfy the `constraints`.
    """

    max_depth: int
    thresholds: tuple[Floats, ...]
    categories: tuple[int, ...]
    all_thresholds: bool = False
    exact: bool = False
    constraints: Constraints | None = None
    searched_as: ClassVar[Literal["trees", "columns", "joint"] | None] = "trees"

    def __str__(self) -> str:
        counts = [len(cuts) for cuts in self.thresholds]
        text = trees_text(
            self.max_depth, counts, self.categories, all_thresholds=self.all_thresholds, exact=self.exact
        )
        return text if self.constraints is None else f"{text}, {self.constraints}"

    def recall(self, hypothesis: Any, /) -> Tree | None:
        """A tree as a member of this class, with bins of this class; None if it is not a member."""
        if not isinstance(hypothesis, Tree):
            return None
        nodes, level = hypothesis.nodes.copy(), hypothesis.levels()
        nodes["last_bin"] = -1
        for k in np.flatnonzero(hypothesis.feature >= 0).tolist():
            last_bin = self._bin(hypothesis, k) if level[k] < self.max_depth else None
            if last_bin is None or not self._has_set(hypothesis, k, level[k]):
                return None
            nodes["last_bin"][k] = last_bin
        if self.constraints is not None and self.constraints.broken_by(hypothesis) is not None:
            return None
        return replace(hypothesis, nodes=nodes)

    def _bin(self, tree: Tree, k: int) -> int | None:
        """The last bin that node k sends left (0 at a split of categories); None if this class has no such
        split."""
        f, threshold = int(tree.feature[k]), float(tree.threshold[k])
        if f >= len(self.thresholds) or (self.categories[f] > 0) != (tree.set_index[k] >= 0):
            return None
        if self.categories[f] > 0:
            return 0
        at = int(self.thresholds[f].searchsorted(threshold))
        return at if at < len(self.thresholds[f]) and self.thresholds[f][at] == threshold else None

    def _has_set(self, tree: Tree, k: int, level: int) -> bool:
        """Whether the set of categories at node k, if there is one, is a set of this class.

        A split of the last level may have any set of known categories. Above it, the splits of a feature with
        more than 8 categories have one category against the rest.
        """
        if tree.set_index[k] < 0:
            return True
        sent, count = tree.categories(k), self.categories[tree.feature[k]]
        any_set = level + 1 == self.max_depth or count <= MOST_FREE
        return bool((sent < count).all()) and (any_set or len(sent) in (0, 1, count - 1, count))
