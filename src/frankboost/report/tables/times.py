"""CPU time to the gap asked for, by data set and algorithm."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class MeanTime:
    """Outcomes of one algorithm on one set that differ in nu, out of so many that were planned.

    One that ended early makes their mean a lower limit.
    """

    outcomes: Outcomes
    planned: int

    @property
    def seconds(self) -> Amount | None:
        """The mean, a struck limit counted as the limit; None if a trial failed, or there is none."""
        known = [each for each in map(cpu_time, self.outcomes) if each is not None]
        return mean(known) if len(known) == len(self.outcomes) else None

    @property
    def whole(self) -> bool:
        """Whether there is a time at every nu planned."""
        return len(self.outcomes) == self.planned and self.seconds is not None

    def cell(self) -> Cell:
        """The mean; a lower limit of it if fits struck theirs, as the paper writes >10^4."""
        if not self.outcomes:
            return cells.NOTHING
        keys, average = self.outcomes.keys, self.seconds
        note = cells.joined([self.outcomes.endings, cells.some_of(len(self.outcomes), self.planned, "nu")])
        if average is None:
            return Cell("failed", None, keys, note)
        limits = {outcome.trial.time_limit if outcome.struck else None for outcome in self.outcomes}
        if len(limits) == 1 and None not in limits:
            return Cell(f">{average.value:g}", average.value, keys, note)
        return cells.number(average, cells.SECONDS, keys, note)


def times(outcomes: Outcomes) -> ReportTable | None:
    """One row per set, one column per algorithm: our times only."""
    timed = outcomes.where(part="times")
    if not timed:
        return None
    algorithms, sets, planned = list(timed.by_algorithm()), timed.by_set(), len(timed.nus)
    means = [[MeanTime(same.where(algorithm=each), planned) for each in algorithms] for same in sets.values()]
    rows = [
        (cells.word(name), *cells.shape_cells(same.shape), *(each.cell() for each in row))
        for (name, same), row in zip(sets.items(), means, strict=True)
    ]
    columns = ("set", "m", "n", *(f"{label(each)} (s)" for each in algorithms))
    return ReportTable("times", "CPU time", CAPTION, columns, tuple(rows), (_totals(means),))


def _totals(rows: list[list[MeanTime]]) -> tuple[Cell, ...]:
    known = [row for row in rows if all(each.whole for each in row)]
    if not known:
        return (Cell("total"), Cell(""), Cell(""), *(cells.NOTHING for _ in rows[0]))
    note = cells.some_of(len(known), len(rows), "sets")
    sums = [
        cells.number(
            total([each.seconds for each in column if each.seconds is not None]), cells.SECONDS, note=note
        )
        for column in zip(*known, strict=True)
    ]
    return (Cell("total", note=note), Cell(""), Cell(""), *sums)
