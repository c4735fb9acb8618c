"""The same plot of each class, side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from frankboost.display.base import Display, pyplot
from frankboost.model import Contest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ACROSS = 4
D = TypeVar("D", bound=Display)


@dataclass(eq=False, repr=False, kw_only=True)
class SmallMultiples(Generic[D]):
    """One plot per class, on scales that they share.

    Parameters
    ----------
    displays : list of displays
    titles : list of str
        What each of them is about.

    Attributes
    ----------
    axes_ : list of matplotlib axes
    figure_ : matplotlib figure
    """

    displays: Sequence[D]
    titles: Sequence[str]

    def plot(self, **kwargs: Any) -> SmallMultiples[D]:
        """Draw them on a new figure; `kwargs` are for each plot."""
        count = len(self.displays)
        across = min(MOST_ACROSS, math.ceil(math.sqrt(count)))
        down = math.ceil(count / across)
        wide, high = self.displays[0].size
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
) -> D | SmallMultiples[D]:
    """The plot of the only contest on `ax` or a new figure, or one for each on a figure of their own."""
    if len(contests) == 1:
        return make(contests[0]).plot(ax, **kwargs)
    labels = [each.label for each in contests]
    if ax is not None:
        raise ValueError(f"label must be one of the classes {labels} if ax is given; got None")
    multiples = SmallMultiples(
        displays=[make(each) for each in contests], titles=[str(each) for each in labels]
    )
    return multiples.plot(**kwargs)
