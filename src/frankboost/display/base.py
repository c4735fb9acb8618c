"""What the plots share: the way they are drawn, and matplotlib, which is optional."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sklearn.utils.validation import check_is_fitted

from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Contest

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Of Okabe and Ito, which the colour-blind can tell apart.
BLUE, SKY_BLUE, ORANGE, VERMILION = "#0072B2", "#56B4E9", "#E69F00", "#D55E00"
LIGHT_BLUE, LIGHT_ORANGE, GREY = "#BFDCEC", "#F8E1B0", "#555555"


@dataclass(eq=False, repr=False, kw_only=True)
class Display:
    """A plot that can be drawn again, on other axes."""

    size: ClassVar[tuple[float, float]] = (3.0, 2.5)  # inches of one among many
    shares_scales: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.in_grid = False  # where one legend serves many plots

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw on `ax`, or on a new figure; the class says what `kwargs` are settings of."""
        plt = pyplot()
        if ax is None:
            ax = self._new_axes(plt)
        elif not isinstance(ax, plt.Axes):
            raise TypeError(f"ax must be matplotlib axes or None; got {ax!r}")
        self.ax_: Axes = ax
        self.figure_: Figure = ax.figure.figure  # also of axes in a part of a figure
        self._draw(ax, kwargs)
        if not self.in_grid:
            self._explain(ax)
        return self

    def _new_axes(self, plt: Any) -> Axes:
        axes: Axes = plt.subplots(layout="constrained")[1]
        return axes

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        raise NotImplementedError

    def _explain(self, ax: Axes) -> None:
        """Say what is what, for this plot alone."""

    def headline(self) -> str:
        """What a plot among many has above it."""
        return ""


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install frankboost[plot]") from error
    return plt


def style(defaults: dict[str, Any], kwargs: dict[str, Any], artist: str) -> dict[str, Any]:
    """Defaults, and what was asked for instead, by whichever of its names: `c` is `color`."""
    plt = pyplot()
    chosen: dict[str, Any] = plt.matplotlib.cbook.normalize_kwargs(kwargs, getattr(plt, artist))
    return defaults | chosen


def next_colour(ax: Axes) -> Any:
    """The next colour that axes give to a line."""
    [line] = ax.plot([], [])
    line.remove()
    return line.get_color()


def count_on(axis: Any) -> None:
    """Put the ticks of an axis at whole numbers."""
    axis.set_major_locator(pyplot().MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def fits_of(estimator: Any, label: Any) -> list[Contest]:
    """What plots are about: the fit of `label` against the rest, or all of them if that is None."""
    if not isinstance(estimator, ModelClassifier):
        raise TypeError(f"estimator must be a classifier of frankboost; got {estimator!r}")
    check_is_fitted(estimator)
    contests = estimator.model_.contests
    if label is None:
        return contests
    if len(contests) == 1:
        raise ValueError(f"label must be None, as there is one fit for two classes; got {label!r}")
    found = [each for each in contests if each.label == label]
    if not found:
        known = estimator.classes_.tolist()
        raise ValueError(f"label must be None or one of the classes {known}; got {label!r}")
    return found
