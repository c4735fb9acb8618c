"""Depth-2 trees over very many thresholds: good trees first, and the best ones where these are not enough."""

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

STRETCH = 4.0  # 1/theta of theorem 2: how far the bound may be above the known edges, in those of the answer


def is_fine(bins: NDArray[np.int32]) -> bool:
    """Whether a feature has more thresholds than a table of a pair of features takes."""
    return bool((bins > MOST_THRESHOLDS + 1).any())


@dataclass(frozen=True)
class FineTrees:
    """The search at work.

    A search over bins finds trees, whose thresholds are then made the best of all, and a bound that is off by
    the weight in a bin or two. If neither is what the round needs, the roots that may have a better tree
    are searched over all thresholds.
    """

    search: TreeSearch
    columns: int
    threads: int

    def __call__(
        self, u: Floats, need: Need, kappa: float, stop: Callable[[], bool] | None
    ) -> tuple[list[Tree], float]:
        """Trees for signed weights u, best first, and what no tree of the class exceeds."""
        nodes, roots, sets, bound = self.search.fine_trees(
            u, need.known, need.bound, need.close, kappa, STRETCH, self.columns, self.threads, stop
        )
        return Forest(nodes, roots, sets).trees() or [leaf(u)], bound
