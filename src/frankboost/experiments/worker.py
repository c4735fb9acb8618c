"""One trial of a study, in a process of its own."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import threading
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from frankboost.certificate import Certificate
from frankboost.datasets import NAMES, load
from frankboost.experiments.algorithms import made, suspects
from frankboost.experiments.comparison import booster, error_on
from frankboost.experiments.curves import CpuClock, error_curve, rounded, trace_curve
from frankboost.experiments.outcome import Failure, FitSummary
from frankboost.experiments.own_sets import Categorical, load_own
from frankboost.experiments.problems import TREE, WORST_CASE, Problem, made_set, plugin_learner
from frankboost.experiments.trial import Trial
from frankboost.learners.base import WeakLearner
from frankboost.learners.best_tree import BestTree
from frankboost.learners.worst_case import WorstCase
from frankboost.plugins import blaming
from frankboost.saying import unsaid

GIGA = 1e9
OVERDUE = 124  # the exit status of a trial that its limit could not stop, as that of timeout(1)


def work(trial: Trial, data_dir: Path | None, connection: Connection) -> None:
    """Do a trial and send what came out: a summary of the fit, or a failure."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the study, which ends its trials
    threading.Thread(target=_watch, args=(connection, 2.0 * trial.time_limit + 10.0), daemon=True).start()
    memory = int(trial.memory_limit * GIGA)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        connection.send(fitted(trial, data_dir))
    except MemoryError:
        connection.send(Failure("memory", f"more than {trial.memory_limit:g} GB"))
    except Exception as error:  # a result like any other
        connection.send(Failure("error", f"{type(error).__name__}: {error}"))


def _watch(connection: Connection, seconds: float) -> None:
    """End the process with its study, which may have been killed, or when a round does not end."""
    # Not RLIMIT_CPU: under it Linux tells a process its time by the tick, too coarse for our curves.
    while time.process_time() < seconds:
        try:
            if connection.poll(1.0):
                connection.recv()
        except (EOFError, OSError):
            os._exit(1)
    os._exit(OVERDUE)


@unsaid(UserWarning)  # the summary has it all
def fitted(trial: Trial, data_dir: Path | None = None) -> FitSummary:
    """Fit, and what there is to say about it."""
    posed = problem(trial, data_dir)
    X, y = posed.dataset.X, posed.dataset.y
    rows, aside = trial.split_rows(y)
    training, test = (X[rows], y[rows]), (X[aside], y[aside])
    # Load what is only loaded when it is first used, so that no fit is charged for it.
    made(trial.algorithm, max_iter=3).fit([[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1])
    wall, clock = time.perf_counter(), CpuClock(trial.time_limit)
    clf = booster(trial.algorithm, posed, trial.stopping, n_jobs=trial.threads, callbacks=[clock])
    with blaming(*suspects(trial.algorithm, trial.learner)):
        clf.fit(*training)
    cpu_seconds, wall_seconds = clock.seconds(), time.perf_counter() - wall
    promise: Certificate = clf.certificate_
    if clock.struck and promise.status == "stopped":
        promise = replace(promise, status="time_limit")
    whole = trial.fold is None  # a fold is told without its curves
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return FitSummary(
        m=len(rows),
        n_features=X.shape[1],
        m_test=len(aside),
        data=hashlib.sha256(X.tobytes() + y.tobytes()).hexdigest()[:16],
        certificate=promise,
        rounds=clf.n_iter_,
        hypotheses=clf.trace_[-1].hypotheses,
        support=len(clf.estimators_),
        trace=trace_curve(clf, clock) if whole else None,
        test_curve=error_curve(clf, clock, *test) if whole and len(aside) else None,
        cpu_seconds=rounded(cpu_seconds),
        wall_seconds=rounded(wall_seconds),
        process_cpu_seconds=rounded(usage.ru_utime + usage.ru_stime),
        peak_memory=rounded(usage.ru_maxrss * 1024 / GIGA),
        training_error=error_on(clf, *training),
        test_error=error_on(clf, *test) if len(aside) else None,
    )


def problem(trial: Trial, data_dir: Path | None) -> Problem:
    """The rows and the weak learner of a trial."""
    categorical: Categorical = ()
    if trial.rows is not None:
        dataset = made_set(trial.dataset, trial.rows, trial.seed)
    elif trial.dataset in NAMES or data_dir is None:
        dataset = load(trial.dataset, data_dir)
    else:
        dataset, categorical = load_own(trial.dataset, data_dir)
    return Problem(dataset, trial.nu, _weak_learner(trial, categorical), trial.tol, trial.learner)


def _weak_learner(trial: Trial, categorical: Categorical) -> WeakLearner:
    if trial.dataset == WORST_CASE:
        return WorstCase()
    if trial.learner != TREE:
        return plugin_learner(trial.learner)
    return BestTree(trial.max_depth, trial.max_bins, categorical=categorical)
