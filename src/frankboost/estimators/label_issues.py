"""Find wrong labels in a table, with a classifier that is fitted for this purpose."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frankboost.choosing.constants import OTHERWISE
from frankboost.choosing.search import ChoiceProblem
from frankboost.choosing.trials import Choice
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.parameters import with_constructor
from frankboost.estimators.row_checks import REPEATS
from frankboost.estimators.wrong_labels import LabelIssues
from frankboost.fitting.training import Training, single_hypothesis_error, single_hypothesis_settings

RATIO = 1.8
"""nu divided by the error of the best single hypothesis, set by the data sets of `studies/labels`.

The larger nu is, the more rows share the soft margin, and the fewer wrong labels the vote follows.
From about 2.1 times the error on, the vote is one tree.
"""


@with_constructor
class LenientClassifier(SoftMarginClassifier):
    """SoftMarginClassifier whose nu="auto" is large, so that the vote does not follow wrong labels."""

    def _choose_nu(self, problem: ChoiceProblem) -> Choice:
        settings = single_hypothesis_settings(problem.settings)
        error = single_hypothesis_error(Training(problem.data, problem.learner).fit(settings))
        return Choice(nu=min(RATIO * error, 1.0) or OTHERWISE, loss=np.inf, single_error=error)


def label_issues(
    X: Any, y: ArrayLike, *, sample_weight: ArrayLike | None = None, repeats: int = REPEATS, **settings: Any
) -> LabelIssues:
    """Find the most suspicious labels of a table, and suggest others.

    The function fits a classifier at a large nu, 1.8 times the error of the best single tree, and calls its
    method `label_issues`. This takes about as long as four fits.

    Parameters
    ----------
    X, y, sample_weight : array-like
        As for `SoftMarginClassifier.fit`.
    repeats : int, default=3
        How often the rows are halved, with two fits per halving. More halvings take longer; the result then
        depends less on chance.
    **settings
        Other parameters of `SoftMarginClassifier`: `max_depth`, `categorical_features`, `n_jobs`, ...

    Returns
    -------
    LabelIssues
        An object with one entry per row in `is_label_issue`, `label_quality`, `given_label`,
        `predicted_label`, `margin` and `weight`, and with `index`, the positions of the flagged rows. `print`
        shows the worst rows; `to_frame()` gives a data frame with the index of X.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y[:20] = 1 - y[:20]
    >>> issues = label_issues(X, y)
    >>> int(issues.is_label_issue[:20].sum()) > 15
    True
    """
    checked = SoftMarginClassifier(**settings).get_params(deep=False)  # errors name the documented class
    return (
        LenientClassifier(**checked)
        .fit(X, y, sample_weight)
        .label_issues(X, y, sample_weight, repeats=repeats)
    )
