"""How the margins are distributed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from frankboost.display.base import BLUE, ORANGE, Display, one_fit, style
from frankboost.typing import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, repr=False, kw_only=True)
class MarginDisplay(Display):
    """The cumulative distribution of margins, with the soft margin and the rows that make it.

    Every row counts once: the soft margin is the mean of the marked margins if the rows are the training set
    and were fitted without weights. What `plot` is given for matplotlib are settings of the line of the
    distribution: see `matplotlib.axes.Axes.plot`.

    Parameters
    ----------
    margins : array of shape (m,)
        Smallest first.
    soft_margin : float
        Of the fit.
    nu : float
        The fraction of the rows that is marked, those of smallest margins.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure
    line_ : matplotlib line
        The distribution.
    smallest_line_ : matplotlib line
        Its part for the `nu` smallest margins.
    soft_margin_line_ : matplotlib line

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import MarginDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = SoftMarginClassifier(nu=0.1).fit(X, y)
    >>> display = MarginDisplay.from_estimator(clf, X, y)
    >>> len(display.margins), display.nu
    (569, 0.1)
    """

    margins: Floats
    soft_margin: float
    nu: float

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, label: Any = None, ax: Axes | None = None, **kwargs: Any
    ) -> MarginDisplay:
        """Draw the margins of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
        X, y : array-like
            Rows and their labels: the training set, or others.
        label : object, default=None
            With more than two classes, the one whose margins against the rest to draw.
        ax, **kwargs
            As in `plot`.
        """
        contest = one_fit(estimator, label)
        certificate = contest.ensemble.certificate
        labels, votes = column_or_1d(y), estimator.decision_function(X)
        margins = estimator.model_.margins(votes, labels)
        if contest.other is None:
            against_rest = votes[:, estimator.classes_.tolist().index(contest.label)]
            margins = np.where(labels == contest.label, against_rest, -against_rest)
        display = cls(margins=np.sort(margins), soft_margin=certificate.soft_margin, nu=certificate.nu)
        return display.plot(ax, **kwargs)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        share = np.arange(1, len(self.margins) + 1) / len(self.margins)
        defaults = {"color": BLUE, "drawstyle": "steps-post", "label": "all margins"}
        [self.line_] = ax.plot(self.margins, share, **style(defaults, kwargs, "Line2D"))
        smallest = math.ceil(round(self.nu * len(self.margins), 9))  # 0.07 * 100 is above 7
        low, low_share = self.margins[:smallest], share[:smallest]
        ax.fill_between(low, low_share, step="post", color=ORANGE, linewidth=0.0, alpha=0.4)
        # A line as well, as equal margins fill no area.
        label = f"the smallest, nu = {self.nu:g} of all"
        [self.smallest_line_] = ax.plot(
            low, low_share, color=ORANGE, linewidth=3.0, drawstyle="steps-post", label=label
        )
        self.soft_margin_line_ = ax.axvline(
            self.soft_margin, color="black", linestyle="--", label=f"soft margin {self.soft_margin:.3f}"
        )
        ax.set(xlabel="margin (below 0: misclassified)", ylabel="share of the rows", ylim=(0.0, 1.02))
        ax.legend(loc="best")
