"""How far a study is: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import TextIO

from frankboost.progress import Live, is_terminal
from studies.running.outcome import Outcome
from studies.running.runner import Study
from studies.running.trial import Trial

WIDTH = 24
OTHERWISE = 60.0  # seconds between lines where nothing can be taken back


class StudyProgress:
    """An observer that tells a stream how far a part of a study is, and how long the rest may take.

    `shown` says what is told of a trial that is done; None: nothing.
    """

    def __init__(
        self,
        part: str,
        stream: TextIO,
        jobs: int = 1,
        shown: Callable[[Outcome], str] | None = None,
    ) -> None:
        self._part, self._jobs, self._shown = part, jobs, shown
        self._terminal = is_terminal(stream)
        self._live = Live(stream, stream) if self._terminal else Live(stream, every=OTHERWISE, lines=True)
        self._told = 0  # of those that ended
        self._text = ""

    def __call__(self, study: Study) -> None:
        """Tell of trials that ended since the last time, and of the whole if it is time."""
        for outcome, _ in study.ended[self._told :]:
            if outcome.failure:
                self._live.line(f"{outcome.key} failed: {outcome.failure.message}")
            elif self._shown:
                self._live.line(self._shown(outcome))
        self._told = len(study.ended)
        self._text = text = self._bar(study)
        running = f"  {', '.join(each.trial.key for each in study.running)}" if self._terminal else ""
        if study.running:
            self._live.show(lambda: text + running)

    def close(self) -> None:
        """All done, or interrupted."""
        self._live.line(self._text)

    def _bar(self, study: Study) -> str:
        finished = study.before + len(study.ended)
        total = finished + len(study.running) + len(study.waiting)
        done = int(WIDTH * finished / total) if total else WIDTH
        failures = sum(not outcome.done for outcome, _ in study.ended)
        failed = f", {failures} failed" if failures else ""
        took = ((outcome.trial, seconds) for outcome, seconds in study.ended)
        left = time_left(took, study.waiting) / self._jobs
        rest = f", about {duration(left)} left" if study.waiting and not math.isnan(left) else ""
        return f"{self._part:<10} [{'#' * done:.<{WIDTH}}] {finished}/{total}{failed}{rest}"


def time_left(took: Iterable[tuple[Trial, float]], waiting: Sequence[Trial]) -> float:
    """Seconds for trials one after the other, from those that others took; NaN if nothing is known yet.

    A trial takes as long as those of its part and algorithm did on average, or as all did.
    """
    seconds: dict[tuple[str, str], list[float]] = {}
    for trial, each in took:
        seconds.setdefault((trial.part, trial.algorithm), []).append(each)
    if not seconds:
        return math.nan
    mean = fmean(each for same in seconds.values() for each in same)
    return sum(fmean(seconds.get((trial.part, trial.algorithm), [mean])) for trial in waiting)


def duration(seconds: float) -> str:
    """To the precision that a guess has."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"
