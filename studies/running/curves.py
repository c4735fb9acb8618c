"""The progress of a fit over CPU seconds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from frankboost.callbacks import Round
from frankboost.estimators.base import SoftMarginBooster

MOST_POINTS = 64  # of a curve
DIGITS = 6  # of numbers in a file of results


@dataclass(frozen=True)
class TraceCurve:
    """Some rounds of a trace; a bound that is not about the hypothesis class is None."""

    round: list[int]
    cpu_seconds: list[float]
    soft_margin: list[float]
    bound: list[float | None]
    hypotheses: list[int]
    support: list[int]
    secondary: list[int]


@dataclass(frozen=True)
class ErrorCurve:
    """The test error of the best ensemble known after some of the rounds."""

    round: list[int]
    cpu_seconds: list[float]
    test_error: list[float]


@dataclass
class CpuClock:
    """A callback that records the CPU seconds, user and system, at each round, and stops a fit at the limit.

    The clock starts when the object is made.
    """

    limit: float
    start: float = field(default_factory=time.process_time)
    hit_limit: bool = False
    at_round: list[float] = field(default_factory=list)

    def seconds(self) -> float:
        """The CPU seconds since the start."""
        return time.process_time() - self.start

    def __call__(self, event: Round) -> bool:
        """Whether the time is up, so that the fit ends."""
        self.at_round.append(self.seconds())
        self.hit_limit = self.at_round[-1] >= self.limit
        return self.hit_limit


def trace_curve(clf: SoftMarginBooster, clock: CpuClock) -> TraceCurve:
    """The curve of some rounds of the trace."""
    secondary = np.cumsum([rule == "secondary" for rule in clf.trace_["rule"]]).tolist()
    kept = thin_rounds(len(clf.trace_))
    records = [clf.trace_[k] for k in kept]
    return TraceCurve(
        round=[each.round for each in records],
        cpu_seconds=[rounded(clock.at_round[k]) for k in kept],
        soft_margin=[rounded(each.soft_margin) for each in records],
        bound=[rounded(each.bound) for each in records],
        hypotheses=[each.hypotheses for each in records],
        support=[each.support for each in records],
        secondary=[secondary[k] for k in kept],
    )


def error_curve(clf: SoftMarginBooster, clock: CpuClock, X: Any, y: Any) -> ErrorCurve:
    """The curve of test errors at some of the rounds that the fit kept."""
    staged = clf.staged_rounds()
    kept = set(thin_rounds(len(staged)))
    errors = {k: float(np.mean(labels != y)) for k, labels in enumerate(clf.staged_predict(X)) if k in kept}
    return ErrorCurve(
        round=[staged[k] for k in errors],
        cpu_seconds=[rounded(clock.at_round[staged[k] - 1]) for k in errors],
        test_error=[rounded(error) for error in errors.values()],
    )


def thin_rounds(length: int) -> Sequence[int]:
    """At most MOST_POINTS of the numbers below `length`, with the first and the last, denser at the start."""
    if length <= MOST_POINTS:
        return range(length)
    geometric = np.geomspace(1.0, length, MOST_POINTS).round().astype(int) - 1
    return sorted(set(geometric.tolist()))


def rounded(value: float) -> float:
    """Round to the digits of a file of results."""
    return float(f"{value:.{DIGITS}g}")
