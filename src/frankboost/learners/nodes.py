"""Node records of trees, and sets of categories, as the kernels take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.native import NODE

Records = NDArray[np.void]  # of NODE
Sets = NDArray[np.uint64]  # one row of 256 bits per set, 64 to a word

NO_SETS: Sets = np.zeros((0, 4), dtype=np.uint64)


def blank_nodes(count: int) -> Records:
    """New records: leaves that vote 0."""
    nodes = np.zeros(count, dtype=NODE)
    nodes["threshold"] = np.nan
    for name in ("feature", "last_bin", "left", "right", "set_index"):
        nodes[name] = -1
    return nodes


def joined(nodes: Sequence[Any]) -> Records:
    """The concatenation of arrays of records, 400 times as fast as np.concatenate."""
    return np.frombuffer(bytearray().join(nodes), dtype=NODE)


def packed(categories: Sequence[int]) -> Sets:
    """A set of categories as one row of words."""
    words = [sum(1 << c % 64 for c in categories if c // 64 == word) for word in range(4)]
    return np.array(words, dtype=np.uint64)


def unpacked(words: Sets) -> NDArray[np.bool_]:
    """Flags of the 256 possible categories that are in a set, or in each of several sets."""
    bits = words[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    return bits.reshape(*words.shape[:-1], 256).astype(bool)
