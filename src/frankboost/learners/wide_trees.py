"""Depth-2 trees of very many features: good trees first, and a search over all pairs if the round needs
more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Need
from frankboost.learners.certified_trees import STRETCH, leaf
from frankboost.learners.tree import Forest, Tree
from frankboost.native import TreeSearch
from frankboost.typing import Floats

MANY_COLUMNS = 1000  # with this many columns a search over all pairs takes minutes
HINTS = 32  # features of recent trees that a search tries first


def is_wide(bins: NDArray[np.int32], rows: int) -> bool:
    """Whether `WideTrees` is faster than a search over all pairs of features in every round.

    It is if there are many features, and if the tables of all their pairs have more cells than the rows have
    codes (measured: time to the same gap, 64 to 1,024 features of numbers and of 0/1, 1,000 to 64,000 rows).
    With fewer features most of them are promising. With more rows the weaker bounds double the rounds.
    """
    cells = 0.5 * float((bins + 1.0).sum()) ** 2
    return len(bins) >= MANY_COLUMNS and float(rows) * len(bins) <= cells


class WideTrees:
    """The search on demand over very many features (native/wide_search.cpp).

    It keeps the features of the last trees as hints for the next search. It does not support constraints.
    """

    def __init__(self, columns: int, threads: int) -> None:
        self._columns = columns
        self._threads = threads
        self._hints: list[int] = []

    def __call__(
        self, search: TreeSearch, u: Floats, need: Need, kappa: float, stop: Callable[[], bool] | None
    ) -> tuple[list[Tree], float]:
        """Trees for signed weights u, best first, and an upper bound on every edge of the class."""
        if not u.any():
            return [leaf(u)], 0.0
        hints = np.array(self._hints, dtype=np.int64)
        nodes, roots, sets, bound = search.wide_trees(
            u, hints, need.known, need.bound, need.close, kappa, STRETCH, self._columns, self._threads, stop
        )
        used = [f for f in nodes["feature"].tolist() if f >= 0]
        self._hints = list(dict.fromkeys(used + self._hints))[:HINTS]
        return Forest(nodes, roots, sets).trees() or [leaf(u)], bound
