"""The best soft-margin weights for the members of an ensemble that is already fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.fitting.fit_warnings import NuWarning
from frankboost.learners.classifier import FittedClassifier
from frankboost.learners.finite import Members
from frankboost.saying import unsaid
from frankboost.typing import Floats
from frankboost.validation import quoted


@dataclass(frozen=True, eq=False)
class ScaledTree:
    """A regression tree as a hypothesis: its values, divided by the largest value."""

    tree: Any
    largest: float

    def __call__(self, X: Floats, /) -> Floats:
        """Values in [-1, 1]."""
        values: Floats = np.clip(self.tree.predict(X) / self.largest, -1.0, 1.0)
        return values


def reweight(
    estimators: Any,
    X: Any,
    y: ArrayLike,
    *,
    nu: float = 0.2,
    tol: float = 0.01,
    sample_weight: ArrayLike | None = None,
) -> SoftMarginClassifier:
    """Give the members of an ensemble the weights of largest soft margin, and drop members without weight.

    Parameters
    ----------
    estimators : fitted ensemble or sequence of fitted classifiers
        An ensemble of scikit-learn: a random forest, extra trees, AdaBoost, gradient boosting (the values
        of its trees are scaled to [-1, 1]) or bagging over all features. Or a list of classifiers of two
        classes.
    X, y, sample_weight : array-like
        The rows whose margins count: the training set, or better rows that the members have not seen.
    nu, tol : float
        As in `SoftMarginClassifier`.

    Returns
    -------
    SoftMarginClassifier
        A fitted classifier. `estimators_` holds the members with a weight, and the soft margin of the
        certificate is at least that of equal weights.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(100, max_depth=3, random_state=0).fit(X, y)
    >>> thin = reweight(forest, X, y, nu=0.1)
    >>> len(thin.estimators_) < 100, thin.certificate_.status
    (True, 'optimal')
    """
    members = _as_hypotheses(estimators, np.unique(np.asarray(y)))
    equal = np.full(len(members), 1.0 / len(members))
    clf = SoftMarginClassifier(nu, tol, estimator=Members(members, equal))
    with unsaid(NuWarning):  # a single member may be the optimum
        return clf.fit(X, y, sample_weight)


def _as_hypotheses(estimators: Any, classes: NDArray[Any]) -> list[Any]:
    """The members of an ensemble, or of a sequence, as hypotheses."""
    from sklearn.ensemble import BaggingClassifier, BaseEnsemble, GradientBoostingClassifier  # noqa: PLC0415
    from sklearn.ensemble._forest import ForestClassifier  # noqa: PLC0415  (heavy, as the others)

    if len(classes) != 2:
        raise ValueError(f"y must hold two classes; got {len(classes)}: {classes.tolist()[:5]}")
    if isinstance(estimators, GradientBoostingClassifier):
        _check_fitted(estimators, classes)
        trees = [tree for tree in estimators.estimators_[:, 0] if np.abs(tree.tree_.value).max() > 0.0]
        if not trees:
            raise ValueError("estimators must hold a tree whose values are not all 0; got none")
        return [ScaledTree(tree, float(np.abs(tree.tree_.value).max())) for tree in trees]
    if isinstance(estimators, BaseEnsemble):
        _check_fitted(estimators, classes)
        seen, features = getattr(estimators, "estimators_features_", []), range(estimators.n_features_in_)
        if not all(np.array_equal(each, features) for each in seen):
            raise ValueError("estimators must see all features; got bagging over some of them")
        # The members of a forest or a bag were fitted to the numbers of the classes.
        positive = 1 if isinstance(estimators, ForestClassifier | BaggingClassifier) else classes[1]
        return [FittedClassifier(member, positive=positive) for member in estimators.estimators_]
    if isinstance(estimators, Sequence) and len(estimators) > 0:
        for member in estimators:
            _check_fitted(member, classes)
        return [FittedClassifier(member, positive=classes[1]) for member in estimators]
    raise TypeError(
        "estimators must be a fitted ensemble of scikit-learn (forest, extra trees, AdaBoost, gradient "
        f"boosting, bagging) or a sequence of fitted classifiers; got {quoted(estimators)}"
    )


def _check_fitted(estimator: Any, classes: NDArray[Any]) -> None:
    """Raise an error unless the estimator is a classifier that is fitted to these two classes."""
    if not hasattr(estimator, "predict") or not is_classifier(estimator):
        raise TypeError(f"estimators must be fitted classifiers; got {estimator!r}")
    check_is_fitted(estimator)
    known = np.asarray(getattr(estimator, "classes_", classes))
    if not np.array_equal(known, classes):
        raise ValueError(
            f"y must hold the two classes of the estimators, {known.tolist()}; got {classes.tolist()}"
        )
