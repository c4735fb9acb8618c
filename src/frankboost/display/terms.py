"""Which terms matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from frankboost.display.base import ORANGE, SKY_BLUE, Display, bars, draw
from frankboost.display.votes import shapes_by_contest
from frankboost.model import Contest
from frankboost.shapes import Term
from frankboost.validation import check_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 15  # terms, unless told
BAR = 0.28  # inches


@dataclass(eq=False, repr=False, kw_only=True)
class TermsDisplay(Display):
    """The strongest terms of a vote: the mean absolute effect of each over the rows.

    Shapes of one feature are blue, pairs are orange. What `plot` is given for matplotlib are settings of the
    bars: see `matplotlib.axes.Axes.barh`.

    Parameters
    ----------
    terms : sequence of Term
        Largest first.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure
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
    size = (4.0, 3.4)
    shares_scales = False

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
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
        estimator : fitted classifier
            With trees of depth 1 or 2.
        X : array-like
            Rows whose distribution counts, best the training set.
        most : int, default=15
            Draw at most this many.
        sample_weight : array-like, default=None
            What each row counts; None: the same.
        label : object, default=None
            With more than two classes, the one whose vote to draw. None: all, in plots of their own.
        ax, **kwargs
            As in `plot`.
        """
        check_count("most", most, at_least=1)
        found = shapes_by_contest(estimator, X, sample_weight, label)
        terms = {contest.label: shapes.terms[:most] for contest, shapes in found}

        def make(contest: Contest) -> TermsDisplay:
            return cls(terms=terms[contest.label])

        return draw([contest for contest, _ in found], make, ax, kwargs)

    def _new_axes(self, plt: Any) -> Axes:
        axes: Axes = plt.subplots(figsize=(6.4, 0.9 + BAR * len(self.terms)), layout="constrained")[1]
        return axes

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        colours = [SKY_BLUE if len(term.bins) == 1 else ORANGE for term in self.terms]
        sizes = [term.importance for term in self.terms]
        self.bars_ = bars(ax, [term.name for term in self.terms], sizes, {"color": colours}, kwargs)
        ax.set_xlabel("mean absolute effect" if self.in_grid else "mean absolute effect on the vote")
