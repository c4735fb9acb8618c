"""Run a study: each trial in its own process, and each outcome written as soon as the trial ends."""

from __future__ import annotations

import math
import os
import resource
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from studies.running import machine
from studies.running.outcome import Failure, Outcome, Result
from studies.running.results import ResultsFile
from studies.running.trial import Trial

OVERDUE = 124  # the exit status of a trial that ran far beyond its time limit, as in timeout(1)

RunTrial = Callable[[Trial, Path | None], Result]
"""Runs a trial; the path is the folder of its data sets, if there is one."""


@dataclass(frozen=True, eq=False)
class RunningTrial:
    """A trial and its process."""

    trial: Trial
    process: ForkServerProcess
    connection: Connection
    started: float


@dataclass(eq=False)
class Study:
    """The trials of a study: those that wait, those that run, and those that have ended.

    The observer is called at the start, when a trial starts or ends, and several times per second.
    """

    waiting: list[Trial]
    before: int  # the number of trials that had an outcome before
    file: ResultsFile
    observer: Callable[[Study], None]
    run_trial: RunTrial
    folder: Path | None = None  # of the data sets
    packages: Sequence[str] = ()  # their versions are part of each outcome
    running: list[RunningTrial] = field(default_factory=list)
    ended: list[tuple[Outcome, float]] = field(default_factory=list)  # with the seconds that they took

    def run(self, jobs: int) -> None:
        """Run the waiting trials, up to `jobs` side by side; an interrupt ends the running trials."""
        self.observer(self)
        try:
            while self.waiting:
                timed = self.waiting[0].timed or any(each.trial.timed for each in self.running)
                self._wait_for_fewer_than(1 if timed else jobs)
                self._start(self.waiting.pop(0))
            self._wait_for_fewer_than(1)
        finally:
            for each in self.running:
                _end_process(each)

    def _start(self, trial: Trial) -> None:
        context = _context(self.run_trial.__module__)
        receiver, sender = context.Pipe()
        # Not a daemon, which may not start processes, as some contestants do.
        process = context.Process(target=work, args=(self.run_trial, trial, self.folder, sender))
        process.start()
        sender.close()
        self.running.append(RunningTrial(trial, process, receiver, time.monotonic()))
        self.observer(self)

    def _wait_for_fewer_than(self, jobs: int) -> None:
        """Collect results until fewer than `jobs` trials run."""
        while len(self.running) >= jobs:
            # A process that crashes closes its connection, which is then ready, too.
            ready = wait([each.connection for each in self.running], timeout=0.2)
            for each in list(self.running):
                if each.connection in ready:
                    self._collect(each, _receive(each))
                elif time.monotonic() > each.started + each.trial.patience:
                    late = f"no result after {each.trial.patience:g} seconds by the wall clock"
                    self._collect(each, Failure("time" if each.trial.clock == "wall" else "hung", late))
            self.observer(self)

    def _collect(self, each: RunningTrial, result: Result | Failure) -> None:
        _end_process(each)
        self.running.remove(each)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        outcome = Outcome(each.trial, result, now, machine.hardware(), machine.versions(*self.packages))
        self.file.add(outcome)
        self.ended.append((outcome, time.monotonic() - each.started))


def run_missing(
    trials: Sequence[Trial],
    file: ResultsFile,
    observer: Callable[[Study], None],
    run_trial: RunTrial,
    *,
    jobs: int = 1,
    repeat: Callable[[Outcome], bool] = lambda outcome: False,
    **settings: Any,
) -> None:
    """Run the trials without an outcome in the file, and those with an outcome that `repeat` selects.

    A failure is an outcome, too. Up to `jobs` trials run side by side, but trials whose time is measured run
    alone. An interrupt loses only the trials that run. `settings` are fields of `Study`.
    """
    known = [(trial, file.known.get(trial.key)) for trial in trials]
    missing = [trial for trial, found in known if found is None or not found.is_of(trial) or repeat(found)]
    Study(missing, len(trials) - len(missing), file, observer, run_trial, **settings).run(jobs)


def _receive(each: RunningTrial) -> Result | Failure:
    """The result that a process sent, or a failure by its exit status."""
    try:
        result: Result | Failure = each.connection.recv()
        return result
    except (EOFError, OSError):
        each.process.join()
    code = each.process.exitcode or 0
    if code == OVERDUE:
        late = f"a round that did not end long after {each.trial.time_limit:g} CPU seconds"
        return Failure("time", late)
    end = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit status {code} and no result"
    return Failure("crash", f"ended {end}")


def _end_process(each: RunningTrial) -> None:
    """End a process and all processes that it started."""
    if each.process.pid is not None:
        with suppress(ProcessLookupError):
            os.killpg(each.process.pid, signal.SIGKILL)
    each.process.kill()
    each.process.join()
    each.connection.close()


@cache
def _context(module: str) -> ForkServerContext:
    # Idle threads of OpenBLAS use CPU time for a tenth of a second after a fork, charged to the fit.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    # The server imports everything and runs nothing, so that its forks are clean and start in milliseconds.
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", module])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the server: Ctrl-C should end the study
    try:
        ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)
    return context


def work(run_trial: RunTrial, trial: Trial, folder: Path | None, connection: Connection) -> None:
    """In the process of a trial: run the trial, and send its result or failure."""
    os.setsid()  # so that the processes that it starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the study, which ends its trials
    seconds = math.inf if trial.clock == "wall" else 2.0 * trial.time_limit + 10.0
    threading.Thread(target=_watch, args=(connection, seconds), daemon=True).start()
    warnings.simplefilter("ignore")
    _limit(trial)
    try:
        connection.send(run_trial(trial, folder))
    except MemoryError:
        connection.send(Failure("memory", f"more than {trial.memory_limit:g} GB"))
    except Exception as error:  # a failure is an outcome, too
        connection.send(Failure("error", f"{type(error).__name__}: {error}"))


def _limit(trial: Trial) -> None:
    """Limit the threads of libraries that have no parameter for them, and the memory."""
    os.environ["OMP_NUM_THREADS"] = str(trial.threads)  # for libraries that are not loaded yet
    threadpool_limits(trial.threads, "openmp")  # for libraries that are loaded
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if trial.memory_limit:
        memory = int(trial.memory_limit * 1e9)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _watch(connection: Connection, seconds: float) -> None:
    """End the process if its study was killed, or after `seconds` of CPU time."""
    # Not RLIMIT_CPU, with which Linux measures the time of a process too coarsely for the curves.
    while time.process_time() < seconds:
        try:
            if connection.poll(1.0):
                connection.recv()
        except (EOFError, OSError):
            os._exit(1)
    os._exit(OVERDUE)
