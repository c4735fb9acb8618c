"""Runs without a result."""

from __future__ import annotations

from frankboost.report.content import Cell, Table
from frankboost.report.selection import Run, Runs, by_algorithm, by_set, done, label, set_name

CAPTION = (
    "Runs that ended without a result, and why: time (stopped from outside, after its limit of CPU seconds), "
    "hung (stopped from outside, after many times as long by the wall clock), memory (over its limit), error "
    "(an exception), crash (the process died)."
)


def failures(runs: Runs) -> Table | None:
    """A row a failed run; no table if there is none."""
    failed = [run for run in runs.values() if not done(run)]
    if not failed:
        return None
    columns = ("run", "part", "set", "algorithm", "nu", "kind", "message")
    ordered = (run for its in by_set(failed).values() for same in by_algorithm(its).values() for run in same)
    return Table("failures", "Runs that failed", CAPTION, columns, tuple(map(_row, ordered)))


def _row(run: Run) -> tuple[Cell, ...]:
    key, failure = run["key"], run["failure"]
    words = [run["part"], set_name(run), label(run["algorithm"])]
    return (
        Cell(key, key, (key,)),
        *(Cell(word, word) for word in words),
        Cell(f"{run['nu']:g}", run["nu"]),
        Cell(failure["kind"], failure["kind"]),
        Cell(failure["message"], failure["message"]),
    )
