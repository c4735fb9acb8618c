"""Plot how a fit closed its gap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from frankboost.certificate import Certificate
from frankboost.display.base import (
    BLUE,
    GREY,
    VERMILION,
    Display,
    contests_of,
    draw,
    next_colour,
    pyplot,
    style,
)
from frankboost.trace import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

GAP = "gap"  # the label of the axes of the gap, by which further fits find them
X_LABELS = {"round": "round", "seconds": "time (s)"}

# The last round is a corner of the steps, or all there is: a dot shows it.
STEPS: dict[str, Any] = {"drawstyle": "steps-post", "marker": "o", "markersize": 4.0, "markevery": [-1]}


@dataclass(eq=False, repr=False, kw_only=True)
class ConvergenceDisplay(Display):
    """Draw the soft margin and the bound after each round and, on a new figure, the gap between them.

    The keyword arguments of `plot` are settings for the lines of soft margin and bound, see
    `matplotlib.axes.Axes.plot`.

    Parameters
    ----------
    trace : Trace
    certificate : Certificate
        Of the same fit.
    x : {"round", "seconds"}, default="round"
        What the horizontal axis counts.
    name : str or None, default=None
        The name of the fit. With names, several fits can be drawn on the same axes (`ax=first.ax_`): each
        has a colour, with a solid line for the soft margin and a dashed line for the bound.

    Attributes
    ----------
    ax_ : matplotlib axes
        The axes of soft margin and bound.
    gap_ax_ : matplotlib axes or None
        The axes of the gap, on a log scale; None if `ax` was given, unless it is the `ax_` of a display with
        such axes.
    figure_ : matplotlib figure
    lines_ : list of matplotlib lines
        Soft margin and bound.
    gap_lines_ : list of matplotlib lines
        The gap.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import ConvergenceDisplay
    >>> clf = SoftMarginClassifier(nu=0.1).fit(*load_breast_cancer(return_X_y=True))
    >>> display = ConvergenceDisplay.from_estimator(clf, x="seconds")
    >>> display.gap_ax_.get_xlabel()
    'time (s)'
    """

    trace: Trace
    certificate: Certificate
    x: str = "round"
    name: str | None = None

    def __post_init__(self) -> None:
        if self.x not in X_LABELS:
            raise ValueError(f"x must be one of {list(X_LABELS)}; got {self.x!r}")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        x: str = "round",
        label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> ConvergenceDisplay:
        """Draw the trace of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
        x : {"round", "seconds"}, default="round"
            What the horizontal axis counts.
        label : object, default=None
            With more than two classes, the class whose fit to draw. None: all classes, one plot per class.
        name : str, default=None
            The name of the fit, if several fits are drawn on the same axes.
        ax, **kwargs
            As in `plot`.
        """
        displays = {
            each: cls(trace=each.ensemble.trace, certificate=each.ensemble.certificate, x=x, name=name)
            for each in contests_of(estimator, label, proved=True)
        }
        return draw(displays, ax, kwargs)

    def _new_axes(self, plt: Any) -> Axes:
        ax: Axes
        _, (ax, below) = plt.subplots(
            2, 1, sharex=True, height_ratios=[2, 1], figsize=(6.4, 5.6), layout="constrained"
        )
        below.set_label(GAP)
        return ax

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        together = ax.get_shared_x_axes().get_siblings(ax)
        self.gap_ax_: Axes | None = next((each for each in together if each.get_label() == GAP), None)
        self.lines_: list[Line2D] = []
        self.gap_lines_: list[Line2D] = []
        self._draw_rounds(kwargs)
        if self.x == "round":
            whole = pyplot().MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
            ax.xaxis.set_major_locator(whole)
        ax.set_ylabel("margin")
        if self.gap_ax_ is not None:
            self._finish_gap(self.gap_ax_)
        (self.gap_ax_ or ax).set_xlabel(X_LABELS[self.x])

    def _explain(self, ax: Axes) -> None:
        ax.legend()

    def headline(self) -> str:
        return f"gap {self.certificate.gap:.2g}"

    def _draw_rounds(self, kwargs: dict[str, Any]) -> None:
        """Lines are steps, as what is known changes at the end of a round only."""
        x, low, high = (np.array(self.trace[name]) for name in (self.x, "soft_margin", "bound"))
        own = {"color": next_colour(self.ax_)} if self.name is not None else {}
        alpha = 0.1 if own else 0.2
        self.ax_.fill_between(x, low, high, step="post", linewidth=0.0, alpha=alpha, **{"color": GREY} | own)
        bound = "bound" if self.certificate.exact else "bound (heuristic)"
        before = "" if self.name is None else f"{self.name}, "
        dashed = {"linestyle": "--"} if own else {}
        for what, values, mine in (
            (bound, high, {"color": VERMILION} | own | dashed),
            ("soft margin", low, {"color": BLUE} | own),
        ):
            settings = style(STEPS | {"label": before + what} | mine, kwargs, "Line2D")
            self.lines_ += self.ax_.plot(x, values, **settings)
        if self.gap_ax_ is not None:
            self.gap_lines_ += self.gap_ax_.plot(x, high - low, **STEPS | {"color": "black"} | own)

    def _finish_gap(self, ax: Axes) -> None:
        tol = self.certificate.tol
        if (label := f"tol = {tol:g}") not in ax.get_legend_handles_labels()[1]:
            ax.axhline(tol, color=GREY, linestyle=":", label=label)
        ax.set_yscale("log", nonpositive="clip")
        # A gap of 0, or nearly, would leave no room for the others.
        least = float(np.min([line.get_ydata() for line in ax.lines if line.get_linestyle() == ":"]))
        ax.set_ylim(bottom=max(ax.get_ylim()[0], least / 10.0), auto=None)
        ax.set_ylabel("gap")
        ax.legend()
