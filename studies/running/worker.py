"""One trial of a study, in a process of its own."""

from __future__ import annotations

import math
import os
import resource
import signal
import threading
import time
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from threadpoolctl import threadpool_limits

from studies.running.outcome import Failure, FitSummary, Score
from studies.running.trial import Trial

GIGA = 1e9
OVERDUE = 124  # the exit status of a trial that its limit could not stop, as that of timeout(1)

Do = Callable[[Trial, Path | None], FitSummary | Score]
"""Does a trial, with the folder of its data sets, if there is one."""


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
        memory = int(trial.memory_limit * GIGA)
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
