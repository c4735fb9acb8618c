"""Runs a study: every trial in a process of its own, every outcome on the disk as soon as it is there."""

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

OVERDUE = 124  # the exit status of a trial that its limit could not stop, as that of timeout(1)

Do = Callable[[Trial, Path | None], Result]
"""Does a trial, with the folder of its data sets, if there is one."""


@dataclass(frozen=True, eq=False)
class RunningTrial:
    """A trial and its process."""

    trial: Trial
    process: ForkServerProcess
    connection: Connection
    started: float


@dataclass(eq=False)
class Study:
    """Trials that are to be done: which wait, which run, and which have ended, with the seconds they took.

    `before` counts those that had an outcome already. `folder` has the data sets, and the versions of
    `packages` are noted. The observer is called at the start, when a trial
    starts or ends, and several times per second in between.
    """

    waiting: list[Trial]
    before: int
    file: ResultsFile
    observer: Callable[[Study], None]
    do: Do
    folder: Path | None = None
    packages: Sequence[str] = ()
    running: list[RunningTrial] = field(default_factory=list)
    ended: list[tuple[Outcome, float]] = field(default_factory=list)

    def run(self, jobs: int) -> None:
        """Do what waits; what is running when it is interrupted is lost."""
        self.observer(self)
        try:
            while self.waiting:
                timed = self.waiting[0].timed or any(each.trial.timed for each in self.running)
                self._wait_for_fewer_than(1 if timed else jobs)
                self._start(self.waiting.pop(0))
            self._wait_for_fewer_than(1)
        finally:
            for each in self.running:
                _end(each)

    def _start(self, trial: Trial) -> None:
        context = _context(self.do.__module__)
        receiver, sender = context.Pipe()
        # Not daemonic: a daemon may not start processes, and some contestants do.
        process = context.Process(target=work, args=(self.do, trial, self.folder, sender))
        process.start()
        sender.close()
        self.running.append(RunningTrial(trial, process, receiver, time.monotonic()))
        self.observer(self)

    def _wait_for_fewer_than(self, jobs: int) -> None:
        """Collect results until so few are running."""
        while len(self.running) >= jobs:
            # A process that ends closes its end of the connection, so this hears of crashes too.
            ready = wait([each.connection for each in self.running], timeout=0.2)
            for each in list(self.running):
                if each.connection in ready:
                    self._collect(each, _received(each))
                elif time.monotonic() > each.started + each.trial.patience:
                    late = f"no result after {each.trial.patience:g} seconds by the wall clock"
                    self._collect(each, Failure("time" if each.trial.clock == "wall" else "hung", late))
            self.observer(self)

    def _collect(self, each: RunningTrial, result: Result | Failure) -> None:
        _end(each)
        self.running.remove(each)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        outcome = Outcome(each.trial, result, now, machine.hardware(), machine.versions(*self.packages))
        self.file.add(outcome)
        self.ended.append((outcome, time.monotonic() - each.started))


def run_all(
    trials: Sequence[Trial],
    file: ResultsFile,
    observer: Callable[[Study], None],
    do: Do,
    *,
    jobs: int = 1,
    again: Callable[[Outcome], bool] = lambda outcome: False,
    **others: Any,
) -> None:
    """Do the trials that the file has no outcome of yet, and those whose outcome `again` is true of.

    Failures are outcomes too. `jobs` trials go side by side, but those whose time counts one after the other.
    An interrupt loses what is running and nothing else. Others are those of a `Study`.
    """
    known = [(trial, file.known.get(trial.key)) for trial in trials]
    todo = [trial for trial, there in known if there is None or not there.answers(trial) or again(there)]
    Study(todo, len(trials) - len(todo), file, observer, do, **others).run(jobs)


def _received(each: RunningTrial) -> Result | Failure:
    """What a process sent, or what its silent end means."""
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


def _end(each: RunningTrial) -> None:
    """End a process and those that it started."""
    if each.process.pid is not None:
        with suppress(ProcessLookupError):
            os.killpg(each.process.pid, signal.SIGKILL)
    each.process.kill()
    each.process.join()
    each.connection.close()


@cache
def _context(module: str) -> ForkServerContext:
    # OpenBLAS's idle threads spin for a tenth of a second after a fork, and the CPU's clock would charge the
    # fit for it; a fit has one BLAS thread anyway.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    # Forked off a server that has imported everything and run nothing: a clean process within milliseconds.
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", module])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server inherits it: Ctrl-C is for the study
    try:
        ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)
    return context


def work(do: Do, trial: Trial, folder: Path | None, connection: Connection) -> None:
    """Do a trial and send what came out: a result, or a failure."""
    os.setsid()  # the processes that it starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the study, which ends its trials
    seconds = math.inf if trial.clock == "wall" else 2.0 * trial.time_limit + 10.0
    threading.Thread(target=_watch, args=(connection, seconds), daemon=True).start()
    warnings.simplefilter("ignore")
    _limit(trial)
    try:
        connection.send(do(trial, folder))
    except MemoryError:
        connection.send(Failure("memory", f"more than {trial.memory_limit:g} GB"))
    except Exception as error:  # a result like any other
        connection.send(Failure("error", f"{type(error).__name__}: {error}"))


def _limit(trial: Trial) -> None:
    """The threads of libraries that have no setting for them, and memory, if it is limited."""
    os.environ["OMP_NUM_THREADS"] = str(trial.threads)  # of what it loads or starts
    threadpool_limits(trial.threads, "openmp")  # of what is loaded
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if trial.memory_limit:
        memory = int(trial.memory_limit * 1e9)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


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
