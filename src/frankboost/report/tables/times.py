"""CPU time to the gap asked for, by data set and algorithm."""

from __future__ import annotations

from collections.abc import Iterable

from frankboost.report.content import Cell, ReportTable
from frankboost.report.numbers import Amount, mean, total
from frankboost.report.results import Outcomes, cpu_time, label
from frankboost.report.tables import cells

CAPTION = (
    "Mean CPU time (user + system, in seconds) of a fit to the whole set over the values of nu, each fit "
    "once; a fit stops when bound - soft margin <= tol. m rows, n features. A cell with > says that fits "
    "struck the time limit and are counted as that: the true mean is larger, and the note says how many did. "
    "The last row adds up the sets that every algorithm has a number for at every nu. "
) + cells.ABBREVIATIONS


def mean_time(outcomes: Outcomes) -> Amount | None:
    """Mean CPU seconds, a struck limit counted as the limit; None if a trial failed, or there is none."""
    return mean([cpu_time(outcome) for outcome in outcomes])


def time_cell(outcomes: Outcomes, planned: int) -> Cell:
    """The mean over so many nu; a lower limit of it if fits struck theirs, as the paper writes >10^4."""
    keys, average = outcomes.keys, mean_time(outcomes)
    note = cells.joined([outcomes.endings, cells.some_of(len(outcomes), planned, "nu")])
    if average is None:
        return Cell("failed", None, keys, note)
    limits = {outcome.trial.time_limit if outcome.struck else None for outcome in outcomes}
    if len(limits) == 1 and None not in limits:
        return Cell(f">{average.value:g}", average.value, keys, note)
    return cells.number(average, cells.SECONDS, keys, note)


def times(outcomes: Outcomes) -> ReportTable | None:
    """One row per set, one column per algorithm: our times only."""
    timed = outcomes.where(part="times")
    algorithms, sets, planned = list(timed.by_algorithm()), timed.by_set().values(), len(timed.nus)
    return cells.pivot(
        "times", "CPU time", CAPTION, sets,
        cells.SET | {
            f"{label(name)} (s)": cells.where(lambda same: time_cell(same, planned), algorithm=name)
            for name in algorithms
        },
        summary=[_totals(sets, algorithms, planned)],
    )  # fmt: skip


def _totals(sets: Iterable[Outcomes], algorithms: list[str], planned: int) -> tuple[Cell, ...]:
    """Sums over the sets for which every algorithm has a time at every nu."""
    rows = [[same.where(algorithm=name) for name in algorithms] for same in sets]
    means = [[mean_time(same) if len(same) == planned else None for same in row] for row in rows]
    whole = [row for row in means if None not in row]
    note = cells.some_of(len(whole), len(rows), "sets") if whole else ""
    sums = [total([row[k] for row in whole]) for k in range(len(algorithms))]
    numbers = (cells.number(each, cells.SECONDS, note=note) for each in sums)
    return (Cell("total", note=note), Cell(""), Cell(""), *numbers)
