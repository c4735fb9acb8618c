"""Depth-2 trees from what the native search returns, many at a time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.tree import Tree

Floats = NDArray[np.float64]

# Node numbers, parents first: a root, its left child with two leaves, its right child with two leaves.
ROOT, LEFT, RIGHT, SIZE = 0, 1, 4, 7


def two_levels(
    thresholds: tuple[Floats, ...], splits: NDArray[np.int32], sums: Floats, sign: int
) -> list[Tree]:
    """Trees with the given splits; a leaf votes as the sum of u in it, or as its parent where that is 0.

    Parameters
    ----------
    thresholds : one array a feature
    splits : array of shape (trees, 3, 3)
        (feature, last bin on the left, whether missing values go left) of root, left and right child; a
        child with last bin -1 is a leaf.
    sums : array of shape (trees, 2, 2)
        Of u in the two leaves of each child; a child that is a leaf has its sum in the first.
    sign : int
        What the root would vote.
    """
    count = len(splits)
    split = splits[:, :, 1] >= 0
    shape = (count, SIZE)
    feature, threshold = np.full(shape, -1, dtype=np.int32), np.full(shape, np.nan)
    missing_left, value = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.int8)
    left, right = np.full(shape, -1, dtype=np.int32), np.full(shape, -1, dtype=np.int32)
    kept = np.ones(shape, dtype=bool)
    for which, node in enumerate((ROOT, LEFT, RIGHT)):
        here = split[:, which]
        feature[here, node] = splits[here, which, 0]
        threshold[here, node] = [thresholds[f][last_bin] for f, last_bin, _ in splits[here, which].tolist()]
        missing_left[here, node] = splits[here, which, 2]
    for side, node in enumerate((LEFT, RIGHT)):
        own = _signs(sums[:, side].sum(axis=1), np.full(count, sign, dtype=np.int8))
        here = split[:, 1 + side]
        value[~here, node] = own[~here]
        for leaf in (0, 1):
            value[:, node + 1 + leaf] = _signs(sums[:, side, leaf], own)
            kept[:, node + 1 + leaf] = here
    # Where a child is a leaf, its two leaves are not there, and what follows moves up.
    place = np.cumsum(kept, axis=1, dtype=np.int32) - 1
    left[:, ROOT], right[:, ROOT] = place[:, LEFT], place[:, RIGHT]
    for side, node in enumerate((LEFT, RIGHT)):
        here = split[:, 1 + side]
        left[here, node], right[here, node] = place[here, node + 1], place[here, node + 2]
    cuts = [0, *np.cumsum(kept.sum(axis=1)).tolist()]
    arrays = [array[kept] for array in (feature, threshold, missing_left, left, right, value)]
    return [
        Tree(*(array[begin:end] for array in arrays))  # type: ignore[arg-type]
        for begin, end in pairwise(cuts)
    ]


def _signs(sums: Floats, otherwise: NDArray[np.int8]) -> NDArray[np.int8]:
    return np.where(sums > 0.0, 1, np.where(sums < 0.0, -1, otherwise)).astype(np.int8)
