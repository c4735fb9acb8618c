"""SoftMarginClassifier against LPBoost and MLPBoost: time to the same certificate."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from contest import Runs, alternate, closed, failure, median, say_runs, shown
from report import Asked, Result, Row
from sets import SAFETY, THREADS, Scope

from frankboost import LPBoostClassifier, MLPBoostClassifier, SoftMarginClassifier
from frankboost.datasets import Dataset, breast_cancer

REPEATS = 3
NOTICEABLE = 0.2  # seconds; below, being slower does not count


@dataclass(frozen=True)
class Case:
    """A data set, a fraction nu, and the times of both."""

    set: str
    nu: float
    limit: float
    runs: Runs

    @property
    def ours(self) -> float | None:
        """Median time."""
        return median(self.runs["ours"])

    @property
    def theirs(self) -> float | None:
        """Median time, the limit where it was hit."""
        return median(self.runs["theirs"], at_most=self.limit)

    @property
    def slower(self) -> bool:
        """Whether ours is, where it matters."""
        return self.ours is not None and self.theirs is not None and self.ours > self.theirs > NOTICEABLE

    def __str__(self) -> str:
        return f"{self.set} at nu = {self.nu:g}"


def against_lpboost(scope: Scope) -> Result:
    """LPBoostClassifier: the total time, and case by case."""
    return _compare(scope, LPBoostClassifier, case_by_case=True)


def against_mlpboost(scope: Scope) -> Result:
    """MLPBoostClassifier, short step and LP: the total time."""
    return _compare(scope, MLPBoostClassifier, case_by_case=False)


def _compare(scope: Scope, rival: type[Any], *, case_by_case: bool) -> Result:
    sets = scope.sets()
    _contest(breast_cancer(), 0.5, 1.0, rival)  # imports and pages
    cases: list[Case] = []
    for data in sets:
        for nu in scope.nus:
            cases.append(Case(data.name, nu, scope.limit, _contest(data, nu, scope.limit, rival)))
            say_runs(
                f"{rival.__name__} {len(cases)}/{len(sets) * len(scope.nus)}, {cases[-1]}", cases[-1].runs
            )
    # With their defaults: what the trees per round alone are worth is measured by fair.py.
    nus = ", ".join(f"{nu:g}" for nu in scope.nus)
    what = f"SoftMarginClassifier (up to 20 trees per round), {len(sets)} sets, nu in {{{nus}}}"
    against = f"{rival.__name__} (one tree per round), at most {scope.limit:g} s per case"
    rows = [_total(what, against, cases)]
    if case_by_case:
        rows += [_slower(what, against, cases), _closed(what, cases)]
    return Result(rows, _notes(rival.__name__, cases), [asdict(case) for case in cases])


def _contest(data: Dataset, nu: float, limit: float, rival: type[Any]) -> Runs:
    ours = SoftMarginClassifier(nu, n_jobs=THREADS, time_limit=SAFETY)
    theirs = rival(nu, n_jobs=THREADS, time_limit=limit)
    fits = {"ours": partial(ours.fit, data.X, data.y), "theirs": partial(theirs.fit, data.X, data.y)}
    return alternate(fits, REPEATS)


def _total(what: str, against: str, cases: list[Case]) -> Row:
    """The total time of the cases that neither failed."""
    times = [(case.ours, case.theirs) for case in cases]
    both = [(a, b) for a, b in times if a is not None and b is not None]
    ours, theirs = (sum(column) for column in zip(*both, strict=True)) if both else (None, None)
    sound = all(closed(case.runs["ours"]) for case in cases)
    ratio = None if ours is None or theirs is None else theirs / ours
    return Row(
        f"{what}: total", against, shown(ours), shown(theirs), ratio, Asked("theirs/ours", ">=", 20), sound
    )


def _slower(what: str, against: str, cases: list[Case]) -> Row:
    relevant = [case for case in cases if case.theirs is None or case.theirs > NOTICEABLE]
    slower = sum(case.slower for case in cases)
    return Row(
        f"{what}: cases over {NOTICEABLE:g} s of theirs on which ours is slower",
        against,
        f"{slower} slower",
        f"{len(relevant)} over {NOTICEABLE:g} s",
        slower,
        Asked("cases", "<=", 0),
        all(case.ours is not None for case in cases),
    )


def _closed(what: str, cases: list[Case]) -> Row:
    ours = sum(closed(case.runs["ours"]) for case in cases)
    theirs = sum(closed(case.runs["theirs"]) for case in cases)
    asked = Asked("cases", ">=", len(cases))
    return Row(f"{what}: cases that end optimal", "all of them", f"{ours}", f"{theirs}", ours, asked)


def _notes(rival: str, cases: list[Case]) -> list[str]:
    notes = []
    for case in cases:
        if case.slower:
            stopped = "" if closed(case.runs["theirs"]) else ", at which it was stopped"
            times = f"{shown(case.ours)} to {shown(case.theirs)}{stopped}"
            notes.append(f"{rival}: ours is slower on {case}, {times}.")
        if failure(case.runs["ours"]) is None and not closed(case.runs["ours"]):
            notes.append(f"{rival}: ours did not close its gap on {case}.")
        for name, runs in case.runs.items():
            if (error := failure(runs)) is not None:
                notes.append(f"{rival}: {name} failed on {case}, which the total leaves out: {error}")
    return notes
