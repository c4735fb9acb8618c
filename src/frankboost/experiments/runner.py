"""Runs a study: every trial in a process of its own, every outcome on the disk as soon as it is there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Protocol

from frankboost.experiments import machine
from frankboost.experiments.outcome import Failure, FitSummary, Outcome
from frankboost.experiments.results import ResultsFile
from frankboost.experiments.trial import Trial
from frankboost.experiments.worker import OVERDUE, work

PATIENCE = 20.0  # times its CPU limit, and a minute: how long a process may be there at all


class StudyObserver(Protocol):
    """Who is told how far a study is."""

    def begin(self, trials: Sequence[Trial], finished: int) -> None:
        """So many are to be done, beside those finished before."""

    def started(self, trial: Trial) -> None:
        """A process was started."""

    def ended(self, outcome: Outcome) -> None:
        """An outcome is on the disk."""

    def wait(self) -> None:
        """Nothing has happened for a moment."""

    def close(self) -> None:
        """All done, or interrupted."""


def run_all(
    trials: Sequence[Trial],
    file: ResultsFile,
    progress: StudyObserver,
    *,
    data_dir: Path | None = None,
    jobs: int = 1,
    retry: bool = False,
) -> None:
    """Do the trials that the file has no outcome of yet.

    Failures are outcomes too, and done again only with `retry`. `jobs` trials go side by side, but those
    whose time counts one after the other. An interrupt loses what is running and nothing else.
    """
    todo = [trial for trial in trials if not _settled(trial, file.known, retry)]
    progress.begin(todo, len(trials) - len(todo))
    pool = _Pool(file, progress, data_dir)
    try:
        for trial in todo:
            pool.wait_for_fewer_than(1 if trial.timed or pool.timing else jobs)
            pool.start(trial)
        pool.wait_for_fewer_than(1)
    finally:
        pool.kill()
        progress.close()


def _settled(trial: Trial, known: dict[str, Outcome], retry: bool) -> bool:
    outcome = known.get(trial.key)
    return outcome is not None and outcome.answers(trial) and (outcome.done or not retry)


@dataclass(frozen=True, eq=False)
class _Process:
    trial: Trial
    process: ForkServerProcess
    connection: Connection
    deadline: float


@dataclass(eq=False)
class _Pool:
    file: ResultsFile
    progress: StudyObserver
    data_dir: Path | None
    running: list[_Process] = field(default_factory=list)

    @property
    def timing(self) -> bool:
        """Whether a trial is there whose time counts."""
        return any(each.trial.timed for each in self.running)

    def start(self, trial: Trial) -> None:
        """Start a process."""
        ours, theirs = _context().Pipe()
        process = _context().Process(target=work, args=(trial, self.data_dir, theirs), daemon=True)
        self.progress.started(trial)
        process.start()
        theirs.close()
        self.running.append(_Process(trial, process, ours, time.monotonic() + _patience(trial)))

    def wait_for_fewer_than(self, jobs: int) -> None:
        """Collect results until so few are running."""
        while len(self.running) >= jobs:
            # A process that ends closes its end of the connection, so this hears of crashes too.
            ready = wait([each.connection for each in self.running], timeout=0.2)
            for each in list(self.running):
                if each.connection in ready:
                    self._collect(each, _received(each))
                elif time.monotonic() > each.deadline:
                    each.process.kill()
                    self._collect(each, _lost(each.trial))
            self.progress.wait()

    def kill(self) -> None:
        """End what is running, without a result."""
        for each in self.running:
            each.process.kill()
            each.process.join()
            each.connection.close()
        self.running.clear()

    def _collect(self, each: _Process, result: FitSummary | Failure) -> None:
        each.process.join()
        each.connection.close()
        self.running.remove(each)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        outcome = Outcome(each.trial, result, now, machine.hardware(), machine.versions())
        self.file.add(outcome)
        self.progress.ended(outcome)


def _received(each: _Process) -> FitSummary | Failure:
    """What a process sent, or what its silent end means."""
    try:
        result: FitSummary | Failure = each.connection.recv()
        each.connection.close()  # lets the process end
    except (EOFError, OSError):
        each.process.join()
        return _crash(each.trial, each.process.exitcode)
    return result


def _crash(trial: Trial, code: int | None) -> Failure:
    if code == OVERDUE:
        return Failure("time", f"a round that did not end long after {trial.time_limit:g} CPU seconds")
    if code is not None and code < 0:
        return Failure("crash", f"ended by {signal.Signals(-code).name}")
    return Failure("crash", f"ended with exit status {code} and no result")


def _lost(trial: Trial) -> Failure:
    return Failure("hung", f"no result after {_patience(trial):g} seconds by the wall clock")


def _patience(trial: Trial) -> float:
    return PATIENCE * trial.time_limit + 60.0


@cache
def _context() -> ForkServerContext:
    # OpenBLAS's idle threads spin for a tenth of a second after a fork, and the CPU's clock would charge the
    # fit for it; a fit has one BLAS thread anyway.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    # Forked off a server that has imported everything and run nothing: a clean process within milliseconds.
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", "frankboost.experiments.worker"])
    return context
