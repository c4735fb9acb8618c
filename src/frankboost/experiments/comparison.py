"""The algorithms by name, and how one of them did on one problem."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from frankboost.callbacks import Observer
from frankboost.datasets import Dataset
from frankboost.estimators.base import SoftMarginBooster
from frankboost.estimators.classifiers import (
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.experiments.problems import Problem

ALGORITHMS: dict[str, Callable[..., SoftMarginBooster]] = {
    "LEVEL": SoftMarginClassifier,
    "LPB": LPBoostClassifier,
    "ERLPB": ERLPBoostClassifier,
    "FW": CERLPBoostClassifier,
    "PFW": partial(MLPBoostClassifier, fw_rule="pairwise", secondary=None),
    "MLPB-SS": MLPBoostClassifier,
    "MLPB-PFW": partial(MLPBoostClassifier, fw_rule="pairwise", secondary="lp"),
}

OURS = "LEVEL"
MANY = 1_000_000  # rounds; the time limit comes first


@dataclass(frozen=True)
class ComparisonRow:
    """How one algorithm did on one problem.

    soft margin <= optimum <= bound, if `exact`, and gap = bound - soft margin. `rounds` counts the calls of
    the weak learner, `hypotheses` what it found, `support` what the ensemble uses. `oracle_seconds` are those
    in the weak learner, `rule_seconds` those in the rules; `training_error` is a fraction of the rows.
    """

    dataset: str
    m: int
    n_features: int
    algorithm: str
    nu: float
    tol: float
    rounds: int
    hypotheses: int
    support: int
    soft_margin: float
    bound: float
    gap: float
    exact: bool
    status: str
    hypothesis_class: str
    oracle_seconds: float
    rule_seconds: float
    seconds: float
    training_error: float

    @property
    def certified(self) -> bool:
        """Whether it is proved to be within `tol` of the optimum."""
        return self.exact and self.gap <= self.tol


def compared(
    algorithm: str,
    problem: Problem,
    *,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    callback: Observer | None = None,
) -> ComparisonRow:
    """Fit an algorithm of `ALGORITHMS`; `callback` is called with each round's record."""
    clf = ALGORITHMS[algorithm](
        nu=problem.nu,
        tol=problem.tol,
        estimator=problem.learner,
        max_iter=MANY,
        time_limit=time_limit,
        n_jobs=n_jobs,
        callbacks=None if callback is None else [callback],
    )
    start = time.perf_counter()
    clf.fit(problem.dataset.X, problem.dataset.y)
    return _row(algorithm, problem.dataset, clf, time.perf_counter() - start)


def _row(algorithm: str, dataset: Dataset, clf: SoftMarginBooster, seconds: float) -> ComparisonRow:
    promise = clf.certificate_
    return ComparisonRow(
        dataset=dataset.name,
        m=dataset.X.shape[0],
        n_features=dataset.X.shape[1],
        algorithm=algorithm,
        nu=promise.nu,
        tol=promise.tol,
        rounds=clf.n_iter_,
        hypotheses=clf.trace_[-1].hypotheses,
        support=len(clf.estimators_),
        soft_margin=float(promise.soft_margin),
        bound=float(promise.bound),
        gap=float(promise.gap),
        exact=promise.exact,
        status=promise.status,
        hypothesis_class=promise.hypothesis_class,
        oracle_seconds=sum(clf.trace_["oracle_seconds"]),
        rule_seconds=sum(clf.trace_["rule_seconds"]),
        seconds=seconds,
        training_error=float(np.mean(clf.predict(dataset.X) != dataset.y)),
    )
