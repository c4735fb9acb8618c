"""How the time of SoftMarginClassifier grows with the number of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from contest import alternate, closed, failure, median, plain, say, say_runs, shown, timed
from report import Asked, Result, Row
from sets import SAFETY, SEED, THREADS, Scope

from frankboost import SoftMarginClassifier
from frankboost.datasets import breast_cancer, twonorm

NU, TOL = 0.3, 0.02
REPEATS = 3


def compare(scope: Scope) -> Result:
    """The exponent of m in the time, by least squares on logarithms; the sizes take turns."""
    small = breast_cancer()
    timed(partial(_model().fit, small.X, small.y))  # imports and pages
    fits: dict[str, Callable[[], object]] = {}
    for m in scope.sizes:
        data = twonorm(m, SEED)
        fits[str(m)] = partial(_model().fit, data.X, data.y)
    say(f"growth: {len(fits)} sizes by turns ...")
    runs = alternate(fits, REPEATS)
    say_runs("growth", runs)
    times = {m: median(runs[str(m)]) for m in scope.sizes}
    done = {m: seconds for m, seconds in times.items() if seconds is not None}
    row = Row(
        f"SoftMarginClassifier, twonorm, m = {scope.sizes[0]:,} to {scope.sizes[-1]:,}, nu = {NU:g}, "
        f"tol = {TOL:g}: growth in m",
        "linear",
        " to ".join(shown(times[m]) for m in (scope.sizes[0], scope.sizes[-1])),
        "-",
        exponent(done) if len(done) >= 2 else None,
        Asked("exponent", "<=", 1.1),
        all(closed(each) for each in runs.values()),
    )
    notes = [f"growth: {m} rows failed: {error}" for m in runs if (error := failure(runs[m])) is not None]
    notes.append("growth: " + ", ".join(f"{m:,} rows {shown(seconds)}" for m, seconds in times.items()) + ".")
    return Result([row], notes, plain(runs))


def exponent(times: dict[int, float]) -> float:
    """The slope of log(time) over log(m)."""
    slope, _ = np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)
    return float(slope)


def _model() -> SoftMarginClassifier:
    return SoftMarginClassifier(NU, TOL, n_jobs=THREADS, time_limit=SAFETY)
