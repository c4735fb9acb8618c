"""CPU time to the gap asked for, by data set and algorithm."""

from __future__ import annotations

from frankboost.report.amount import total
from frankboost.report.content import Cell, Table
from frankboost.report.selection import Runs, by_algorithm, by_set, label, nus, part, shape
from frankboost.report.tables.cells import ABBREVIATIONS, SECONDS, amount, nothing, shape_cells
from frankboost.report.tables.mean_time import MeanTime, mean_time

CAPTION = (
    "Mean CPU time (user + system, in seconds) of a fit to the whole set over the values of nu, each fit "
    "once; a fit stops when bound - soft margin <= tol. m rows, n features. A cell with > says that fits "
    "struck the time limit and are counted as that: the true mean is larger, and the note says how many did. "
    "The last row adds up the sets that every algorithm has a number for at every nu. "
) + ABBREVIATIONS


def times(runs: Runs) -> Table | None:
    """Our times only."""
    timed = part(runs, "times")
    if not timed:
        return None
    algorithms = list(by_algorithm(timed))
    planned = len(nus(timed))
    sets = {
        name: [mean_time(its, each, planned) for each in algorithms] for name, its in by_set(timed).items()
    }
    shapes = {name: shape_cells(shape(its)) for name, its in by_set(timed).items()}
    rows = [
        (Cell(name, name), *shapes[name], *(each.cell() for each in means)) for name, means in sets.items()
    ]
    return Table(
        "times",
        "CPU time",
        CAPTION,
        ("set", "m", "n", *(f"{label(each)} (s)" for each in algorithms)),
        tuple(rows),
        (_totals(list(sets.values())),),
    )


def _totals(rows: list[list[MeanTime]]) -> tuple[Cell, ...]:
    known = [row for row in rows if all(each.whole for each in row)]
    note = f"over {len(known)} of {len(rows)} sets" if len(known) < len(rows) else ""
    if not known:
        return (Cell("total", None), Cell(""), Cell(""), *(nothing() for _ in rows[0]))
    sums = [
        amount(total([each.seconds for each in column if each.seconds is not None]), SECONDS, note=note)
        for column in zip(*known, strict=True)
    ]
    return (Cell("total", None, note=note), Cell(""), Cell(""), *sums)
