"""How many gaps each algorithm closed."""

from __future__ import annotations

from statistics import median

from frankboost.report.content import Cell, Table
from frankboost.report.selection import Run, Runs, by_algorithm, closed, done, keys, label, part
from frankboost.report.tables.cells import SECONDS, decimal, integer

GAP = 5  # decimals

CAPTION = (
    "The runs of the table of times by algorithm: how many closed their gap (bound - soft margin <= tol), "
    "how many were ended before that, how many failed; the CPU seconds that they took together, those of "
    "failed runs left out; and the gaps that they ended with."
)


def closed_gaps(runs: Runs) -> Table | None:
    """A row an algorithm."""
    timed = by_algorithm(part(runs, "times"))
    if not timed:
        return None
    columns = (
        "algorithm", "runs", "closed", "open", "failed", "CPU time, all (s)", "median gap", "largest gap",
    )  # fmt: skip
    return Table("closed", "Gaps closed", CAPTION, columns, tuple(_row(*item) for item in timed.items()))


def spent(its: list[Run]) -> float:
    """CPU seconds of runs together, without the failed ones."""
    return float(sum(run["cpu_seconds"] for run in its if done(run)))


def _row(algorithm: str, its: list[Run]) -> tuple[Cell, ...]:
    ended = [run for run in its if done(run)]
    gaps = [run["certificate"]["gap"] for run in ended]
    optimal = sum(map(closed, its))
    widest = max(ended, key=lambda run: float(run["certificate"]["gap"]), default=None)
    return (
        Cell(label(algorithm), label(algorithm)),
        integer(len(its)),
        Cell(str(optimal), float(optimal), keys(filter(closed, its))),
        integer(len(ended) - optimal),
        integer(len(its) - len(ended)),
        decimal(spent(its), SECONDS, keys(its)),
        decimal(median(gaps) if gaps else None, GAP),
        decimal(max(gaps, default=None), GAP, keys([widest] if widest else [])),
    )
