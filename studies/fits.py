"""One trial of a soft-margin algorithm: its rows, its weak learner, its fit, and a summary of the fit."""

from __future__ import annotations

import hashlib
import resource
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from frankboost.certificate import Certificate
from frankboost.datasets import NAMES, load
from frankboost.estimators.base import SoftMarginBooster
from frankboost.fitting.run import SmoothedGap
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.columns import WorstCase
from frankboost.plugins import blaming
from frankboost.saying import unsaid
from studies import sets
from studies.algorithms import TREE, make_algorithm, plugin_learner, plugins_of
from studies.running.curves import CpuClock, error_curve, rounded, trace_curve
from studies.running.outcome import FitSummary
from studies.running.trial import Trial
from studies.sets import WORST_CASE, make_set

MANY_ROUNDS = 1_000_000  # so many that the time limit comes first


@unsaid(UserWarning)  # the summary says the same
def fit_trial(trial: Trial, folder: Path | None = None) -> FitSummary:
    """Fit, and summarise the fit."""
    data = load_rows(trial, folder)
    X, y = data.X, data.y
    rows, aside = trial.split_rows(y)
    training, test = (X[rows], y[rows]), (X[aside], y[aside])
    learner = make_weak_learner(trial, data.categorical)
    with blaming(*plugins_of(trial.algorithm, trial.learner)):
        # A first fit loads the modules that are loaded on first use, so that their time is not measured.
        make_algorithm(trial.algorithm, max_iter=3).fit([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1])
        wall, clock = time.perf_counter(), CpuClock(trial.time_limit)
        clf = _fit(trial, learner, clock, training)
    cpu_seconds, wall_seconds = clock.seconds(), time.perf_counter() - wall
    has_curves = trial.fold is None
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return FitSummary(
        m=len(rows),
        n_features=X.shape[1],
        m_test=len(aside),
        data=hashlib.sha256(X.tobytes() + y.tobytes()).hexdigest()[:16],
        certificate=_certificate(clf, clock),
        rounds=clf.n_iter_,
        hypotheses=clf.trace_[-1].hypotheses,
        support=len(clf.estimators_),
        trace=trace_curve(clf, clock) if has_curves else None,
        test_curve=error_curve(clf, clock, *test) if has_curves and len(aside) else None,
        cpu_seconds=rounded(cpu_seconds),
        wall_seconds=rounded(wall_seconds),
        process_cpu_seconds=rounded(usage.ru_utime + usage.ru_stime),
        peak_memory=rounded(usage.ru_maxrss * 1024 / 1e9),
        training_error=_error(clf, *training),
        test_error=_error(clf, *test) if len(aside) else None,
        oracle_seconds=rounded(sum(clf.trace_["oracle_seconds"])),
        rule_seconds=rounded(sum(clf.trace_["rule_seconds"])),
    )


def _fit(trial: Trial, learner: WeakLearner, clock: CpuClock, training: tuple[Any, Any]) -> SoftMarginBooster:
    settings = {"nu": trial.nu, "tol": trial.tol, "estimator": learner, "n_jobs": trial.threads}
    clf = make_algorithm(trial.algorithm, **settings, max_iter=MANY_ROUNDS, callbacks=[clock])
    if trial.stopping == "paper":
        clf.closing = SmoothedGap
    return clf.fit(*training)


def _certificate(clf: SoftMarginBooster, clock: CpuClock) -> Certificate:
    """The certificate, with the status "time_limit" if the clock stopped the fit."""
    found: Certificate = clf.certificate_
    return replace(found, status="time_limit") if clock.hit_limit and found.status == "stopped" else found


def _error(clf: SoftMarginBooster, X: Any, y: Any) -> float:
    return float(np.mean(clf.predict(X) != y))


def load_rows(trial: Trial, folder: Path | None) -> sets.LabelledRows:
    """Load all rows of the data set of a trial."""
    if trial.rows is None and trial.dataset not in NAMES and folder is not None:
        return sets.read(folder / f"{trial.dataset}.npz")
    known = make_set(trial.dataset, trial.rows, trial.seed) if trial.rows else load(trial.dataset, folder)
    return sets.LabelledRows(known.X, known.y)


def make_weak_learner(trial: Trial, categorical: sets.Categorical) -> WeakLearner:
    """Make the weak learner of a trial; the worst case has its own."""
    if trial.dataset == WORST_CASE:
        return WorstCase()
    if trial.learner != TREE:
        return plugin_learner(trial.learner)
    return BestTree(trial.max_depth, trial.max_bins, categorical=categorical)
