"""What a fitted model tells about its examples and its features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, column_or_1d

if TYPE_CHECKING:
    from frankboost.estimators.base import SoftMarginBooster

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HardExamples:
    """The examples at their cap, hardest first.

    Attributes
    ----------
    index : array
        Their rows.
    margin : array
        Of each, in [-1, 1]; negative if it is misclassified.
    weight : array
        In the distribution that attains the bound.
    """

    index: NDArray[np.intp]
    margin: Floats
    weight: Floats

    def __len__(self) -> int:
        return len(self.index)


class InspectionMixin:
    """Margins, hard examples and feature importances."""

    def margins(self: SoftMarginBooster, X: Any, y: ArrayLike) -> Floats:  # type: ignore[misc]
        """y_i sum_j w_j h_j(x_i): how clearly each row is on its side, in [-1, 1].

        With more than two classes, the vote for the row's own class against the rest.
        """
        votes = self.decision_function(X)
        labels = column_or_1d(y)
        number = {label: k for k, label in enumerate(self.classes_.tolist())}
        code = np.array([number.get(label, -1) for label in labels.tolist()])
        if len(labels) != len(votes):
            raise ValueError(
                f"y must have one label for each of the {len(votes)} rows of X; got {len(labels)}"
            )
        if (code < 0).any():
            strange = labels.tolist()[int(np.argmin(code))]
            raise ValueError(f"y must hold the classes {self.classes_.tolist()}; got {strange!r}")
        if votes.ndim == 1:
            return np.where(code == 1, votes, -votes)
        own: Floats = np.take_along_axis(votes, code[:, None], axis=1)[:, 0]
        return own

    def hard_examples(self: SoftMarginBooster, X: Any, y: ArrayLike) -> HardExamples:  # type: ignore[misc]
        """The training examples at their cap in the distribution that attains the bound.

        No ensemble over the class has a large margin on all of them at once: outliers, wrong labels,
        and what the features cannot tell apart.

        Parameters
        ----------
        X, y : array-like
            The training set, as given to `fit`.
        """
        check_is_fitted(self)
        margins = self.margins(X, y)
        d = np.atleast_2d(self.distribution_)
        if d.shape[1] != len(margins):
            raise ValueError(f"X must have the {d.shape[1]} rows that were fitted; got {len(margins)} rows")
        hard = np.flatnonzero(self._capped)
        order = hard[np.argsort(margins[hard], kind="stable")]
        return HardExamples(order, margins[order], d.max(axis=0)[order])

    @property
    def feature_importances_(self: SoftMarginBooster) -> Floats:  # type: ignore[misc]
        """What splits on each feature add to the edge, scaled to sum 1; a mean over the classes if many.

        A split of rows with sum u into u_left and u_right, where u sums d_i y_i under the distribution that
        attains the bound, raises its tree's edge by |u_left| + |u_right| - |u|; trees count by their weights.
        """
        check_is_fitted(self)
        if self._importances is None:
            raise AttributeError("feature_importances_ are known of ensembles of our own trees only")
        return self._importances
