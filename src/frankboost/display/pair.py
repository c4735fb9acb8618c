"""Plot what two features together add to the vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.display.base import BLUE, VERMILION, Display, draw, pyplot, style
from frankboost.display.scales import Scale, shapes_by_contest, with_term
from frankboost.shapes import Term
from frankboost.validation import quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BESIDE = 0.1  # of the width and height is for the densities of the rows


@dataclass(eq=False, repr=False, kw_only=True)
class PairDisplay(Display):
    """Draw a pair of features as a heat map: what both together add to the vote beyond their shapes.

    Both scales are those of the features, with the density of the rows in grey beside them. Missing values
    are apart, if rows have some. Blue raises the vote, orange lowers it. The keyword arguments of `plot` are
    settings for the cells, see `matplotlib.axes.Axes.pcolormesh`.

    Parameters
    ----------
    term : Term
        A term of two features; the first one is on the horizontal axis.
    side : str
        The class that the vote is for.
    largest : float or None, default=None
        The effect of the darkest colours; None: the largest of the term.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    meshes_ : list of matplotlib meshes
        The cells, and those of missing values if there are some.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import PairDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = SoftMarginClassifier(nu=0.1).fit(X, y)
    >>> pairs = [term for term in clf.shapes(X).terms if len(term.features) == 2]
    >>> display = PairDisplay.from_estimator(clf, X, pairs[0].features)
    >>> len(display.meshes_)
    1
    """

    term: Term
    side: str
    largest: float | None = None
    size = (3.6, 3.0)
    shares_scales = False

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        features: Sequence[str | int],
        *,
        sample_weight: ArrayLike | None = None,
        label: Any = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> PairDisplay:
        """Draw a pair of features in the vote of a fitted classifier.

        Parameters
        ----------
        estimator, X, sample_weight, label, ax, **kwargs
            As for `ShapeDisplay`.
        features : two of str or int
            Their names or numbers.
        """
        if isinstance(features, str) or not hasattr(features, "__len__") or len(features) != 2:
            raise ValueError(f"features must be the names or numbers of two features; got {quoted(features)}")
        terms = with_term(shapes_by_contest(estimator, X, sample_weight, label), features)
        largest = max(float(np.abs(term.values).max()) for term in terms.values())
        displays = {each: cls(term=term, side=each.sides[1], largest=largest) for each, term in terms.items()}
        return draw(displays, ax, kwargs)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        across, up = (Scale.of(each) for each in self.term.bins)
        most = self.largest or float(np.abs(self.term.values).max()) or 1.0
        colours = pyplot().matplotlib.colors.LinearSegmentedColormap.from_list("", [VERMILION, "white", BLUE])
        look = style({"cmap": colours, "vmin": -most, "vmax": most, "rasterized": True}, kwargs, "Rectangle")
        self.meshes_ = [
            ax.pcolormesh(x, y, self.term.values[np.ix_(columns, rows)].T, **look)
            for x, columns in across.segments
            for y, rows in up.segments
        ]
        across.mark(ax.xaxis)
        up.mark(ax.yaxis)
        if self.term.bins[0].categories is not None:
            ax.tick_params(axis="x", rotation=60.0)
        across.draw_density(_strip(ax, (0.0, 1.01, 1.0, BESIDE), sharex=ax), 1.0)
        up.draw_density(_strip(ax, (1.01, 0.0, BESIDE, 1.0), sharey=ax), 1.0, sideways=True)
        ax.set_xlabel(across.name, parse_math=False)
        ax.set_ylabel(up.name, parse_math=False)
        words = "effect" if self.in_grid else f"effect on the vote for {self.side}"
        self.figure_.colorbar(self.meshes_[0], ax=ax, pad=0.1).set_label(words, parse_math=False)


def _strip(ax: Axes, place: tuple[float, float, float, float], **shared: Any) -> Axes:
    """Axes beside others, without lines and numbers."""
    strip = ax.inset_axes(place, **shared)
    strip.set_axis_off()
    return strip
