"""The same plot of each class, side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from frankboost.display.base import Display, pyplot
from frankboost.model import Contest

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ACROSS = 4
MOST_CLASSES = 24  # whose plots can still be read on one figure
D = TypeVar("D", bound=Display)


@dataclass(eq=False, repr=False, kw_only=True)
class SmallMultiples(Generic[D]):
    """One plot per class, on scales that they share.

    Parameters
    ----------
    displays : list of displays
    titles : list of str
        What each of them is about.
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
        """Draw them on a new figure; `kwargs` are for each plot."""
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
        """Words once: on the outer axes, and in one legend."""
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


def draw(
    contests: Sequence[Contest], make: Callable[[Contest], D], ax: Axes | None, kwargs: dict[str, Any]
) -> D:
    """The plot of the only contest on `ax` or a new figure, or of the first ones on a figure of their own."""
    if len(contests) == 1:
        return make(contests[0]).plot(ax, **kwargs)
    labels = [each.label for each in contests]
    if ax is not None:
        raise ValueError(f"label must be one of the classes {labels} if ax is given; got None")
    shown = contests[:MOST_CLASSES]
    more = f"The first {len(shown)} of {len(labels)} classes. label=... draws any other."
    # The type is that for two classes, so that a checker lets `ax_` pass without a question.
    multiples: Any = SmallMultiples(
        displays=[make(each) for each in shown],
        titles=[str(each.label) for each in shown],
        note=more if len(shown) < len(labels) else "",
    )
    return multiples.plot(**kwargs)  # type: ignore[no-any-return]
