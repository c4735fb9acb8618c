"""Any score of scikit-learn in folds, for classifiers that are fitted at one nu after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from frankboost.choosing.joint_choice import NUS
from frankboost.choosing.nu_path import nus_below
from frankboost.choosing.trials import Trials, Tried, Visit
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.parameters import check_parameters
from frankboost.estimators.prediction import keep
from frankboost.fitting.problems import Problems
from frankboost.fitting.threads import fit_each, one_blas_thread
from frankboost.fitting.training import Training, alone, error_alone
from frankboost.threads import threads_for
from frankboost.typing import Floats, Indices


def fits_along(
    clf: SoftMarginClassifier,
    nus: Sequence[float],
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    halted: Callable[[], bool] = lambda: False,
) -> Iterator[SoftMarginClassifier]:
    """Fit the classifier at one nu after another, each time from all hypotheses found so far.

    The training set is made ready once; what changes along the path is the capped simplex.
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
            raise KeyboardInterrupt  # a search cut short has no best nu
        keep(clf, problems.model(fits), problems.data.encoding.columns)
        yield clf


class FoldScores(Trials):
    """The fits at one depth, compared by a score of the whole classifier in each fold."""

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
        self.nus = nus or values_below(clf, X, y, weight, self.rows)
        self._scorer, self._X, self._y = scorer, X, y
        self._tests = [test for _, test in folds]
        self._halt = Event()
        self._paths = [
            fits_along(clone(clf), self.nus, X[train], y[train], weight[train], halted=self._halted)
            for train, _ in folds
        ]
        self._workers = min(threads_for(n_jobs), len(folds))

    def _halted(self) -> bool:
        return self._halt.is_set()

    def visit(self, nu: float, seconds: float) -> Visit:
        """Fit the next nu in each fold, `n_jobs` folds side by side."""

        def fitted(k: int, halt: Event) -> SoftMarginClassifier:
            self._halt = halt
            return next(self._paths[k])

        fits = fit_each(fitted, len(self._paths), self._workers)
        pairs = zip(fits, self._tests, strict=True)
        found = np.array([[self._score(clf, test), _seconds(clf), clf.n_iter_] for clf, test in pairs])
        score, taken, rounds = found.mean(axis=0).tolist()
        losses = tuple((-found[:, 0]).tolist())
        return Visit(Tried(nu, -score, nan, losses, nan, nan, nan, taken, rounds))

    def _score(self, clf: SoftMarginClassifier, test: Indices) -> float:
        return float(self._scorer(clf, self._X[test], self._y[test]))

    def best(self, visits: Sequence[Visit]) -> Visit:
        """The nu with the largest score; in a tie, the largest nu."""
        return min(visits, key=lambda each: each.tried.loss)


def _seconds(clf: SoftMarginClassifier) -> float:
    return sum(each.trace[-1].seconds for each in clf.model_.ensembles)


def values_below(
    clf: SoftMarginClassifier, X: Floats, y: NDArray[Any], weight: Floats, rows: int
) -> Sequence[float]:
    """Falling values of nu for the error of the best single hypothesis, a mean over the classes."""
    problems = Problems.of(clf, X, y, weight)
    if problems.sets[0].classes > 2:
        return NUS
    with one_blas_thread():
        fits = [Training(rows, problems.learner).fit(alone(clf.settings())) for rows in problems.sets]
    return nus_below(float(np.mean([error_alone(each) for each in fits])), rows)
