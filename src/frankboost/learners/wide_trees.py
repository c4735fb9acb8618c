"""Depth-2 trees of very many features: good trees first, then a search over all pairs where these are not
enough."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Need
from frankboost.learners.certified_trees import STRETCH, leaf
from frankboost.learners.tree import Forest, Tree
from frankboost.native import TreeSearch
from frankboost.typing import Floats

MANY_COLUMNS = 1000  # from which on all pairs of them take minutes to search
HINTS = 32


def is_wide(bins: NDArray[np.int32], rows: int) -> bool:
    """Whether most rounds can leave out pairs of features; such a search takes no constraints.

    There are many features, and the tables of all their pairs have more cells than the rows have codes. By
    time to the same gap: numbers and 0/1, 64 to 1,024 features, 1,000 to 64,000 rows. With fewer features the
    promising ones are most of them, and with more rows it takes twice the rounds, whose bounds are weaker.
    """
    cells = 0.5 * float((bins + 1.0).sum()) ** 2
    return len(bins) >= MANY_COLUMNS and float(rows) * len(bins) <= cells


class WideTrees:
    """The search, with the features of the trees that it found last."""

    def __init__(self, columns: int, threads: int) -> None:
        self._columns = columns
        self._threads = threads
        self._hints: list[int] = []

    def __call__(
        self, search: TreeSearch, u: Floats, need: Need, kappa: float, stop: Callable[[], bool] | None
    ) -> tuple[list[Tree], float]:
        """Trees for signed weights u, best first, and what no tree of the class exceeds."""
        if not u.any():
            return [leaf(u)], 0.0
        hints = np.array(self._hints, dtype=np.int64)
        nodes, roots, sets, bound = search.wide_trees(
            u, hints, need.known, need.bound, need.close, kappa, STRETCH, self._columns, self._threads, stop
        )
        used = [f for f in nodes["feature"].tolist() if f >= 0]
        self._hints = list(dict.fromkeys(used + self._hints))[:HINTS]
        return Forest(nodes, roots, sets).trees() or [leaf(u)], bound
