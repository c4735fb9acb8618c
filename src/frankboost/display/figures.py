"""What the plots share: matplotlib, which is optional, axes to draw on, and colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of Okabe and Ito, which the colour-blind can tell apart.
BLUE, SKY_BLUE, ORANGE, VERMILION = "#0072B2", "#56B4E9", "#E69F00", "#D55E00"
LIGHT_BLUE, LIGHT_ORANGE, GREY = "#BFDCEC", "#F8E1B0", "#555555"


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install frankboost[plot]") from error
    return plt


def axes_or_new(ax: Axes | None, size: tuple[float, float] | None = None) -> Axes:
    """The axes given, or those of a new figure of `size` inches."""
    plt = pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    elif not isinstance(ax, plt.Axes):
        raise TypeError(f"ax must be matplotlib axes or None; got {ax!r}")
    return ax


def style(defaults: dict[str, Any], kwargs: dict[str, Any], artist: str) -> dict[str, Any]:
    """Defaults, and what was asked for instead, by whichever of its names: `c` is `color`."""
    plt = pyplot()
    chosen: dict[str, Any] = plt.matplotlib.cbook.normalize_kwargs(kwargs, getattr(plt, artist))
    return defaults | chosen


def count_on(axis: Any) -> None:
    """Put the ticks of an axis at whole numbers."""
    axis.set_major_locator(pyplot().MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
