"""Plot why a row has its vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from frankboost.display.base import BLUE, GREY, VERMILION, Display, bars, draw
from frankboost.display.scales import shapes_by_contest
from frankboost.shapes import Shapes, Term
from frankboost.typing import Floats
from frankboost.validation import check_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 8  # terms, unless told
WIDEST = 26  # letters of a line beside a bar


@dataclass(eq=False, repr=False, kw_only=True)
class RowDisplay(Display):
    """Draw why a row has its vote: its terms, largest first, from the intercept to its vote.

    Each bar begins where the one above it ends. Blue bars raise the vote, orange bars lower it; the
    dashed line is the vote. The keyword arguments of `plot` set the bars, see `matplotlib.axes.Axes.barh`.

    Parameters
    ----------
    names : sequence of str
        The texts of the bars: the intercept, terms with the values of the row, and the other terms.
    effects : sequence of float
        The effects of the bars, which sum to the vote.
    side : str
        The class that the vote is for.
    probability : float
        The probability of that class, as in `predict_proba`.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : matplotlib bar container

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import RowDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = SoftMarginClassifier(nu=0.1).fit(X, y)
    >>> display = RowDisplay.from_estimator(clf, X, 7)
    >>> bool(abs(sum(display.effects) - clf.decision_function(X)[7]) < 1e-12)
    True
    """

    names: Sequence[str]
    effects: Sequence[float]
    side: str
    probability: float
    size = (4.4, 3.6)
    shares_scales = False

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        row: Any,
        *,
        most: int = MOST,
        sample_weight: ArrayLike | None = None,
        label: Any = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> RowDisplay:
        """Draw the terms of a row in the vote of a fitted classifier.

        Parameters
        ----------
        estimator, X, sample_weight, label, ax, **kwargs
            As for `ShapeDisplay`.
        row : int, or array-like of one row
            The position of a row in X, or a table with the columns of X and one row.
        most : int, default=8
            Draw at most this many terms; the others have one bar together.
        """
        check_count("most", most, at_least=1)
        shapes = shapes_by_contest(estimator, X, sample_weight, label)
        if isinstance(row, Integral):
            check_count("row", row, at_least=0, at_most=_num_samples(X) - 1)
            row = _safe_indexing(X, [int(row)])
        elif _num_samples(row) != 1:
            allowed = "the position of a row in X, or a table with one row, such as X.iloc[[0]]"
            raise ValueError(f"row must be {allowed}; got {_num_samples(row)} rows")
        classes, [chances] = estimator.classes_.tolist(), estimator.predict_proba(row).tolist()
        displays = {}
        for contest, each in shapes.items():
            names, effects = _bars(each, row, most)
            chance = chances[classes.index(contest.label)]
            displays[contest] = cls(names=names, effects=effects, side=contest.sides[1], probability=chance)
        return draw(displays, ax, kwargs)

    def _figsize(self) -> tuple[float, float]:
        return 6.4, 1.2 + 0.38 * len(self.names)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        ends = np.cumsum(self.effects)
        colours = [GREY, *(BLUE if each > 0.0 else VERMILION for each in self.effects[1:])]
        settings = {"color": colours, "left": np.append(0.0, ends[:-1])}
        shown = [each if len(each) <= WIDEST else each.replace(" & ", " &\n") for each in self.names]
        self.bars_ = bars(ax, shown, self.effects, settings, kwargs)
        ax.axvline(float(ends[-1]), color="black", linestyle="--", linewidth=1.0)
        ax.axvline(0.0, color=GREY, linewidth=0.8, linestyle=":")
        ax.use_sticky_edges = False
        ax.autoscale_view(scaley=False)
        ax.set_xlabel("vote" if self.in_grid else f"vote for {self.side}", parse_math=False)
        if not self.in_grid:
            ax.set_title(self.headline(), loc="right", fontsize="medium")

    def headline(self) -> str:
        return f"vote {sum(self.effects):+.3f}, probability {self.probability:.2f}"


def _bars(shapes: Shapes, row: Any, most: int) -> tuple[list[str], list[float]]:
    [numbers], [effects] = np.asarray(shapes.to_numbers(row)), shapes.effects(row)
    order = np.argsort(-np.abs(effects), kind="stable")
    names = ["intercept", *(with_values(shapes.terms[k], numbers) for k in order[:most].tolist())]
    sizes = [shapes.intercept, *effects[order[:most]].tolist()]
    left = len(order) - most
    if left > 0:
        names.append(f"{left} other term{'s' * (left > 1)}")
        sizes.append(float(effects[order[most:]].sum()))
    return names, sizes


def with_values(term: Term, numbers: Floats) -> str:
    """The features of a term with the values of a row."""
    return " & ".join(f"{each.name} = {each.label_of(numbers[each.feature])}" for each in term.bins)
