"""Where the nodes of a tree are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frankboost.learners.tree import Tree
from frankboost.typing import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Text

PAD = 0.4  # between a text and its box, in letters
SPACE = 0.6  # between boxes, in letters


def across(tree: Tree) -> Floats:
    """Where each node is from left to right: leaves 1 apart, splits over the middle of their branches."""
    x = np.zeros(len(tree.nodes))
    left, right = tree.left.tolist(), tree.right.tolist()
    leaves, waiting = 0, [0]
    while waiting:  # leaves from left to right
        k = waiting.pop()
        if tree.feature[k] < 0:
            x[k] = leaves + 0.5
            leaves += 1
        else:
            waiting += [right[k], left[k]]
    for k in np.flatnonzero(tree.feature >= 0).tolist()[::-1]:  # children before their parents
        x[k] = (x[left[k]] + x[right[k]]) / 2.0
    return x


def largest_scale(ax: Axes, boxes: Sequence[Text]) -> float:
    """The factor for the letters at which no two boxes overlap and none leaves the axes."""
    x, level = np.array([box.get_position() for box in boxes]).T
    leaves, levels = ax.get_xlim()[1], level.max() + 1.0
    letter = float(boxes[0].get_fontsize()) * ax.figure.dpi / 72.0
    sizes = np.array([box.get_window_extent().size for box in boxes]) + (2.0 * PAD + SPACE) * letter
    wide, high = (sizes / ax.get_window_extent().size * (leaves, levels)).T
    order = np.lexsort((x, level))
    beside = np.diff(level[order]) == 0.0
    room = 2.0 * np.diff(x[order])[beside] / (wide[order][:-1] + wide[order][1:])[beside]
    room_at_ends = 2.0 * np.minimum(x, leaves - x) / wide
    return float(min(1.0 / high.max(), room_at_ends.min(), room.min(initial=np.inf)))
