"""Plot the importance of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from frankboost.display.base import SKY_BLUE, Display, bars, contests_of
from frankboost.estimators.prediction import feature_names_of
from frankboost.typing import Floats
from frankboost.validation import check_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 20  # features, unless told


@dataclass(eq=False, repr=False, kw_only=True)
class ImportanceDisplay(Display):
    """Draw how much the vote depends on each feature, largest first.

    Features of noise have an importance, too. scikit-learn's `permutation_importance` and `TermsDisplay`,
    both on rows that the fit did not see, show which features are of use.

    The keyword arguments of `plot` are settings for the bars, see `matplotlib.axes.Axes.barh`.

    Parameters
    ----------
    importances : array
        Largest first.
    feature_names : sequence of str
        One for each.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : matplotlib bar container

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frankboost import SoftMarginClassifier
    >>> from frankboost.display import ImportanceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> display = ImportanceDisplay.from_estimator(SoftMarginClassifier(nu=0.1).fit(X, y), most=5)
    >>> len(display.bars_)
    5
    """

    importances: Floats
    feature_names: Sequence[str]

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        most: int = MOST,
        feature_names: Sequence[str] | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> ImportanceDisplay:
        """Draw the `feature_importances_` of a fitted classifier; of many classes they are a mean.

        Parameters
        ----------
        estimator : fitted classifier
            With `BestTree`, the default weak learner.
        most : int, default=20
            Draw at most this many, the largest.
        feature_names : sequence of str, default=None
            None: `feature_names_in_` if the classifier has them, else x0, x1, ...
        ax, **kwargs
            As in `plot`.
        """
        check_count("most", most, at_least=1)
        contests_of(estimator, None)  # or it raises
        importances = estimator.feature_importances_
        largest = np.argsort(-importances, kind="stable")[:most]
        names = feature_names_of(estimator, feature_names)
        display = cls(importances=importances[largest], feature_names=[names[f] for f in largest])
        return display.plot(ax, **kwargs)

    def _figsize(self) -> tuple[float, float]:
        return 6.4, 1.1 + 0.28 * len(self.importances)

    def _draw(self, ax: Axes, kwargs: dict[str, Any]) -> None:
        self.bars_ = bars(ax, self.feature_names, self.importances, {"color": SKY_BLUE}, kwargs)
        ax.set_xlabel("importance on the training rows\n(features of noise have some, too)")
