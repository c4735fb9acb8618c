"""How far a study is: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from statistics import fmean
from typing import TextIO

from frankboost.cli.table import CLEAR, is_terminal, terminal_width
from frankboost.experiments.results import Result
from frankboost.experiments.study import Run

WIDTH = 24
OTHERWISE = 60.0  # seconds between lines where nothing can be taken back


class TimeLeft:
    """Guesses from the runs that ended: one of the same part and algorithm takes as long as they did."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str], list[float]] = {}

    def note(self, run: Run, seconds: float) -> None:
        """A run took so long."""
        self._seconds.setdefault((run.part, run.algorithm), []).append(seconds)

    def of(self, runs: Sequence[Run]) -> float:
        """Seconds for these, one after the other; NaN if nothing is known yet."""
        everything = [second for seconds in self._seconds.values() for second in seconds]
        if not everything:
            return math.nan
        mean = fmean(everything)
        return sum(
            fmean(seconds) if (seconds := self._seconds.get((run.part, run.algorithm))) else mean
            for run in runs
        )


class StudyProgress:
    """Tells a stream how far a part of a study is, and how long the rest may take."""

    def __init__(self, part: str, stream: TextIO, jobs: int = 1) -> None:
        self._part = part
        self._stream = stream
        self._jobs = jobs
        self._terminal = is_terminal(stream)
        self._left = TimeLeft()
        self._waiting: list[Run] = []
        self._running: dict[str, float] = {}
        self._total = self._finished = self._failed = 0
        self._next = -math.inf

    def begin(self, runs: Sequence[Run], finished: int) -> None:
        """So many are to be done, beside those finished before."""
        self._waiting = list(runs)
        self._total, self._finished = len(runs) + finished, finished

    def started(self, run: Run) -> None:
        """A process was started."""
        self._waiting.remove(run)
        self._running[run.key] = time.monotonic()
        self._show()

    def ended(self, run: Run, result: Result) -> None:
        """Its result is on the disk."""
        self._left.note(run, time.monotonic() - self._running.pop(run.key))
        self._finished += 1
        if result["status"] == "failed":
            self._failed += 1
            self._line(f"{run.key} failed: {result['failure']['message']}")
        self._show()

    def wait(self) -> None:
        """Nothing has happened for a moment."""
        self._show()

    def close(self) -> None:
        """All done, or interrupted."""
        self._line(self._text())

    def _show(self) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (0.2 if self._terminal else OTHERWISE)
        if self._terminal:
            running = ", ".join(self._running)
            text = f"{self._text()}  {running}"[: terminal_width(self._stream) - 1]
            print(f"{CLEAR}{text}", end="", file=self._stream, flush=True)
        else:
            self._line(self._text())

    def _line(self, text: str) -> None:
        print(f"{CLEAR if self._terminal else ''}{text}", file=self._stream, flush=True)

    def _text(self) -> str:
        done = self._finished / self._total if self._total else 1.0
        bar = "#" * int(WIDTH * done) + "." * (WIDTH - int(WIDTH * done))
        failed = f", {self._failed} failed" if self._failed else ""
        left = self._left.of(self._waiting) / self._jobs
        rest = f", about {duration(left)} left" if self._waiting and not math.isnan(left) else ""
        return f"{self._part:<10} [{bar}] {self._finished}/{self._total}{failed}{rest}"


def duration(seconds: float) -> str:
    """To the precision that a guess has."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"
