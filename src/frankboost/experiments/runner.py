"""Runs a study: every run in a process of its own, every result on the disk as soon as it is there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any, Protocol

from frankboost.experiments import machine
from frankboost.experiments.results import Result, ResultsFile
from frankboost.experiments.study import Run
from frankboost.experiments.worker import OVERDUE, work

PATIENCE = 20.0  # times its CPU limit, and a minute: how long a process may be there at all

Failure = dict[str, str]


class Progress(Protocol):
    """Who is told how far a study is."""

    def begin(self, runs: Sequence[Run], finished: int) -> None:
        """So many are to be done, beside those finished before."""

    def started(self, run: Run) -> None:
        """A process was started."""

    def ended(self, run: Run, result: Result) -> None:
        """Its result is on the disk."""

    def wait(self) -> None:
        """Nothing has happened for a moment."""

    def close(self) -> None:
        """All done, or interrupted."""


def run_all(
    runs: Sequence[Run],
    file: ResultsFile,
    progress: Progress,
    *,
    data_dir: Path | None = None,
    jobs: int = 1,
    retry: bool = False,
) -> None:
    """Do the runs that the file has no result of yet.

    Failures are results too, and done again only with `retry`. `jobs` runs go side by side, but those whose
    time counts one after the other. An interrupt loses what is running and nothing else.
    """
    todo = [run for run in runs if not _settled(run, file.known, retry)]
    progress.begin(todo, len(runs) - len(todo))
    pool = _Pool(file, progress, data_dir)
    try:
        for run in todo:
            pool.wait_for_fewer_than(1 if run.timed or pool.timing else jobs)
            pool.start(run)
        pool.wait_for_fewer_than(1)
    finally:
        pool.kill()
        progress.close()


def _settled(run: Run, known: dict[str, Result], retry: bool) -> bool:
    result = known.get(run.key)
    return result is not None and run.answered_by(result) and not (retry and result["status"] == "failed")


@dataclass(frozen=True, eq=False)
class _Process:
    run: Run
    process: ForkServerProcess
    connection: Connection
    deadline: float


@dataclass(eq=False)
class _Pool:
    file: ResultsFile
    progress: Progress
    data_dir: Path | None
    running: list[_Process] = field(default_factory=list)

    @property
    def timing(self) -> bool:
        """Whether a run is there whose time counts."""
        return any(each.run.timed for each in self.running)

    def start(self, run: Run) -> None:
        """Start a process."""
        ours, theirs = _context().Pipe()
        process = _context().Process(target=work, args=(run, self.data_dir, theirs), daemon=True)
        self.progress.started(run)
        process.start()
        theirs.close()
        self.running.append(_Process(run, process, ours, time.monotonic() + _patience(run)))

    def wait_for_fewer_than(self, jobs: int) -> None:
        """Collect results until so few are running."""
        while len(self.running) >= jobs:
            # A process that ends closes its end of the connection, so this hears of crashes too.
            ready = wait([each.connection for each in self.running], timeout=0.2)
            for each in list(self.running):
                if each.connection in ready:
                    self._collect(each, *_received(each))
                elif time.monotonic() > each.deadline:
                    each.process.kill()
                    self._collect(each, "failed", _lost(each.run))
            self.progress.wait()

    def kill(self) -> None:
        """End what is running, without a result."""
        for each in self.running:
            each.process.kill()
            each.process.join()
            each.connection.close()
        self.running.clear()

    def _collect(self, each: _Process, status: str, content: dict[str, Any]) -> None:
        each.process.join()
        each.connection.close()
        self.running.remove(each)
        result = _line(each.run, status, content)
        self.file.add(result)
        self.progress.ended(each.run, result)


def _received(each: _Process) -> tuple[str, dict[str, Any]]:
    """What a process sent, or what its silent end means."""
    try:
        status, content = each.connection.recv()
        each.connection.close()  # lets the process end
    except (EOFError, OSError):
        each.process.join()
        return "failed", _crash(each.run, each.process.exitcode)
    return status, content


def _line(run: Run, status: str, content: dict[str, Any]) -> Result:
    outcome = {"failure": content} if status == "failed" else {"failure": None, **content}
    return {
        "key": run.key,
        **asdict(run),
        "status": status,
        **outcome,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.hardware(),
        "versions": machine.versions(),
    }


def _crash(run: Run, code: int | None) -> Failure:
    if code == OVERDUE:
        return _overdue(run)
    if code is not None and code < 0:
        return {"kind": "crash", "message": f"ended by {signal.Signals(-code).name}"}
    return {"kind": "crash", "message": f"ended with exit status {code} and no result"}


def _overdue(run: Run) -> Failure:
    return {"kind": "time", "message": f"a round that did not end long after {run.time_limit:g} CPU seconds"}


def _lost(run: Run) -> Failure:
    return {"kind": "hung", "message": f"no result after {_patience(run):g} seconds by the wall clock"}


def _patience(run: Run) -> float:
    return PATIENCE * run.time_limit + 60.0


@cache
def _context() -> ForkServerContext:
    # OpenBLAS's idle threads spin for a tenth of a second after a fork, and the CPU's clock would charge the
    # fit for it; a fit has one BLAS thread anyway.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    # Forked off a server that has imported everything and run nothing: a clean process within milliseconds.
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", "frankboost.experiments.worker"])
    return context
