"""How far a study is: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from statistics import fmean
from typing import TextIO

from frankboost.experiments.outcome import Outcome
from frankboost.experiments.trial import Trial
from frankboost.progress import Live, is_terminal

WIDTH = 24
OTHERWISE = 60.0  # seconds between lines where nothing can be taken back


class TimeLeft:
    """Guesses from the trials that ended: one of the same part and algorithm takes as long as they did."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str], list[float]] = {}

    def note(self, trial: Trial, seconds: float) -> None:
        """A trial took so long."""
        self._seconds.setdefault((trial.part, trial.algorithm), []).append(seconds)

    def of(self, trials: Sequence[Trial]) -> float:
        """Seconds for these, one after the other; NaN if nothing is known yet."""
        if not self._seconds:
            return math.nan
        mean = fmean(second for seconds in self._seconds.values() for second in seconds)
        return sum(fmean(self._seconds.get((trial.part, trial.algorithm), [mean])) for trial in trials)


class StudyProgress:
    """Tells a stream how far a part of a study is, and how long the rest may take."""

    def __init__(self, part: str, stream: TextIO, jobs: int = 1) -> None:
        self._part, self._jobs = part, jobs
        self._terminal = is_terminal(stream)
        self._live = Live(stream, stream) if self._terminal else Live(stream, every=OTHERWISE, lines=True)
        self._left = TimeLeft()
        self._waiting: list[Trial] = []
        self._running: dict[str, float] = {}
        self._total = self._finished = self._failed = 0

    def begin(self, trials: Sequence[Trial], finished: int) -> None:
        """So many are to be done, beside those finished before."""
        self._waiting = list(trials)
        self._total, self._finished = len(trials) + finished, finished

    def started(self, trial: Trial) -> None:
        """A process was started."""
        self._waiting.remove(trial)
        self._running[trial.key] = time.monotonic()
        self.wait()

    def ended(self, outcome: Outcome) -> None:
        """An outcome is on the disk."""
        self._left.note(outcome.trial, time.monotonic() - self._running.pop(outcome.key))
        self._finished += 1
        if outcome.failure:
            self._failed += 1
            self._live.line(f"{outcome.key} failed: {outcome.failure.message}")
        self.wait()

    def wait(self) -> None:
        """Nothing has happened for a moment."""
        running = f"  {', '.join(self._running)}" if self._terminal else ""
        self._live.show(lambda: self._text() + running)

    def close(self) -> None:
        """All done, or interrupted."""
        self._live.line(self._text())

    def _text(self) -> str:
        done = int(WIDTH * self._finished / self._total) if self._total else WIDTH
        failed = f", {self._failed} failed" if self._failed else ""
        left = self._left.of(self._waiting) / self._jobs
        rest = f", about {duration(left)} left" if self._waiting and not math.isnan(left) else ""
        bar = "#" * done + "." * (WIDTH - done)
        return f"{self._part:<10} [{bar}] {self._finished}/{self._total}{failed}{rest}"


def duration(seconds: float) -> str:
    """To the precision that a guess has."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"
