"""Depth-2 trees of very many features: good ones, and where these are not enough, a search over all pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from frankboost.learners.base import Need
from frankboost.learners.binning import BinnedFeatures
from frankboost.learners.certified_trees import STRETCH, leaf
from frankboost.learners.tree import Forest, Tree
from frankboost.native import TreeSearch
from frankboost.typing import Floats

WIDE = 1e9  # nanoseconds: where all pairs would take longer, most rounds do without
HINTS = 32


def is_wide(features: BinnedFeatures) -> bool:
    """Whether a look at every pair of features takes long."""
    count, rows = (float(size) for size in features.codes.shape)
    bins = float(np.minimum(features.bins, rows).mean())
    pair = 2.0 * rows + min(0.5 * bins * bins, 60.0 * rows)
    return 0.5 * count * count * pair > WIDE


class WideTrees:
    """The search at work, with the features of the trees that it found last."""

    def __init__(self, search: TreeSearch, threads: int) -> None:
        self._search = search
        self._threads = threads
        self._hints: list[int] = []

    def __call__(
        self, u: Floats, columns: int, need: Need, kappa: float, stop: Callable[[], bool]
    ) -> tuple[list[Tree], float]:
        """Trees for signed weights u, best first, and what no tree of the class exceeds."""
        if not u.any():
            return [leaf(u)], 0.0
        hints = np.array(self._hints, dtype=np.int64)
        nodes, roots, sets, bound = self._search.wide_trees(
            u, hints, need.known, need.bound, need.close, kappa, STRETCH, columns, self._threads, stop
        )
        used = [f for f in nodes["feature"].tolist() if f >= 0]
        self._hints = list(dict.fromkeys(used + self._hints))[:HINTS]
        return Forest(nodes, roots, sets).trees() or [leaf(u)], bound
