"""Fits at one nu after another, each from what the one before has found."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from frankboost.estimators.base import settings_of
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.constructors import check_parameters
from frankboost.estimators.fitting import Training, one_blas_thread
from frankboost.estimators.learning import Problems
from frankboost.estimators.prediction import keep
from frankboost.typing import Floats, Indices

NUS = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)


def fits_along(
    clf: SoftMarginClassifier,
    nus: Sequence[float],
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> Iterator[SoftMarginClassifier]:
    """The classifier, fitted at one nu after another, each time from all hypotheses found by then.

    The training set is made ready once; what changes along the path is the capped simplex.
    """
    check_parameters(clf)
    problems = Problems.of(clf, X, y, sample_weight)
    starts = problems.starts(None)
    each = [
        Training(rows, problems.learner, start) for rows, start in zip(problems.sets, starts, strict=True)
    ]
    for nu in nus:
        clf.nu = nu
        with one_blas_thread():
            fits = [training.fit(clf.rules(), settings_of(clf, threads=1)) for training in each]
        if any(fit.certificate.status == "interrupted" for fit in fits):
            raise KeyboardInterrupt  # a search cut short has no best nu
        keep(clf, problems.model(fits), problems.columns)
        yield clf


def scores_along(
    clf: SoftMarginClassifier,
    nus: list[float],
    scorer: Any,
    data: tuple[Floats, NDArray[Any], Floats | None],
    fold: tuple[Indices, Indices],
) -> list[tuple[float, float, int]]:
    """Score, seconds and rounds at each nu."""
    X, y, weight = data
    train, test = fold
    results = []
    start = time.perf_counter()
    for fitted in fits_along(clf, nus, X[train], y[train], None if weight is None else weight[train]):
        seconds = time.perf_counter() - start
        results.append((float(scorer(fitted, X[test], y[test])), seconds, fitted.n_iter_))
        start = time.perf_counter()
    return results
