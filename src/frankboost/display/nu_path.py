"""Plot how nu was chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from frankboost.choosing.trials import Choice
from frankboost.display.base import BLUE, GREY, ORANGE, SKY_BLUE, VERMILION, Display, contests_of, draw, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, repr=False, kw_only=True)
class NuPathDisplay(Display):
    """Draw the log-loss on held-out rows for each nu that the fit tried; on a new figure also errors, margins
    and sizes.

    The horizontal axis is nu / e, where e is the training error of the best single hypothesis. Where
    nu / e is a little above 2 or larger, this single hypothesis is the optimum. The keyword arguments of
    `plot` are settings for the line of the loss, see `matplotlib.axes.Axes.plot`.

    Parameters
    ----------
    choice : Choice
        The attribute `nu_path_` of a fitted classifier; of a list with one entry per class, one entry.
    name : str or None, default=None
        The name of the fit, if several fits are drawn on the same axes.

    Attributes
    ----------
    ax_ : matplotlib axes
        The axes of the log-loss.
    error_ax_, margin_ax_, size_ax_ : matplotlib axes or None
        The axes of the error on held-out rows, of soft margin and bound, and of the number of hypotheses;
        None if `ax` was given.
    figure_ : matplotlib figure
    line_ : matplotlib line
        The log-loss.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import NuPathDisplay
    >>> clf = SoftMarginClassifier().fit(*load_breast_cancer(return_X_y=True))
    >>> display = NuPathDisplay.from_estimator(clf)
    >>> len(display.line_.get_xdata()) == len(clf.nu_path_.path)
    True
    """

    choice: Choice
    name: str | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> NuPathDisplay:
        """Draw how a fitted classifier chose its nu.

        Parameters
        ----------
        estimator : fitted classifier
            A classifier that chose nu on held-out rows, such as `SoftMarginClassifier()`.
        label, name, ax, **kwargs
            As for `ConvergenceDisplay`.
        """
        contests = contests_of(estimator, label, proved=True)
        labels = [each.label for each in estimator.model_.games]
        choices = dict(zip(labels, _choices(estimator), strict=True))
        return draw({each: cls(choice=choices[each.label], name=name) for each in contests}, ax, kwargs)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw the loss on `ax`, or on a new figure with error, margins and numbers of hypotheses."""
        self.error_ax_: Axes | None = None
        self.margin_ax_: Axes | None = None
        self.size_ax_: Axes | None = None
        return super().plot(ax, **kwargs)

    def _new_axes(self, plt: Any) -> Axes:
        _, grid = plt.subplots(2, 2, sharex=True, figsize=(8.0, 5.6), layout="constrained")
        ax: Axes
        (ax, self.error_ax_), (self.margin_ax_, self.size_ax_) = grid
        return ax

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        path = self.choice.path
        x = [self._scaled(at.nu) for at in path]
        defaults = {"marker": ".", "label": self.name} | ({"color": BLUE} if self.name is None else {})
        [self.line_] = ax.plot(x, [at.loss for at in path], **style(defaults, kwargs, "Line2D"))
        loss = min(at.loss for at in path if at.nu == self.choice.nu)
        ax.plot([self._scaled(self.choice.nu)], [loss], "o", color=self.line_.get_color(), markersize=8.0)
        ax.set(xlabel=self._xlabel, ylabel="log-loss on rows held out")
        if self.margin_ax_ is not None:
            self._draw_the_way(x)

    def _draw_the_way(self, x: Sequence[float]) -> None:
        path = self.choice.path
        axes: list[Any] = [self.ax_, self.error_ax_, self.margin_ax_, self.size_ax_]
        _, errors, margins, sizes = axes
        errors.plot(x, [at.error for at in path], marker=".", color=ORANGE)
        errors.set_ylabel("error on rows held out")
        margins.plot(x, [at.bound for at in path], marker=".", color=VERMILION, label="bound")
        margins.plot(x, [at.soft_margin for at in path], marker=".", color=BLUE, label="soft margin")
        margins.set(xlabel=self._xlabel, ylabel="margin")
        margins.legend()
        sizes.plot(x, [at.hypotheses for at in path], marker=".", color=SKY_BLUE)
        sizes.set(xlabel=self._xlabel, ylabel="hypotheses")
        self.ax_.set_xlabel("")
        for ax in axes:
            ax.axvline(self._scaled(self.choice.nu), color=GREY, linestyle=":", zorder=0)
        figure: Any = self.figure_
        error = "" if self._xlabel == "nu" else f"; e = {self.choice.single_error:.3g}"
        figure.suptitle(f"{self.headline()} chosen{error}")

    @property
    def _xlabel(self) -> str:
        """The label of the horizontal axis; many classes in one game have no e."""
        return "nu" if math.isnan(self.choice.single_error) else "nu / e"

    def _scaled(self, nu: float) -> float:
        """nu / e; where one hypothesis errs nowhere, nu itself, of which one value was tried."""
        return nu / self.choice.single_error if self.choice.single_error > 0.0 else nu

    def _explain(self, ax: Axes) -> None:
        if self.name is not None:
            ax.legend()

    def headline(self) -> str:
        return f"nu = {self.choice.nu:.3g}"


def _choices(estimator: Any) -> list[Choice]:
    found = getattr(estimator, "nu_path_", ())
    choices: list[Choice] = list(found) if isinstance(found, list | tuple) else [found]
    if not choices or not all(each.path for each in choices):
        raise ValueError(
            "estimator must have chosen nu on rows held out, as SoftMarginClassifier(nu='auto') does, and "
            f"not be loaded from a file, which does not keep the path; got {estimator!r}"
        )
    return choices
