"""Where the nodes of a tree are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from frankboost.learners.tree import Tree
from frankboost.typing import Floats, Indices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Text

PAD = 0.4  # between a text and its box, in letters
SPACE = 0.6  # between boxes, in letters


@dataclass(frozen=True, eq=False)
class Layout:
    """Places in the unit square: leaves side by side, splits over the middle of their branches.

    Attributes
    ----------
    x, y : array
        Of each node.
    level : array
        0 for the root.
    leaves : int
    levels : int
    """

    x: Floats
    y: Floats
    level: Indices
    leaves: int
    levels: int

    @classmethod
    def of(cls, tree: Tree) -> Layout:
        """The layout of a tree."""
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
        level = np.array(tree.levels())
        levels = int(level.max()) + 1
        return cls(x / leaves, 1.0 - (level + 0.5) / levels, level, leaves, levels)


def largest_scale(ax: Axes, boxes: Sequence[Text], layout: Layout) -> float:
    """The factor for the letters at which no two boxes overlap and none leaves the axes."""
    room = ax.get_window_extent()
    sizes = [box.get_window_extent() for box in boxes]
    letter = float(boxes[0].get_fontsize()) * ax.figure.dpi / 72.0
    around = (2.0 * PAD + SPACE) * letter
    wide = (np.array([size.width for size in sizes]) + around) / room.width
    high = (np.array([size.height for size in sizes]) + around) / room.height
    scales = [1.0 / (layout.levels * high.max())]
    scales += (2.0 * np.minimum(layout.x, 1.0 - layout.x) / wide).tolist()
    for level in range(layout.levels):
        [nodes] = np.nonzero(layout.level == level)
        for a, b in pairwise(nodes[np.argsort(layout.x[nodes])].tolist()):
            scales.append(2.0 * (layout.x[b] - layout.x[a]) / (wide[a] + wide[b]))
    return float(min(scales))
