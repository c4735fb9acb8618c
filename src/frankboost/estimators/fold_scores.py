"""Scores of scikit-learn in folds, for classifiers that are fitted at one nu after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from frankboost.choosing.joint_choice import JOINT_NUS
from frankboost.choosing.nu_path import falling_nus
from frankboost.choosing.trials import NuResult, NuSearch, NuTrial
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.parameters import check_parameters
from frankboost.estimators.prediction import set_model
from frankboost.fitting.problems import Problems
from frankboost.fitting.training import Training, single_hypothesis_error, single_hypothesis_settings
from frankboost.threads import fit_each, one_blas_thread, threads_for
from frankboost.typing import Floats, Indices


def fit_path(
    clf: SoftMarginClassifier,
    nus: Sequence[float],
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    halted: Callable[[], bool] = lambda: False,
) -> Iterator[SoftMarginClassifier]:
    """Fit the classifier at one nu after another, and yield it after each fit.

    The training set is prepared once. Each fit starts from all hypotheses found so far.
    """
    check_parameters(clf)
    problems = Problems.of(clf, X, y, sample_weight)
    pairs = zip(problems.sets, problems.starts(None), strict=True)
    trainings = [Training(rows, problems.learner, start) for rows, start in pairs]
    for nu in nus:
        clf.nu = nu
        with one_blas_thread():
            fits = [training.fit(clf.settings(), halted=halted) for training in trainings]
        if any(fit.certificate.status == "interrupted" for fit in fits):
            raise KeyboardInterrupt  # an interrupted search has no best nu
        set_model(clf, problems.make_model(fits), problems.data.encoding.columns)
        yield clf


class FoldScores(NuSearch):
    """Compare values of nu by a score of the whole classifier in each fold."""

    def __init__(
        self,
        clf: SoftMarginClassifier,
        scorer: Callable[..., float],
        data: tuple[Floats, NDArray[Any], Floats],
        folds: Sequence[tuple[Indices, Indices]],
        *,
        nus: Sequence[float] | None,
        n_jobs: int | None,
    ) -> None:
        X, y, weight = data
        self.rows, self.tol = int((weight > 0.0).sum()), clf.tol
        self.nus = nus or default_nus(clf, X, y, weight, self.rows)
        self._scorer, self._X, self._y = scorer, X, y
        self._tests = [test for _, test in folds]
        self._halt = Event()
        self._paths = [
            fit_path(clone(clf), self.nus, X[train], y[train], weight[train], halted=self._halted)
            for train, _ in folds
        ]
        self._workers = min(threads_for(n_jobs), len(folds))

    def _halted(self) -> bool:
        return self._halt.is_set()

    def fit_at(self, nu: float, seconds: float) -> NuTrial:
        """Fit at the next nu in each fold, `n_jobs` folds side by side, and compute the scores."""

        def fit(k: int, halt: Event) -> SoftMarginClassifier:
            self._halt = halt
            return next(self._paths[k])

        fits = fit_each(fit, len(self._paths), self._workers)
        pairs = zip(fits, self._tests, strict=True)
        found = np.array([[self._score(clf, test), _fit_seconds(clf), clf.n_iter_] for clf, test in pairs])
        score, fit_seconds, rounds = found.mean(axis=0).tolist()
        losses = tuple((-found[:, 0]).tolist())
        return NuTrial(NuResult(nu, -score, nan, losses, nan, nan, nan, fit_seconds, rounds))

    def _score(self, clf: SoftMarginClassifier, test: Indices) -> float:
        return float(self._scorer(clf, self._X[test], self._y[test]))

    def best(self, trials: Sequence[NuTrial]) -> NuTrial:
        """The trial of largest score; in a tie, the one of the largest nu."""
        return min(trials, key=lambda each: each.result.loss)


def _fit_seconds(clf: SoftMarginClassifier) -> float:
    return sum(each.trace[-1].seconds for each in clf.model_.ensembles)


def default_nus(
    clf: SoftMarginClassifier, X: Floats, y: NDArray[Any], weight: Floats, rows: int
) -> Sequence[float]:
    """The values of nu to try; their scale is the mean error of the best single hypothesis of each class."""
    problems = Problems.of(clf, X, y, weight)
    if problems.sets[0].classes > 2:
        return JOINT_NUS
    settings = single_hypothesis_settings(clf.settings())
    with one_blas_thread():
        fits = [Training(data, problems.learner).fit(settings) for data in problems.sets]
    return falling_nus(float(np.mean([single_hypothesis_error(each) for each in fits])), rows)
