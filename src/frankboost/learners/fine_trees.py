"""Depth-2 trees over very many thresholds: good trees first, and a full search if the round needs more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Need
from frankboost.learners.certified_trees import leaf
from frankboost.learners.tree import Forest, Tree
from frankboost.native import MOST_THRESHOLDS, TreeSearch
from frankboost.typing import Floats

STRETCH = 4.0  # 1/theta of theorem 2: the bound may exceed `Need.known` by this times what the edge does


def is_fine(bins: NDArray[np.int32]) -> bool:
    """Whether a feature has more thresholds than a table of a pair of features can have."""
    return bool((bins > MOST_THRESHOLDS + 1).any())


@dataclass(frozen=True)
class FineTrees:
    """The search on demand for depth-2 trees over very many thresholds (native/fine_search.cpp).

    A search over few bins finds trees and a bound, which is too large by the weight of a bin or two. Then the
    thresholds of the trees are improved. If neither trees nor bound are what the round needs, the roots that
    may have a better tree are searched over all thresholds.
    """

    search: TreeSearch
    columns: int
    threads: int

    def __call__(
        self, u: Floats, need: Need, kappa: float, stop: Callable[[], bool] | None
    ) -> tuple[list[Tree], float]:
        """Trees for signed weights u, best first, and an upper bound on every edge of the class."""
        nodes, roots, sets, bound = self.search.fine_trees(
            u, need.known, need.bound, need.close, kappa, STRETCH, self.columns, self.threads, stop
        )
        return Forest(nodes, roots, sets).trees() or [leaf(u)], bound
