"""What a fit had reached by when, in CPU seconds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from frankboost.callbacks import Round
from frankboost.estimators.base import SoftMarginBooster
from frankboost.experiments.outcome import ErrorCurve, TraceCurve

MOST_POINTS = 64  # of a curve
DIGITS = 6


@dataclass
class CpuClock:
    """A callback that notes the CPU seconds, user and system, at each round, and stops a fit at the limit.

    It runs from the moment that it is made.
    """

    limit: float
    start: float = field(default_factory=time.process_time)
    struck: bool = False
    at_round: list[float] = field(default_factory=list)

    def seconds(self) -> float:
        """Since the start."""
        return time.process_time() - self.start

    def __call__(self, event: Round) -> bool:
        """Whether time is up."""
        self.at_round.append(self.seconds())
        self.struck = self.at_round[-1] >= self.limit
        return self.struck


def trace_curve(clf: SoftMarginBooster, clock: CpuClock) -> TraceCurve:
    """The trace, thinned; the bound of a draft's round, which is not about the class, is left out."""
    records = list(clf.trace_)
    # A draft's rounds are LevelBoost's, whose only rule is a secondary one.
    secondary = np.cumsum([record.rule in ("secondary", "draft") for record in records]).tolist()
    kept = thinned(len(records))
    return TraceCurve(
        round=[records[k].round for k in kept],
        cpu_seconds=[rounded(clock.at_round[k]) for k in kept],
        soft_margin=[rounded(records[k].soft_margin) for k in kept],
        bound=[None if records[k].rule == "draft" else rounded(records[k].bound) for k in kept],
        hypotheses=[records[k].hypotheses for k in kept],
        support=[records[k].support for k in kept],
        secondary=[secondary[k] for k in kept],
    )


def error_curve(clf: SoftMarginBooster, clock: CpuClock, X: Any, y: Any) -> ErrorCurve:
    """The test error of the best ensemble known after each round that was kept, thinned."""
    staged = clf.staged_rounds()
    kept = set(thinned(len(staged)))
    errors = {k: float(np.mean(labels != y)) for k, labels in enumerate(clf.staged_predict(X)) if k in kept}
    return ErrorCurve(
        round=[staged[k] for k in errors],
        cpu_seconds=[rounded(clock.at_round[staged[k] - 1]) for k in errors],
        test_error=[rounded(error) for error in errors.values()],
    )


def thinned(length: int) -> Sequence[int]:
    """At most MOST_POINTS of the numbers below `length`, first and last among them, denser at first."""
    if length <= MOST_POINTS:
        return range(length)
    geometric = np.geomspace(1.0, length, MOST_POINTS).round().astype(int) - 1
    return sorted(set(geometric.tolist()))


def rounded(value: float) -> float:
    """To the digits that a file of results keeps."""
    return float(f"{value:.{DIGITS}g}")
