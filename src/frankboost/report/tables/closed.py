"""How many gaps each algorithm closed."""

from __future__ import annotations

from statistics import median

from frankboost.report.content import Cell, ReportTable
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.cells import SECONDS, integer, number, word

GAP = 5  # decimals

CAPTION = (
    "The runs of the table of times by algorithm: how many closed their gap (bound - soft margin <= tol), "
    "how many were ended before that, how many failed; the CPU seconds that they took together, those of "
    "failed runs left out; and the gaps that they ended with."
)
COLUMNS = (
    "algorithm", "runs", "closed", "open", "failed", "CPU time, all (s)", "median gap", "largest gap",
)  # fmt: skip


def closed_gaps(outcomes: Outcomes) -> ReportTable | None:
    """One row per algorithm."""
    timed = outcomes.where(part="times").by_algorithm()
    rows = tuple(_row(algorithm, same) for algorithm, same in timed.items())
    return ReportTable("closed", "Gaps closed", CAPTION, COLUMNS, rows) if rows else None


def spent(outcomes: Outcomes) -> float:
    """CPU seconds together, without the trials that failed."""
    return float(sum(outcome.fit.cpu_seconds for outcome in outcomes.done))


def _row(algorithm: str, outcomes: Outcomes) -> tuple[Cell, ...]:
    ended, closed = outcomes.done, outcomes.filter(lambda outcome: outcome.closed)
    gaps = {outcome.key: outcome.fit.certificate.gap for outcome in ended}
    widest = max(gaps, key=gaps.__getitem__, default=None)
    return (
        word(label(algorithm)),
        integer(len(outcomes)),
        integer(len(closed), closed.keys),
        integer(len(ended) - len(closed)),
        integer(len(outcomes) - len(ended)),
        number(spent(outcomes), SECONDS, outcomes.keys),
        number(median(gaps.values()) if gaps else None, GAP),
        number(max(gaps.values(), default=None), GAP, (widest,) if widest else ()),
    )
