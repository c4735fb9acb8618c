"""The scale of nu: the value above which a single hypothesis is the optimum."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.parameters import check_parameters
from frankboost.fitting.problems import Problems
from frankboost.fitting.run import Settings
from frankboost.fitting.training import Training, single_hypothesis_error, single_hypothesis_settings
from frankboost.threads import one_blas_thread
from frankboost.typing import one_or_all
from frankboost.validation import check_positive

PRECISION = 0.01  # the relative error of the answer


def nu_max(
    X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, tol: float = 0.01, **settings: Any
) -> float:
    """The nu above which a single tree is the optimum, to within tol: a useful nu is smaller.

    This value is to nu what alpha_max is to the penalty of the Lasso. A single tree with the training error
    e has the soft margin s(nu) = 1 - 2 e / nu for nu >= e. The optimum times nu is the maximum of functions
    that are linear in nu, so it is convex, and nu s(nu) is one of these functions. Hence the optimum
    exceeds s(nu) below some nu, and nowhere above. No optimum is below 0, so this value is at least 2 e /
    (1 + tol).

    Parameters
    ----------
    X, y, sample_weight : array-like
        As for `SoftMarginClassifier.fit`.
    tol : float, default=0.01
        By how much the soft margin of an ensemble has to exceed that of the tree.
    **settings
        Other parameters of `SoftMarginClassifier`: `max_depth`, `max_bins`, `categorical_features`, ...

    Returns
    -------
    float, or a list with one entry per class if there are more than two
        The value to within 1 %; 0 if a single tree makes no error.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> round(nu_max(X, y, max_depth=1), 2)
    0.23
    """
    check_positive("tol", tol)
    clf = SoftMarginClassifier(1.0, tol / 2.0, **settings)
    check_parameters(clf)
    if clf.multi_class != "ovr":
        raise ValueError(
            'multi_class must be "ovr": with "joint" no nu makes a single hypothesis the '
            f"optimum; got {clf.multi_class!r}"
        )
    problems = Problems.of(clf, X, y, sample_weight)
    with one_blas_thread():
        found = [_bisect(Training(rows, problems.learner), clf.settings(), tol) for rows in problems.sets]
    return one_or_all(found)


def _bisect(training: Training, settings: Settings, tol: float) -> float:
    """Find the value by bisection; each fit starts from the hypotheses of the fit before."""
    error = single_hypothesis_error(training.fit(single_hypothesis_settings(settings)))
    if error <= 0.0:
        return 0.0
    low, high = min(2.0 * error / (1.0 + tol), 1.0), 1.0
    while high > (1.0 + PRECISION) * low:
        nu = (low * high) ** 0.5
        soft_margin = training.fit(replace(settings, nu=nu)).certificate.soft_margin
        if soft_margin > 1.0 - 2.0 * error / nu + tol / 2.0:
            low = nu
        else:
            high = nu
    return low
