"""The base classes of all plots, one or one per class, and the optional import of matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from sklearn.utils.validation import check_is_fitted

from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Contest
from frankboost.validation import needed, quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Of Okabe and Ito, which the colour-blind can tell apart.
BLUE, SKY_BLUE, ORANGE, VERMILION = "#0072B2", "#56B4E9", "#E69F00", "#D55E00"
LIGHT_BLUE, LIGHT_ORANGE, GREY = "#BFDCEC", "#F8E1B0", "#555555"
MOST_ACROSS = 4
MOST_CLASSES = 24  # whose plots can still be read on one figure


@dataclass(eq=False, repr=False, kw_only=True)
class Display:
    """A plot that can be drawn again, on other axes."""

    size: ClassVar[tuple[float, float]] = (3.0, 2.5)  # inches of one among many
    shares_scales: ClassVar[bool] = True
    in_grid = False  # where one legend serves many plots

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw on `ax`, or on a new figure; the class says what `kwargs` are settings of."""
        plt = pyplot()
        if ax is None:
            ax = self._new_axes(plt)
        elif not isinstance(ax, plt.Axes):
            raise TypeError(f"ax must be matplotlib axes or None; got {quoted(ax)}")
        self.ax_: Axes = ax
        self.figure_: Figure = ax.figure.figure  # also of axes in a part of a figure
        self._draw(ax, kwargs)
        if not self.in_grid:
            self._explain(ax)
        return self

    def _new_axes(self, plt: Any) -> Axes:
        axes: Axes = plt.subplots(figsize=self._figsize(), layout="constrained")[1]
        return axes

    def _figsize(self) -> tuple[float, float] | None:
        """The inches of a figure for this plot alone; None: matplotlib's default."""
        return None

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        raise NotImplementedError

    def _explain(self, ax: Axes) -> None:
        """Add legends and titles to a plot that stands alone."""

    def headline(self) -> str:
        """The title of a plot among several."""
        return ""


D = TypeVar("D", bound=Display)


@dataclass(eq=False, repr=False, kw_only=True)
class SmallMultiples(Generic[D]):
    """Draw one plot per class, on shared scales.

    Parameters
    ----------
    displays : list of displays
    titles : list of str
        The title of each plot.
    note : str, default=""
        A sentence above them all.

    Attributes
    ----------
    axes_ : list of matplotlib axes
    figure_ : matplotlib figure
    """

    displays: Sequence[D]
    titles: Sequence[str]
    note: str = ""

    def plot(self, **kwargs: Any) -> Self:
        """Draw all plots on a new figure; `kwargs` are for each plot."""
        count = len(self.displays)
        across = min(MOST_ACROSS, math.ceil(math.sqrt(count)))
        down = math.ceil(count / across)
        wide, high = self.displays[0].size
        self.figure_: Figure
        self.figure_, grid = pyplot().subplots(
            down,
            across,
            figsize=(wide * across, high * down + 0.4),
            layout="constrained",
            squeeze=False,
            sharex=self.displays[0].shares_scales,
            sharey=self.displays[0].shares_scales,
        )
        for ax in grid.ravel()[count:]:
            ax.remove()
        self.axes_: list[Axes] = list(grid.ravel()[:count])
        for ax, display, title in zip(self.axes_, self.displays, self.titles, strict=True):
            display.in_grid = True
            display.plot(ax, **kwargs)
            more = display.headline()
            ax.set_title(f"{title}: {more}" if more else title, fontsize="medium", parse_math=False)
        self._finish(grid)
        if self.note:
            self.figure_.suptitle(self.note, fontsize="medium")
        return self

    def _finish(self, grid: Any) -> None:
        across = grid.shape[1]
        for k, ax in enumerate(self.axes_):
            if k + across < len(self.axes_):
                ax.set_xlabel("")
            else:
                ax.tick_params(labelbottom=True)  # also where there is room for another below
            if k % across:
                ax.set_ylabel("")
        handles, labels = self.axes_[0].get_legend_handles_labels()
        if handles:
            self.figure_.legend(handles, labels, loc="outside lower center", ncols=3)


def draw(displays: Mapping[Contest, D], ax: Axes | None, kwargs: dict[str, Any]) -> D:
    """Draw the display of the only contest on `ax` or on a new figure, or the first ones side by side."""
    if len(displays) == 1:
        return next(iter(displays.values())).plot(ax, **kwargs)
    labels = [each.label for each in displays]
    if ax is not None:
        raise ValueError(f"label must be one of the classes {labels} if ax is given; got None")
    more = f"The first {MOST_CLASSES} of {len(labels)} classes. label=... draws any other."
    # The type is that for two classes, so that a checker lets `ax_` pass without a question.
    multiples: Any = SmallMultiples(
        displays=list(displays.values())[:MOST_CLASSES],
        titles=[str(each) for each in labels[:MOST_CLASSES]],
        note=more if len(labels) > MOST_CLASSES else "",
    )
    return multiples.plot(**kwargs)  # type: ignore[no-any-return]


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to get it."""
    return needed("matplotlib.pyplot", "plots need", "plot")


def style(defaults: dict[str, Any], kwargs: dict[str, Any], artist: str) -> dict[str, Any]:
    """Settings for matplotlib: defaults, replaced by those given under any of their names (`c` is
    `color`)."""
    plt = pyplot()
    chosen: dict[str, Any] = plt.matplotlib.cbook.normalize_kwargs(kwargs, getattr(plt, artist))
    return defaults | chosen


def bars(ax: Axes, names: Sequence[str], sizes: Any, defaults: dict[str, Any], kwargs: dict[str, Any]) -> Any:
    """Bars with their names beside them, from top to bottom."""
    drawn = ax.barh(range(len(names)), sizes, **style(defaults, kwargs, "Rectangle"))
    ax.set_yticks(range(len(names)), list(names), parse_math=False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    return drawn


def next_colour(ax: Axes) -> Any:
    """The next colour that axes give to a line."""
    [line] = ax.plot([], [])
    line.remove()
    return line.get_color()


def contests_of(estimator: Any, label: Any, *, proved: bool = False) -> list[Contest]:
    """The votes to draw: that for `label` against the rest, or all votes if `label` is None.

    `proved`: the votes that have certificates. Of many classes in one game, this is one vote for all.
    """
    if not isinstance(estimator, ModelClassifier):
        raise TypeError(f"estimator must be a classifier of frankboost; got {quoted(estimator)}")
    check_is_fitted(estimator)
    contests = estimator.model_.games if proved else estimator.model_.contests
    if label is None:
        return contests
    if len(contests) == 1:
        which = "all classes" if estimator.model_.is_joint else "two classes"
        raise ValueError(f"label must be None, as there is one fit for {which}; got {label!r}")
    found = [each for each in contests if each.label == label]
    if not found:
        known = estimator.classes_.tolist()
        raise ValueError(f"label must be None or one of the classes {known}; got {label!r}")
    return found
