"""What the plots of terms share: the shapes of a fitted classifier, and the scale of a feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.display.base import GREY, contests_of, pyplot
from frankboost.model import Contest
from frankboost.shapes import Bins, Shapes, Term
from frankboost.typing import Floats, Indices

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

MOST_CATEGORIES = 20  # on a plot, those of the most rows
BEYOND = 0.08  # of the range of the thresholds is drawn on either side; a shape is constant there
APART = 0.05  # of the scale is free before missing values, and twice that is theirs
Segment = tuple[Floats, Indices]  # the ends of some bins on a scale, and their numbers


def shapes_by_contest(
    estimator: Any, X: Any, sample_weight: ArrayLike | None, label: Any
) -> dict[Contest, Shapes]:
    """The terms of the vote for `label`, or for each class if that is None."""
    contests = contests_of(estimator, label)  # or it raises
    found = estimator.shapes(X, sample_weight)
    by_label = {each.label: each for each in (found if isinstance(found, list) else [found])}
    return {contest: by_label[contest.label] for contest in contests}


def with_term(shapes: dict[Contest, Shapes], features: Sequence[str | int]) -> dict[Contest, Term]:
    """The term of some features in each vote that has one; the error if none has."""
    terms = {}
    for contest, each in shapes.items():
        try:
            terms[contest] = each.term(*features)
        except ValueError as error:
            reason = error
    if not terms:
        raise reason
    return terms


@dataclass(frozen=True, eq=False)
class Scale:
    """Where the bins of a feature are on an axis, and missing values beyond its end if rows have some."""

    bins: Bins
    segments: tuple[Segment, ...]

    @classmethod
    def of(cls, bins: Bins, edges: Floats | None = None) -> Scale:
        """The scale of a feature; `edges` are the thresholds of all plots that share the axis."""
        last = len(bins) - 1
        if bins.categories is not None:
            kept = np.sort(np.argsort(-bins.weights[:last], kind="stable")[:MOST_CATEGORIES])
            ends: Floats = np.arange(len(kept) + 1.0) - 0.5
        else:
            low, high = _range(bins, bins.edges if edges is None else edges)
            ends, kept = np.concatenate([[low], bins.edges, [high]]), np.arange(last)
        if bins.weights[last] == 0.0:
            return cls(bins, ((ends, kept),))
        gap = 0.5 if bins.categories is not None else APART * (ends[-1] - ends[0])
        missing: Floats = ends[-1] + gap * np.array([1.0, 3.0])
        return cls(bins, ((ends, kept), (missing, np.array([last]))))

    @property
    def name(self) -> str:
        """The name of the feature, and how many of its categories are drawn if not all are."""
        drawn, there = len(self.segments[0][1]), len(self.bins.categories or ())
        return f"{self.bins.name} ({drawn} of {there})" if there > drawn else self.bins.name

    def mark(self, axis: Axis) -> None:
        """Put names of categories, dates and "missing" on an axis."""
        (ends, kept), *missing = self.segments
        if self.bins.categories is not None:
            places, names = list(range(len(kept))), [str(self.bins.categories[k]) for k in kept.tolist()]
        else:
            room = APART * (ends[-1] - ends[0]) if missing else 0.0  # so that names do not overlap
            for most in (4, 6, 8):
                ticks = pyplot().MaxNLocator(most, steps=[1, 2, 5, 10]).tick_values(ends[0], ends[-1])
                places = [each for each in ticks.tolist() if ends[0] <= each <= ends[-1] - room]
                if len(places) > 2:
                    break
            names = [self.bins.text(each, digits=4) for each in places]
        for (low, high), _ in missing:
            places, names = [*places, (low + high) / 2.0], [*names, "missing"]
        axis.set_ticks(places, names, parse_math=False)

    def draw_density(self, ax: Axes, height: float, *, sideways: bool = False) -> None:
        """Rows per unit of the scale in grey along an axis; the most reach a share of the other axis."""
        (ends, kept), *missing = self.segments
        whole = ends.copy()  # of the outer bins of numbers, also what is not drawn
        if self.bins.categories is None:
            low, high = self.bins.span
            whole[0], whole[-1] = np.fmin(ends[0], low), np.fmax(ends[-1], high)
        parts = [(ends, _density(self.bins.weights[kept], whole))]
        parts += [(far, _density(self.bins.weights[last], far)) for far, last in missing]
        most = max(float(dense.max()) for _, dense in parts)
        look: dict[str, Any] = {"fill": True, "color": GREY, "alpha": 0.3, "linewidth": 0.0}
        if sideways:
            look |= {"orientation": "horizontal", "transform": ax.get_yaxis_transform()}
        else:
            look |= {"transform": ax.get_xaxis_transform()}
        for at, dense in parts:
            ax.stairs(height * dense / (most or 1.0), at, **look)


def _density(weights: Floats, edges: Floats) -> Floats:
    """Weight per unit of the scale, which is finite also where bins are very narrow."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return np.nan_to_num(weights / np.diff(edges))


def _range(bins: Bins, edges: Floats) -> tuple[float, float]:
    """What is drawn of the numbers: a little beyond the first and the last threshold, if rows are there."""
    low, high = bins.span
    if len(edges) == 0:
        return (low, high) if low < high else (-0.5, 0.5)
    beyond = BEYOND * (edges[-1] - edges[0]) or np.nan_to_num(high - low) / 2.0 or 0.5
    # At least something of the outer bins.
    return (
        float(min(np.fmax(low, edges[0] - beyond), edges[0] - beyond / 4.0)),
        float(max(np.fmin(high, edges[-1] + beyond), edges[-1] + beyond / 4.0)),
    )
