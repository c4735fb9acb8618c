"""Plot the distribution of the margins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from frankboost.arrays import equals
from frankboost.display.base import BLUE, ORANGE, Display, contests_of, draw, next_colour, style
from frankboost.typing import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, repr=False, kw_only=True)
class MarginDisplay(Display):
    """Draw the cumulative distribution of the margins, with the soft margin and the rows that count in it.

    Every row counts once: the soft margin is the mean of the marked margins if the rows are the training set
    and were fitted without weights. The keyword arguments of `plot` are settings for the line of the
    distribution, see `matplotlib.axes.Axes.plot`.

    Parameters
    ----------
    margins : array of shape (m,)
        Smallest first.
    soft_margin : float
        The soft margin, on the training set, of the vote that the model predicts with.
    nu : float
        The fraction of the rows that is marked: the rows with the smallest margins.
    name : str or None, default=None
        The name of the fit. With a name, all its lines have a colour of their own, so that several fits can
        be drawn on the same axes.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
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
    name: str | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> MarginDisplay:
        """Draw the margins of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
        X, y : array-like
            Rows and their labels: the training set, or others.
        label, name, ax, **kwargs
            As for `ConvergenceDisplay`. Of more than two classes, margins are against the rest.
        """
        contests = contests_of(estimator, label, proved=True)
        labels, votes = column_or_1d(y), estimator.decision_function(X)
        margins = estimator.model_.margins(votes, labels)  # or it raises
        displays = {}
        for contest in contests:
            own = margins
            if contest.other is None and contest.label is not None:
                against_rest = votes[:, estimator.classes_.tolist().index(contest.label)]
                own = np.where(equals(labels, contest.label), against_rest, -against_rest)
            found = contest.ensemble.certificate
            reached = found.soft_margin if found.in_use is None else found.in_use
            displays[contest] = cls(margins=np.sort(own), soft_margin=reached, nu=found.nu, name=name)
        return draw(displays, ax, kwargs)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        share = np.arange(1, len(self.margins) + 1) / len(self.margins)
        own = {} if self.name is None else {"color": next_colour(ax)}
        label = "all margins" if self.name is None else self.name
        defaults = {"color": BLUE, "drawstyle": "steps-post", "label": label} | own
        [self.line_] = ax.plot(self.margins, share, **style(defaults, kwargs, "Line2D"))
        smallest = math.ceil(round(self.nu * len(self.margins), 9))  # 0.07 * 100 is above 7
        low, low_share = self.margins[:smallest], share[:smallest]
        marked = {"color": ORANGE} | own
        ax.fill_between(low, low_share, step="post", linewidth=0.0, alpha=0.4, **marked)
        # A line as well, as equal margins fill no area.
        [self.smallest_line_] = ax.plot(
            low,
            low_share,
            linewidth=3.0,
            drawstyle="steps-post",
            label=self._called("the smallest"),
            **marked,
        )
        self.soft_margin_line_ = ax.axvline(
            self.soft_margin, linestyle="--", label=self._called("soft margin"), **{"color": "black"} | own
        )
        xlabel = "margin" if self.in_grid else "margin (below 0: misclassified)"
        ax.set(xlabel=xlabel, ylabel="share of the rows", ylim=(0.0, 1.02))

    def _called(self, what: str) -> str:
        return what if self.name is None else f"{self.name}, {what}"

    def _explain(self, ax: Axes) -> None:
        self.smallest_line_.set_label(f"{self._called('the smallest')}, nu = {self.nu:g} of all")
        self.soft_margin_line_.set_label(f"{self._called('soft margin')} {self.soft_margin:.3f}")
        ax.legend(loc="best")

    def headline(self) -> str:
        return f"soft margin {self.soft_margin:.3f}"
