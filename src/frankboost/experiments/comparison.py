"""How an algorithm did on a problem."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from frankboost.certificate import Certificate
from frankboost.estimators.base import SoftMarginBooster
from frankboost.experiments.algorithms import ALGORITHMS, FAMILY, made, suspects
from frankboost.experiments.problems import TREE, Problem, Stopping, plugin_learner
from frankboost.plugins import blaming
from frankboost.saying import unsaid
from frankboost.stopping import SmoothedGap

MANY = 1_000_000  # rounds; the time limit comes first


@dataclass(frozen=True, kw_only=True)
class ComparisonRow(Certificate):
    """What one algorithm proved on one problem, and at what cost.

    `rounds` counts the calls of the weak learner, `hypotheses` what it found, `support` what the ensemble
    uses. `oracle_seconds` are those in the weak learner, `rule_seconds` those in the rules; `training_error`
    is a fraction of the rows.
    """

    dataset: str
    m: int
    n_features: int
    algorithm: str
    rounds: int
    hypotheses: int
    support: int
    oracle_seconds: float
    rule_seconds: float
    seconds: float
    training_error: float

    @property
    def certified(self) -> bool:
        """Whether it is proved to be within `tol` of the optimum."""
        return self.exact and self.gap <= self.tol


def booster(
    algorithm: str, problem: Problem, stopping: Stopping = "gap", **settings: Any
) -> SoftMarginBooster:
    """An algorithm that is set to solve a problem, in as many rounds as it takes."""
    about = {"nu": problem.nu, "tol": problem.tol, "estimator": problem.learner}
    clf = made(algorithm, **about, max_iter=MANY, **settings)
    if stopping == "paper":
        clf.closing = SmoothedGap
    return clf


@unsaid(UserWarning)  # the row has it all
def compared(algorithm: str, problem: Problem, **settings: Any) -> ComparisonRow:
    """Fit an algorithm with settings of its own, such as a time limit or callbacks."""
    dataset, clf = problem.dataset, booster(algorithm, problem, **settings)
    start = time.perf_counter()
    with blaming(*suspects(algorithm, problem.learner_name)):
        clf.fit(dataset.X, dataset.y)
    seconds = time.perf_counter() - start
    return ComparisonRow(
        **clf.certificate_.facts(),
        dataset=dataset.name,
        m=dataset.X.shape[0],
        n_features=dataset.X.shape[1],
        algorithm=algorithm,
        rounds=clf.n_iter_,
        hypotheses=clf.trace_[-1].hypotheses,
        support=len(clf.estimators_),
        oracle_seconds=sum(clf.trace_["oracle_seconds"]),
        rule_seconds=sum(clf.trace_["rule_seconds"]),
        seconds=seconds,
        training_error=error_on(clf, dataset.X, dataset.y),
    )


def load_plugins(algorithms: Iterable[str], learner: str) -> None:
    """Load what other packages add, and raise a `PluginError` if it does not work."""
    for name in algorithms:
        if name not in ALGORITHMS and name not in FAMILY:
            with blaming(*suspects(name, learner)):
                made(name).rules()
    if learner != TREE:
        plugin_learner(learner)


def error_on(clf: SoftMarginBooster, X: Any, y: Any) -> float:
    """The fraction of the rows that are classified wrongly."""
    return float(np.mean(clf.predict(X) != y))
