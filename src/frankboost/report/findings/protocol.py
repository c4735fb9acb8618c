"""Where a study departs from the paper's protocol."""

from __future__ import annotations

from collections.abc import Iterator

from frankboost.report import setting
from frankboost.report.paper_numbers import MAX_DEPTH, NUS, TOL
from frankboost.report.selection import Run, Runs, by_set, nus, paper_set, shape
from frankboost.report.words import listed

PAPER_NUS = listed(f"{nu:g}" for nu in NUS)


def protocol(runs: Runs) -> str:
    """What is not as in the paper; empty if all is. Limits do not count."""
    with_trees = [run for run in runs.values() if run["part"] != "worst-case"]
    apart = [*_settings(with_trees), *_sets(with_trees)]
    return f"This is not the paper's protocol: {'; '.join(apart)}." if apart else ""


def _settings(runs: list[Run]) -> Iterator[str]:
    # Curves are drawn at one nu, and test errors are taken at those that were chosen.
    swept = [run for run in runs if run["part"] in {"times", "cv"}]
    if swept and nus(swept) != list(NUS):
        yield f"nu = {setting.values(swept, 'nu')} instead of {PAPER_NUS}"
    for name, usual in (("tol", TOL), ("max_depth", MAX_DEPTH)):
        if any(run[name] != usual for run in runs):
            yield f"{name} = {setting.values(runs, name)} instead of {usual:g}"
    if any(run["max_bins"] is not None for run in runs):
        yield f"{setting.thresholds(runs)} instead of all"


def _sets(runs: list[Run]) -> Iterator[str]:
    """Sets of other sizes, and others altogether; the shape of a fold is not that of its set."""
    for name, its in by_set(run for run in runs if run["fold"] is None).items():
        ours, theirs = shape(its), paper_set(its)
        if theirs is None:
            yield f"{name} is not among its sets"
        elif ours is not None and ours != (theirs.m, theirs.n_features):
            yield (
                f"{its[0]['dataset']} has {ours[0]} rows and {ours[1]} features instead of {theirs.m} and "
                f"{theirs.n_features}"
            )
