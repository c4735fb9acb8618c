"""Trials without a result."""

from __future__ import annotations

from collections.abc import Iterator

from frankboost.report.content import Cell, ReportTable
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.cells import word

CAPTION = (
    "Runs that ended without a result, and why: time (stopped from outside, after its limit of CPU seconds), "
    "hung (stopped from outside, after many times as long by the wall clock), memory (over its limit), error "
    "(an exception), crash (the process died)."
)
COLUMNS = ("run", "part", "set", "algorithm", "nu", "kind", "message")


def failures(outcomes: Outcomes) -> ReportTable | None:
    """One row per failed trial; no table if there is none."""
    rows = tuple(_rows(outcomes))
    return ReportTable("failures", "Runs that failed", CAPTION, COLUMNS, rows) if rows else None


def _rows(outcomes: Outcomes) -> Iterator[tuple[Cell, ...]]:
    for name, of_set in outcomes.by_set().items():
        for algorithm, same in of_set.by_algorithm().items():
            for outcome in same:
                if failure := outcome.failure:
                    yield (
                        Cell(outcome.key, outcome.key, (outcome.key,)),
                        *map(word, (outcome.trial.part, name, label(algorithm))),
                        Cell(f"{outcome.trial.nu:g}", outcome.trial.nu),
                        word(failure.kind),
                        word(failure.message),
                    )
