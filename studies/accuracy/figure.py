"""Errors against times: a point for each contestant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from studies.accuracy.rivals import REFERENCE, RIVALS

OURS, OTHERS = "#b5282d", "#3b5b7a"
AXES = ["fit_seconds", "test_error"]
PLACES = [(side, 3 + 10 * step) for step in (0, -1, 1, -2, 2, -3, 3, -4, 4) for side in ("left", "right")]


def draw(overview: Any, path: Path) -> None:
    """Write a figure whose axes are ratios to the reference, both geometric means over the sets."""
    figure = Figure(figsize=(9, 6), layout="constrained")
    canvas: Any = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set(xscale="log", yscale="log")
    points = dict(zip(overview.index, overview[AXES].to_numpy().tolist(), strict=True))
    for model, at in points.items():
        axes.plot(*at, "o", color=_colour(model))
    axes.axhline(1, color="0.8", zorder=0)
    axes.axvline(1, color="0.8", zorder=0)
    axes.margins(x=0.25, y=0.1)
    axes.set(xlabel=f"time of a fit / {REFERENCE}", ylabel=f"error / {REFERENCE}")
    axes.set_title(f"Geometric means over {overview['sets'].max()} sets; lower left is better", fontsize=10)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 1.2, 1.5, 2, 3, 5, 7, 8, 9)))
    axes.yaxis.set_minor_locator(NullLocator())
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    canvas.draw()  # settles where the points are
    taken: list[Any] = []
    for model, at in points.items():
        taken.append(_label(axes, canvas.get_renderer(), model, at, taken))
    with mpl.rc_context({"svg.hashsalt": "accuracy"}):  # the same bytes for the same results
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _label(axes: Any, renderer: Any, model: str, at: list[float], taken: list[Any]) -> Any:
    """Write a name beside its point, where no other is if there is such a place; the box it takes."""
    for side, up in PLACES:
        away = 7 if side == "left" else -7
        text = axes.annotate(
            model, at, (away, up), textcoords="offset points", ha=side, fontsize=8, color=_colour(model)
        )
        box = text.get_window_extent(renderer)
        if not any(box.overlaps(other) for other in taken) or (side, up) == PLACES[-1]:
            break
        text.remove()
    return box


def _colour(model: str) -> str:
    return OTHERS if model in RIVALS else OURS
