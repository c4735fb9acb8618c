"""Plot what a feature adds to the vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.display.base import BLUE, GREY, Display, draw, style
from frankboost.display.scales import Scale, shapes_by_contest, with_term
from frankboost.shapes import Term
from frankboost.typing import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.lines import Line2D

UNDER = 0.18  # of the height is for the density of the rows


@dataclass(eq=False, repr=False, kw_only=True)
class ShapeDisplay(Display):
    """Draw the shape of a feature: what it adds to the vote at each of its values.

    Numbers are drawn as steps, with the density of the rows in grey below; the shape is constant beyond
    both ends. Categories are drawn as bars with their shares of the rows, at most the 20 most frequent
    ones. Missing values stand apart, if there are any. The keyword arguments of `plot` are settings for the
    steps or bars, see `matplotlib.axes.Axes.plot` and `matplotlib.axes.Axes.barh`.

    Parameters
    ----------
    term : Term
        Of one feature.
    side : str
        The class that the vote is for.
    edges : array or None, default=None
        The thresholds that the horizontal axis is for; None: those of the term.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_ : list of matplotlib lines
        The steps of numbers and, if there are some, missing values; empty for categories.
    bars_ : matplotlib bar container or None
        Those of categories.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import ShapeDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = SoftMarginClassifier(nu=0.1).fit(X, y)
    >>> display = ShapeDisplay.from_estimator(clf, X, "worst area")
    >>> display.ax_.get_xlabel()
    'worst area'
    """

    term: Term
    side: str
    edges: Floats | None = None
    size = (3.2, 2.6)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        feature: str | int,
        *,
        sample_weight: ArrayLike | None = None,
        label: Any = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> ShapeDisplay:
        """Draw the shape of a feature in the vote of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            With trees of depth 1 or 2.
        X : array-like
            Rows over which means are taken; best the training set.
        feature : str or int
            Its name or number.
        sample_weight : array-like, default=None
            The weight of each row. None: all rows have the same weight.
        label : object, default=None
            With more than two classes, the class whose vote to draw. None: all classes whose vote has the
            feature, one plot per class.
        ax, **kwargs
            As in `plot`.
        """
        terms = with_term(shapes_by_contest(estimator, X, sample_weight, label), [feature])
        edges = np.unique(np.concatenate([term.bins[0].edges for term in terms.values()]))
        displays = {each: cls(term=term, side=each.sides[1], edges=edges) for each, term in terms.items()}
        return draw(displays, ax, kwargs)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        [bins] = self.term.bins
        self.lines_: list[Line2D] = []
        self.bars_: BarContainer | None = None
        scale = Scale.of(bins, self.edges)
        effect = "effect" if self.in_grid else f"effect on the vote for {self.side}"
        if bins.categories is None:
            self._draw_steps(ax, scale, kwargs)
            ax.set_xlabel(scale.name, parse_math=False)
            ax.set_ylabel(effect, parse_math=False)
        else:
            self._draw_bars(ax, scale, kwargs)
            ax.set_xlabel(effect, parse_math=False)
            ax.set_ylabel(scale.name, parse_math=False)

    def _draw_steps(self, ax: Axes, scale: Scale, kwargs: dict[str, Any]) -> None:
        ax.axhline(0.0, color=GREY, linewidth=0.8, linestyle=":")
        look = style({"color": BLUE, "solid_capstyle": "butt"}, kwargs, "Line2D")
        for ends, kept in scale.segments:
            values = self.term.values[kept]
            self.lines_ += ax.plot(ends, np.append(values, values[-1]), drawstyle="steps-post", **look)
        scale.draw_density(ax, UNDER)
        scale.mark(ax.xaxis)
        # Room for the density, also where plots share their scales.
        low, high = min(0.0, self.term.values.min()), max(0.0, self.term.values.max())
        ax.update_datalim([(scale.segments[0][0][0], low - 1.2 * UNDER * (high - low))], updatex=False)
        ax.autoscale_view(scalex=False)

    def _draw_bars(self, ax: Axes, scale: Scale, kwargs: dict[str, Any]) -> None:
        [bins] = self.term.bins
        place = np.concatenate([(ends[:-1] + ends[1:]) / 2.0 for ends, _ in scale.segments])
        kept = np.concatenate([kept for _, kept in scale.segments])
        ax.axvline(0.0, color=GREY, linewidth=0.8, linestyle=":")
        self.bars_ = ax.barh(place, self.term.values[kept], **style({"color": BLUE}, kwargs, "Rectangle"))
        names = bins.labels(digits=4)
        ticks = [f"{names[k]} ({bins.weights[k]:.0%})" for k in kept.tolist()]
        ax.set_yticks(place, ticks, parse_math=False)
        ax.set_ylim(place[-1] + 0.6, place[0] - 0.6)
