"""Trials one after the other, each in a process of its own with a limit on its time."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

from studies.accuracy.trial import Failure, Score, Trial
from studies.accuracy.worker import work


def outcome(trial: Trial, path: Path, limit: float) -> Score | Failure:
    """Do a trial; one that takes longer than `limit` seconds, all included, is killed."""
    ours, theirs = context(trial.threads).Pipe()
    # Not daemonic: a daemon may not start processes, and some contestants do.
    process = context(trial.threads).Process(target=work, args=(trial, path, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(limit):
            return Failure("time", f"no result after {limit:g} seconds")
        return _received(ours, process)
    finally:
        _end(process)
        ours.close()


def _received(connection: Connection, process: ForkServerProcess) -> Score | Failure:
    """What a process sent, or what its silent end means."""
    try:
        result: Score | Failure = connection.recv()
        return result
    except (EOFError, OSError):
        process.join()
    code = process.exitcode or 0
    end = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit status {code} and no result"
    return Failure("crash", f"ended {end}")


def _end(process: ForkServerProcess) -> None:
    """End a process and those it started."""
    assert process.pid  # it has been started
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


@cache
def context(threads: int) -> ForkServerContext:
    """Processes forked off a server that has imported everything and run nothing."""
    os.environ["OMP_NUM_THREADS"] = str(threads)
    made = get_context("forkserver")
    made.set_forkserver_preload(["studies.accuracy.worker"])
    return made
