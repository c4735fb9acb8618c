"""Any score along a path of nu, of classifiers that are fitted at one nu after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frankboost.choosing.results import Candidate
from frankboost.estimators.classifiers import SoftMarginClassifier
from frankboost.estimators.parameters import check_parameters
from frankboost.estimators.prediction import keep
from frankboost.fitting.problems import Problems
from frankboost.fitting.threads import one_blas_thread
from frankboost.fitting.training import Training, alone, error_alone
from frankboost.typing import Floats, Indices


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
    pairs = zip(problems.sets, problems.starts(None), strict=True)
    trainings = [Training(rows, problems.learner, start) for rows, start in pairs]
    for nu in nus:
        clf.nu = nu
        with one_blas_thread():
            fits = [training.fit(clf.settings()) for training in trainings]
        if any(fit.certificate.status == "interrupted" for fit in fits):
            raise KeyboardInterrupt  # a search cut short has no best nu
        keep(clf, problems.model(fits), problems.data.encoding.columns)
        yield clf


def scores_along(
    clf: SoftMarginClassifier,
    nus: list[float],
    scorer: Any,
    data: tuple[Floats, NDArray[Any], Floats],
    fold: tuple[Indices, Indices],
) -> list[tuple[float, float, int]]:
    """Score, seconds and rounds at each nu."""
    X, y, weight = data
    train, test = fold
    return [
        (
            float(scorer(fitted, X[test], y[test])),
            sum(each.trace[-1].seconds for each in fitted.model_.ensembles),
            fitted.n_iter_,
        )
        for fitted in fits_along(clf, nus, X[train], y[train], weight[train])
    ]


def candidates_of(depth: int | None, nus: Sequence[float], runs: Floats) -> list[Candidate]:
    """From runs of shape (folds, nus, [score, seconds, rounds])."""
    scores, means = runs[:, :, 0], runs.mean(axis=0)
    return [Candidate(depth, nu, scores[:, j].tolist(), *means[j].tolist()) for j, nu in enumerate(nus)]


def single_error(clf: SoftMarginClassifier, X: Floats, y: NDArray[Any], weight: Floats) -> float:
    """The training error of the best single hypothesis, a mean over the classes."""
    problems = Problems.of(clf, X, y, weight)
    with one_blas_thread():
        fits = [Training(rows, problems.learner).fit(alone(clf.settings())) for rows in problems.sets]
    return float(np.mean([error_alone(each) for each in fits]))
