"""What every soft-margin classifier shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from frankboost.ensemble import weighted_vote
from frankboost.estimators.data import check_training_set
from frankboost.estimators.fitting import Fit, Observer, Settings, fit
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.classifier import Classifier
from frankboost.learners.columns import Columns
from frankboost.progress import ProgressTable
from frankboost.rules.base import Rule
from frankboost.validation import check_count, check_positive

Floats = NDArray[np.float64]


class SoftMarginBooster(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the classifiers: everything but the rules."""

    _draft = False  # whether all thresholds may be searched after a coarser class

    def __init__(
        self,
        nu: float = 0.2,
        tol: float = 0.01,
        *,
        estimator: Any = None,
        max_depth: int = 2,
        max_bins: int | None = 255,
        columns_per_round: int = 1,
        max_iter: int = 10_000,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        callbacks: Sequence[Observer] | None = None,
    ) -> None:
        self.nu = nu
        self.tol = tol
        self.estimator = estimator
        self.max_depth = max_depth
        self.max_bins = max_bins
        self.columns_per_round = columns_per_round
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callbacks = callbacks

    def _rules(self) -> Sequence[Rule]:
        raise NotImplementedError

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> SoftMarginBooster:
        """Find the ensemble of largest soft margin, to within `tol`.

        Parameters
        ----------
        X : array-like of shape (m, n)
            Numbers; NaN is a missing value.
        y : array-like of shape (m,)
            Two classes.
        sample_weight : array-like of shape (m,), default=None
            A weight of 2 is the same as the row twice, a weight of 0 the same as no row.

        Returns
        -------
        self
        """
        before = dict(self.__dict__)
        try:
            self._keep(*self._fit(X, y, sample_weight))
        except BaseException:
            # Nothing half-fitted: as it was, unfitted or with its last fit.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Fit, NDArray[Any], Floats]:
        settings, rules, learner = self._settings(), self._rules(), self._learner()
        data = check_training_set(self, X, y, sample_weight)
        if isinstance(learner, BestTree):
            data = data.merged()
        observers = list(self.callbacks or [])
        table = ProgressTable() if self.verbose else None
        if table is not None:
            observers.append(table)
        result = fit(data, learner, rules, settings, observers)
        if table is not None:
            table.close()
        return result, data.classes, data.spread(result.distribution)

    def _keep(self, result: Fit, classes: NDArray[Any], distribution: Floats) -> None:
        self.classes_ = classes
        self.certificate_ = result.certificate
        self.trace_ = result.trace
        self.estimators_ = result.hypotheses
        self.estimator_weights_ = result.weights
        self.distribution_ = distribution
        self.hypothesis_class_ = result.hypothesis_class
        self.n_iter_ = len(result.trace)

    def _settings(self) -> Settings:
        check_positive("nu", self.nu, at_most=1.0)
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter, at_least=1)
        check_positive("time_limit", self.time_limit, or_none=True)
        check_count("columns_per_round", self.columns_per_round, at_least=1)
        check_count("verbose", int(self.verbose), at_least=0)
        return Settings(
            nu=float(self.nu),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            time_limit=self.time_limit,
            threads=effective_n_jobs(self.n_jobs),
            draft=self._draft,
        )

    def _learner(self) -> WeakLearner:
        learner = self.estimator
        if learner is None:
            learner = BestTree(max_depth=self.max_depth, max_bins=self.max_bins)
        if isinstance(learner, BestTree | Columns):
            ours: dict[str, Any] = {"columns_per_round": self.columns_per_round, "n_jobs": self.n_jobs}
            unset = {f.name: ours[f.name] for f in dataclasses.fields(learner) if f.name in ours}
            unset = {name: value for name, value in unset.items() if getattr(learner, name) is None}
            return dataclasses.replace(learner, **unset)
        if isinstance(learner, WeakLearner) and not isinstance(learner, type):
            return learner
        if hasattr(learner, "fit") and hasattr(learner, "predict") and not isinstance(learner, type):
            return Classifier(learner)
        raise TypeError(
            "estimator must be None, a weak learner with a prepare method (BestTree, Columns, ...) "
            f"or a scikit-learn classifier that takes sample_weight; got {learner!r}"
        )

    def decision_function(self, X: Any) -> Floats:
        """The weighted vote sum_j w_j h_j(x), in [-1, 1]; positive for `classes_[1]`."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        threads = effective_n_jobs(self.n_jobs)
        return weighted_vote(self.estimators_, self.estimator_weights_, X, threads)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class that the vote is for; `classes_[0]` in a tie."""
        votes = self.decision_function(X)
        return self.classes_[(votes > 0.0).astype(np.intp)]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "certificate_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        return tags
