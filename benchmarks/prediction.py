"""SoftMarginClassifier.predict against HistGradientBoostingClassifier.predict: the time per tree and row."""

from __future__ import annotations

from functools import partial

from contest import alternate, failure, median, plain, say_runs
from report import Asked, Result, Row
from sets import SEED, THREADS, Scope
from sklearn.ensemble import HistGradientBoostingClassifier

from frankboost import SoftMarginClassifier
from frankboost.datasets import twonorm

NU = 0.3
ROWS = 100_000
REPEATS = 9


def compare(scope: Scope) -> Result:
    """Both fitted to twonorm, both asked about as many new rows."""
    data, unseen = scope.twonorm(), twonorm(ROWS, SEED + 1)
    ours = SoftMarginClassifier(NU, 0.01, n_jobs=THREADS).fit(data.X, data.y)
    theirs = HistGradientBoostingClassifier().fit(data.X, data.y)
    calls = {"ours": partial(ours.predict, unseen.X), "theirs": partial(theirs.predict, unseen.X)}
    runs = {name: each[1:] for name, each in alternate(calls, REPEATS + 1).items()}  # without a warm-up
    say_runs("prediction", runs)
    sizes = {"ours": len(ours.estimators_), "theirs": theirs.n_iter_}
    each = {name: _nanoseconds(median(runs[name]), sizes[name]) for name in runs}
    mine, other = each["ours"], each["theirs"]
    row = Row(
        f"predict, {ROWS:,} rows, per tree and row",
        "HistGradientBoostingClassifier.predict",
        _shown(mine),
        _shown(other),
        None if mine is None or other is None else other / mine,
        Asked("theirs/ours", ">=", 1.0),
    )
    notes = [f"prediction: {name} failed: {error}" for name in runs if (error := failure(runs[name]))]
    notes.append(
        f"prediction: ours {sizes['ours']} trees of depth 2, theirs {sizes['theirs']} of up to 31 leaves."
    )
    return Result([row], notes, plain(runs))


def _nanoseconds(seconds: float | None, trees: int) -> float | None:
    return None if seconds is None else 1e9 * seconds / (trees * ROWS)


def _shown(nanoseconds: float | None) -> str:
    return "failed" if nanoseconds is None else f"{nanoseconds:.3g} ns"
