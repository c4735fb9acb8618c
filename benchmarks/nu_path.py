"""A path over ten values of nu, as a fold of SoftMarginClassifierCV runs it, against its hardest fit.

The hardest is the slowest of single fits from scratch, one at each nu of the path, which is not always the
smallest. They stop at `TOL`, the path at twice that, as the folds do. Scoring is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from contest import Runs, alternate, closed, failure, median, plain, say, shown
from report import Asked, Result, Row
from sets import SAFETY, Scope

from frankboost import SoftMarginClassifier
from frankboost.datasets import Dataset, breast_cancer
from frankboost.estimators.fold_scores import fit_path

TOL = 0.01
NUS = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)
REPEATS = 5
PATH = "path"


@dataclass(frozen=True)
class Ratio:
    """Median seconds of the path and of the hardest single fit, on one set."""

    path: float
    single: float
    nu: str

    @property
    def value(self) -> float:
        """How many of its hardest fits the path costs."""
        return self.path / self.single

    def __str__(self) -> str:
        return f"{self.value:.2f} ({shown(self.path)} / {shown(self.single)} at {self.nu})"


def compare(scope: Scope) -> Result:
    """The largest ratio over the sets, one thread each."""
    _contest(breast_cancer())  # imports and pages
    runs: dict[str, Runs] = {}
    ratios: dict[str, Ratio] = {}
    for data in scope.sets():
        runs[data.name] = _contest(data)
        ratio = _ratio(runs[data.name])
        if ratio is not None:
            ratios[data.name] = ratio
        say(f"nu path, {data.name}: {ratio or 'failed'}")
    worst = max(ratios, key=lambda name: ratios[name].value) if ratios else None
    row = Row(
        f"a path over {len(NUS)} values of nu, {len(runs)} sets: the largest ratio, on {worst}",
        "the slowest single fit of SoftMarginClassifier over the same values"
        + ("" if worst is None else f", {ratios[worst].nu}"),
        "-" if worst is None else shown(ratios[worst].path),
        "-" if worst is None else shown(ratios[worst].single),
        None if worst is None else ratios[worst].value,
        Asked("ours/theirs", "<=", 3.0),
        len(ratios) == len(runs),
    )
    notes = [
        f"nu path: {name} of {data} failed: {failure(some) or some[-1].status}"
        for data, each in runs.items()
        for name, some in each.items()
        if not closed(some)
    ]
    notes.append("nu path, set by set: " + ", ".join(f"{n} {r}" for n, r in ratios.items()) + ".")
    return Result([row], notes, {name: plain(each) for name, each in runs.items()})


def _ratio(runs: Runs) -> Ratio | None:
    medians = {name: median(each) for name, each in runs.items() if closed(each)}
    times = {name: seconds for name, seconds in medians.items() if seconds is not None}
    if len(times) < len(runs):
        return None
    path = times.pop(PATH)
    hardest = max(times, key=lambda name: times[name])
    return Ratio(path, times[hardest], hardest)


def _contest(data: Dataset) -> Runs:
    singles = {f"nu = {nu:g}": SoftMarginClassifier(nu, TOL, time_limit=SAFETY) for nu in NUS}
    fits = {name: partial(single.fit, data.X, data.y) for name, single in singles.items()}
    return alternate({PATH: partial(_path, data), **fits}, REPEATS)


def _path(data: Dataset) -> SoftMarginClassifier:
    clf = SoftMarginClassifier(tol=2.0 * TOL, time_limit=SAFETY)
    for fitted in fit_path(clf, NUS, data.X, data.y):
        if fitted.certificate_.status != "optimal":
            break
    return clf
