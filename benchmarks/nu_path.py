"""A path over ten values of nu, as a fold of SoftMarginClassifierCV runs it, against its hardest fit."""

from __future__ import annotations

from functools import partial

from contest import Runs, alternate, failure, median, plain, say_runs, shown
from report import Asked, Result, Row
from sets import SAFETY, Scope

from frankboost import SoftMarginClassifier
from frankboost.datasets import Dataset, breast_cancer
from frankboost.estimators.nu_path import NUS

TOL = 0.01
REPEATS = 3


def compare(scope: Scope) -> Result:
    """The largest ratio over the sets, one thread each."""
    _contest(breast_cancer())  # imports and pages
    runs: dict[str, Runs] = {}
    for data in scope.sets():
        runs[data.name] = _contest(data)
        say_runs(f"nu path, {data.name}", runs[data.name])
    ratios = {
        name: path / single
        for name, each in runs.items()
        if (path := median(each["path"])) is not None and (single := median(each["single"])) is not None
    }
    worst = max(ratios, key=lambda name: ratios[name]) if ratios else None
    row = Row(
        f"a path over {len(NUS)} values of nu, {len(runs)} sets: the largest ratio, on {worst}",
        f"SoftMarginClassifier at the hardest, nu = {min(NUS):g}",
        "-" if worst is None else shown(median(runs[worst]["path"])),
        "-" if worst is None else shown(median(runs[worst]["single"])),
        None if worst is None else ratios[worst],
        Asked("ours/theirs", "<=", 3.0),
        len(ratios) == len(runs),
    )
    notes = [
        f"nu path: {name} of {data} failed: {error}"
        for data, each in runs.items()
        for name, some in each.items()
        if (error := failure(some)) is not None
    ]
    notes.append("nu path, set by set: " + ", ".join(f"{n} {r:.2f}" for n, r in ratios.items()) + ".")
    return Result([row], notes, {name: plain(each) for name, each in runs.items()})


def _contest(data: Dataset) -> Runs:
    single = SoftMarginClassifier(min(NUS), TOL, time_limit=SAFETY)
    return alternate({"path": partial(_path, data), "single": partial(single.fit, data.X, data.y)}, REPEATS)


def _path(data: Dataset) -> None:
    clf = SoftMarginClassifier(tol=2.0 * TOL, warm_start=True, time_limit=SAFETY)
    for nu in NUS:
        clf.set_params(nu=nu).fit(data.X, data.y)
