"""Points with their names in a figure, whose file is the same for the same results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

OURS, OTHERS = "#b5282d", "#3b5b7a"
PLACES = [(side, 3 + 10 * step) for step in (0, -1, 1, -2, 2, -3, 3, -4, 4) for side in ("left", "right")]


def plain_ticks(axis: Any, subs: Sequence[float]) -> None:
    """Write the ticks of a logarithmic axis, at these multiples of powers of ten, as plain numbers."""
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def draw_points(axes: Any, points: Any, ours: Collection[str]) -> None:
    """Draw the rows of a data frame of two columns as points with names; `ours` have another colour."""
    named = dict(zip(points.index, points.to_numpy(dtype=float).tolist(), strict=True))
    for name, at in named.items():
        axes.plot(*at, "o", color=OURS if name in ours else OTHERS)
    axes.figure.draw_without_rendering()  # settles where the points are
    taken: list[Any] = []
    for name, at in named.items():
        taken.append(_label(axes, name, at, OURS if name in ours else OTHERS, taken))


def _label(axes: Any, name: str, at: list[float], colour: str, taken: list[Any]) -> Any:
    """Write a name beside its point, if possible inside the axes and away from other names.

    Returns the box of the name.
    """
    for side, up in PLACES:
        away = 7 if side == "left" else -7
        text = axes.annotate(
            name, at, (away, up), textcoords="offset points", ha=side, fontsize=8, color=colour
        )
        box = text.get_window_extent()
        inside = axes.bbox.x0 <= box.x0 and box.x1 <= axes.bbox.x1
        free = not any(box.overlaps(other) for other in taken)
        if (inside and free) or (side, up) == PLACES[-1]:
            break
        text.remove()
    return box


def save(figure: Figure, path: Path) -> None:
    """Save a figure without the date and with fixed names of its elements."""
    with mpl.rc_context({"svg.hashsalt": path.stem}):
        figure.savefig(path, metadata={"Date": None})
