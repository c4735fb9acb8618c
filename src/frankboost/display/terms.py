"""Plot the strongest terms of a vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.display.base import ORANGE, SKY_BLUE, Display, bars, draw
from frankboost.display.scales import shapes_by_contest
from frankboost.shapes import Term
from frankboost.typing import Floats
from frankboost.validation import check_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 15  # terms, unless told


@dataclass(eq=False, repr=False, kw_only=True)
class TermsDisplay(Display):
    """Draw the strongest terms of a vote: shapes of one feature in blue, pairs in orange.

    The keyword arguments of `plot` are settings for the bars, see `matplotlib.axes.Axes.barh`.

    Parameters
    ----------
    terms : sequence of Term
    sizes : array
        The mean absolute effect of each term over the rows, or its worth on them; largest first.
    xlabel : str

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : matplotlib bar container

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import TermsDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> display = TermsDisplay.from_estimator(SoftMarginClassifier(nu=0.1).fit(X, y), X, most=5)
    >>> len(display.bars_)
    5
    """

    terms: Sequence[Term]
    sizes: Floats
    xlabel: str
    size = (4.0, 3.4)
    shares_scales = False

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike | None = None,
        *,
        most: int = MOST,
        sample_weight: ArrayLike | None = None,
        label: Any = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> TermsDisplay:
        """Draw the strongest terms of the vote of a fitted classifier.

        Parameters
        ----------
        estimator, X, sample_weight, label, ax, **kwargs
            As for `ShapeDisplay`.
        y : array-like, default=None
            The labels of X, preferably for rows that were not in the fit. The bars then show `Shapes.worth`,
            which is large for useful terms. None: the bars show the mean absolute effect of each term.
        most : int, default=15
            Draw at most this many.
        """
        check_count("most", most, at_least=1)
        shapes = shapes_by_contest(estimator, X, sample_weight, label)
        what = "mean absolute effect" if y is None else "covariance of effect and label"
        displays = {}
        for contest, each in shapes.items():
            sizes = np.array([term.importance for term in each.terms]) if y is None else each.worth(X, y)
            order = np.argsort(-sizes, kind="stable")[:most]
            displays[contest] = cls(terms=[each.terms[k] for k in order], sizes=sizes[order], xlabel=what)
        return draw(displays, ax, kwargs)

    def _figsize(self) -> tuple[float, float]:
        return 6.4, 0.9 + 0.28 * len(self.terms)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        colours = [SKY_BLUE if len(term.bins) == 1 else ORANGE for term in self.terms]
        self.bars_ = bars(ax, [term.name for term in self.terms], self.sizes, {"color": colours}, kwargs)
        ax.set_xlabel(self.xlabel)
