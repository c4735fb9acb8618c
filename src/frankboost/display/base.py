"""What the plots share: the way they are drawn, and matplotlib, which is optional."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Contest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of Okabe and Ito, which the colour-blind can tell apart.
BLUE, SKY_BLUE, ORANGE, VERMILION = "#0072B2", "#56B4E9", "#E69F00", "#D55E00"
LIGHT_BLUE, LIGHT_ORANGE, GREY = "#BFDCEC", "#F8E1B0", "#555555"


@dataclass(eq=False, repr=False, kw_only=True)
class Display:
    """A plot that can be drawn again, on other axes."""

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw on `ax`, or on a new figure; the class says what `kwargs` are settings of."""
        plt = pyplot()
        if ax is None:
            ax = self._new_axes(plt)
        elif not isinstance(ax, plt.Axes):
            raise TypeError(f"ax must be matplotlib axes or None; got {ax!r}")
        self.ax_: Axes = ax
        self.figure_ = self.ax_.figure
        self._draw(ax, kwargs)
        return self

    def _new_axes(self, plt: Any) -> Axes:
        axes: Axes = plt.subplots(layout="constrained")[1]
        return axes

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        raise NotImplementedError


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (optional)
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install frankboost[plot]") from error
    return plt


def style(defaults: dict[str, Any], kwargs: dict[str, Any], artist: str) -> dict[str, Any]:
    """Defaults, and what was asked for instead, by whichever of its names: `c` is `color`."""
    plt = pyplot()
    chosen: dict[str, Any] = plt.matplotlib.cbook.normalize_kwargs(kwargs, getattr(plt, artist))
    return defaults | chosen


def count_on(axis: Any) -> None:
    """Put the ticks of an axis at whole numbers."""
    axis.set_major_locator(pyplot().MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def one_fit(estimator: Any, label: Any) -> Contest:
    """What a plot is about: the fit of `label` against the rest, or the only one if there are two classes."""
    if not isinstance(estimator, ModelClassifier):
        raise TypeError(f"estimator must be a classifier of frankboost; got {estimator!r}")
    check_is_fitted(estimator)
    contests = estimator.model_.contests
    if len(contests) == 1 and label is not None:
        raise ValueError(f"label must be None, as there is one fit for two classes; got {label!r}")
    for each in contests:
        if len(contests) == 1 or each.label == label:
            return each
    raise ValueError(f"label must be one of the classes {estimator.classes_.tolist()}; got {label!r}")
