"""How the vote is shared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from frankboost.display.base import BLUE, SKY_BLUE, VERMILION, Display, count_on, fits_of, style
from frankboost.display.multiples import draw
from frankboost.model import Contest
from frankboost.typing import Floats
from frankboost.validation import check_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW = 60  # bars with space between them; the space between more would be less than a pixel


@dataclass(eq=False, repr=False, kw_only=True)
class WeightsDisplay(Display):
    """The weights of an ensemble, largest first, and their sums from the first on.

    What `plot` is given for matplotlib are settings of the bars: see `matplotlib.axes.Axes.bar`.

    Parameters
    ----------
    weights : array
        The weights to draw, largest first.

    Attributes
    ----------
    ax_ : matplotlib axes
        With the weights.
    cumulated_ax_ : matplotlib axes
        With their sums; its scale is on the right.
    figure_ : matplotlib figure
    bars_ : matplotlib bar container
    line_ : matplotlib line
        The sums.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import WeightsDisplay
    >>> clf = SoftMarginClassifier(nu=0.1).fit(*load_breast_cancer(return_X_y=True))
    >>> display = WeightsDisplay.from_estimator(clf, most=20)
    >>> len(display.bars_)
    20
    """

    weights: Floats
    shares_scales = False

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        most: int | None = None,
        label: Any = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> WeightsDisplay:
        """Draw the weights of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
        most : int, default=None
            Draw at most this many, the largest; None: all.
        label : object, default=None
            With more than two classes, the one whose ensemble to draw. None: all, in plots of their own.
        ax, **kwargs
            As in `plot`.
        """
        check_count("most", most, at_least=1, or_none=True)

        def make(contest: Contest) -> WeightsDisplay:
            return cls(weights=contest.ensemble.weights[:most])

        return draw(fits_of(estimator, label), make, ax, kwargs)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        self.cumulated_ax_ = ax.twinx()
        place = np.arange(len(self.weights))
        width = 0.8 if len(place) <= FEW else 1.0
        settings = style({"color": SKY_BLUE, "width": width}, kwargs, "Rectangle")
        self.bars_ = ax.bar(place, self.weights, **settings)
        [self.line_] = self.cumulated_ax_.plot(
            place, np.cumsum(self.weights), color=VERMILION, marker=".", markersize=4.0, linewidth=1.0
        )
        ax.set_xlabel("place in estimators_")
        count_on(ax.xaxis)
        if self.in_grid:
            ax.set_ylabel("weight (bars), sum (line)")
        else:
            ax.set_ylabel("weight (bars)", color=BLUE)
            self.cumulated_ax_.set_ylabel("sum of the weights so far (line)", color=VERMILION)
        self.cumulated_ax_.set_ylim(0.0, 1.05)

    def headline(self) -> str:
        return f"{len(self.weights)} hypotheses"
