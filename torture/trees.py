"""All trees of depth 1 or 2 by what they say of a few rows, and one tree walked row by row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

FREE = 8  # categories of which a root may send any set left; of more, one, all but one, none or all
Masks = NDArray[np.int64]
Cell = float | int | None


def all_trees(
    table: Sequence[Sequence[Cell]], thresholds: Sequence[Sequence[float]], sizes: Sequence[int], depth: int
) -> NDArray[np.int64]:
    """The columns of -1 and +1 that the class has, each once, one per row of the result.

    `table` has one list per feature with None for missing; `sizes` the number of categories, 0 for numbers.
    """
    rows = len(table[0])
    full = 2**rows - 1
    features = list(zip(table, thresholds, sizes, strict=True))
    last = np.unique(np.concatenate([[0], *(_splits(*each, any_set=True) for each in features)]))
    positive: Masks = np.unique(np.concatenate([last, full ^ last]))
    if depth == 2:
        roots = np.unique(np.concatenate([[0], *(_splits(*each, any_set=False) for each in features)]))
        positive = np.unique(np.concatenate([_below(positive, int(root), full) for root in roots]))
    signs: NDArray[np.int64] = 2 * (positive[:, None] >> np.arange(rows) & 1) - 1
    return signs


def _below(stumps: Masks, left: int, full: int) -> Masks:
    """Any stump on the rows of a set, and any on the others."""
    lefts, rights = np.unique(stumps & left), np.unique(stumps & (full ^ left))
    return np.unique((lefts[:, None] | rights).ravel())


def _splits(cells: Sequence[Cell], thresholds: Sequence[float], size: int, *, any_set: bool) -> Masks:
    """What a split of one feature may send left, as sets of rows in bits; missing rows go either way."""
    gaps = sum(1 << i for i, cell in enumerate(cells) if cell is None)
    if size:
        lefts = [
            sum(1 << i for i, cell in enumerate(cells) if cell is not None and cell in sent)
            for sent in _sets(size, any_set=any_set or size <= FREE)
        ]
    else:
        lefts = [
            sum(1 << i for i, cell in enumerate(cells) if cell is not None and cell <= cut)
            for cut in thresholds
        ]
    return np.unique(np.array([side for left in lefts for side in (left, left | gaps)], dtype=np.int64))


def _sets(size: int, *, any_set: bool) -> list[set[int]]:
    counts = range(size + 1) if any_set else sorted({0, 1, size - 1, size})
    return [set(sent) for count in counts for sent in combinations(range(size), count)]


def walked(tree: Any, table: Sequence[Sequence[Cell]]) -> list[float]:
    """What a fitted tree says of each row."""
    return [_leaf(tree, [cells[i] for cells in table]) for i in range(len(table[0]))]


def _leaf(tree: Any, row: Sequence[Cell]) -> float:
    node = 0
    while tree.feature[node] >= 0:
        cell = row[int(tree.feature[node])]
        if cell is None:
            left = bool(tree.missing_left[node])
        elif tree.set_index[node] >= 0:
            words = tree.sets[tree.set_index[node]].tolist()
            left = bool(words[int(cell) // 64] >> int(cell) % 64 & 1)
        else:
            left = cell <= float(tree.threshold[node])
        node = int((tree.left if left else tree.right)[node])
    return float(tree.value[node])
