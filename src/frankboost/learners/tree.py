"""Decision trees with leaves -1 and +1, as flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from frankboost import native

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree whose node 0 is the root.

    At node k a row goes to node left[k] if its feature[k] is at most threshold[k], or if it is missing
    there and missing_left[k] holds; else to right[k]. A leaf has feature -1 and votes value[k].
    """

    feature: NDArray[np.int32]
    threshold: Floats
    missing_left: NDArray[np.uint8]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.int8]

    def __call__(self, X: Floats, /) -> NDArray[np.int8]:
        """Votes, -1 or +1, for each row of X."""
        return vote([self], np.ones(1), X).astype(np.int8)


def vote(trees: Sequence[Tree], weights: Floats, X: Floats, threads: int = 1) -> Floats:
    """sum_j weights_j tree_j(x) for each row of X."""
    if not trees:
        return np.zeros(len(X))
    sizes = [len(tree.feature) for tree in trees]

    def joined(name: str) -> NDArray[np.generic]:
        return np.concatenate([getattr(tree, name) for tree in trees])

    return native.vote(
        np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64),
        joined("feature"),  # type: ignore[arg-type]
        joined("threshold"),  # type: ignore[arg-type]
        joined("missing_left"),  # type: ignore[arg-type]
        joined("left"),  # type: ignore[arg-type]
        joined("right"),  # type: ignore[arg-type]
        joined("value"),  # type: ignore[arg-type]
        np.ascontiguousarray(weights, dtype=np.float64),
        np.ascontiguousarray(X, dtype=np.float64),
        threads,
    )
