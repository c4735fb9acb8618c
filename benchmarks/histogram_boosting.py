"""SoftMarginClassifier against scikit-learn's HistGradientBoostingClassifier: the time of a fit."""

from __future__ import annotations

from functools import partial
from statistics import geometric_mean

from contest import LONG, Runs, alternate, closed, failure, median, plain, say_runs, shown
from report import Asked, Result, Row
from sets import SAFETY, THREADS, Scope
from sklearn.ensemble import HistGradientBoostingClassifier

from frankboost import SoftMarginClassifier
from frankboost.datasets import Dataset, breast_cancer

NU = 0.3
REPEATS = 5


def compare(scope: Scope) -> Result:
    """The geometric mean of the ratios of median times over the sets."""
    long = LONG if scope.quick else 5 * LONG
    _contest(breast_cancer(), long)  # imports and pages
    runs: dict[str, Runs] = {}
    for data in scope.sets():
        runs[data.name] = _contest(data, long)
        say_runs(f"HistGradientBoostingClassifier, {data.name}", runs[data.name])
    times = [(median(each["ours"]), median(each["theirs"])) for each in runs.values()]
    both = [(a, b) for a, b in times if a is not None and b is not None]
    ours = geometric_mean(a for a, _ in both) if both else None
    theirs = geometric_mean(b for _, b in both) if both else None
    row = Row(
        f"SoftMarginClassifier, {len(runs)} sets, nu = {NU:g}: geometric mean of fit times",
        "HistGradientBoostingClassifier()",
        shown(ours),
        shown(theirs),
        None if ours is None or theirs is None else ours / theirs,
        Asked("ours/theirs", "<=", 0.5),
        all(closed(each["ours"]) for each in runs.values()),
    )
    return Result([row], _notes(runs), {name: plain(each) for name, each in runs.items()})


def _contest(data: Dataset, long: float) -> Runs:
    ours = SoftMarginClassifier(NU, 0.01, n_jobs=THREADS, time_limit=SAFETY)
    theirs = HistGradientBoostingClassifier()
    fits = {"ours": partial(ours.fit, data.X, data.y), "theirs": partial(theirs.fit, data.X, data.y)}
    return alternate(fits, REPEATS, long)


def _notes(runs: dict[str, Runs]) -> list[str]:
    name = "HistGradientBoostingClassifier"
    notes = []
    for data, each in runs.items():
        ours, theirs = median(each["ours"]), median(each["theirs"])
        if ours is not None and theirs is not None:
            continue
        error = failure(each["ours"]) or failure(each["theirs"])
        notes.append(f"{name}: {data} is left out, since one of the two failed: {error}")
    ratios = {
        data: a / b
        for data, each in runs.items()
        if (a := median(each["ours"])) is not None and (b := median(each["theirs"])) is not None
    }
    if ratios:
        listed = ", ".join(f"{data} {ratio:.2f}" for data, ratio in ratios.items())
        notes.append(f"{name}, ours/theirs set by set: {listed}.")
    return notes
