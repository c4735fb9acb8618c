"""The paper's times beside ours."""

from __future__ import annotations

from dataclasses import dataclass

from frankboost.report.amount import Amount
from frankboost.report.content import Cell, Table
from frankboost.report.paper_numbers import MAX_DEPTH, NUS, TOL, PaperSet
from frankboost.report.selection import (
    OURS,
    Run,
    Runs,
    by_algorithm,
    by_set,
    label,
    nus,
    paper_set,
    part,
    same_set,
    shape,
)
from frankboost.report.tables.cells import RATIO, amount, average_ratio, nothing, shape_cells
from frankboost.report.tables.mean_time import MeanTime, mean_time

CAPTION = (
    "Our mean CPU times and those printed in the paper (Xeon Gold 6124 at 2.60 GHz, Gurobi 9.0.1), in "
    "seconds. paper / ours tells how many times as long the same algorithm took there, on another machine "
    "with another LP solver; paper / our LevelBoost compares the paper's algorithm with LevelBoost here. > "
    "and < are limits, where a fit of ours or theirs was ended early; ours then counts as its limit. - is "
    "where nothing can be said: both are limits, or fits are missing. The paper's times are of the whole "
    "process, reading the data included, ours of the fit alone. Sets that differ from the paper's are left "
    "out. Averages are geometric means of the ratios."
)


@dataclass(frozen=True)
class Compared:
    """One algorithm on one set, here and in the paper."""

    algorithm: str
    ours: MeanTime
    level: MeanTime
    theirs: Amount
    printed: str

    def ratio(self, time: MeanTime) -> Amount | None:
        """The paper's time over one of ours."""
        own = time.seconds
        return None if own is None or not paper_nus(time.runs) else self.theirs.over(own)

    def cells(self) -> tuple[Cell, ...]:
        """ours, paper, paper / ours, paper / our LevelBoost."""
        return (
            self.ours.cell(),
            Cell(self.printed, self.theirs.value),
            self._ratio_cell(self.ours),
            self._ratio_cell(self.level),
        )

    def _ratio_cell(self, time: MeanTime) -> Cell:
        return amount(self.ratio(time), RATIO, time.cell().runs, time.cell().note)


def paper_times(runs: Runs) -> Table | None:
    """A row for each of the paper's times on a set where ours can be compared with them."""
    timed = part(runs, "times")
    planned = len(nus(timed))
    rows: list[tuple[Cell, ...]] = []
    compared: dict[str, list[Compared]] = {}
    for name, its in by_set(timed).items():
        theirs = paper_set(its)
        for each in _compared(its, theirs, planned) if theirs and comparable(its, theirs) else []:
            compared.setdefault(each.algorithm, []).append(each)
            head = (Cell(name, name), *shape_cells(shape(its)), _name(each.algorithm))
            rows.append((*head, *each.cells()))
    if not rows:
        return None
    return Table(
        "times-paper",
        "CPU time beside the paper's",
        CAPTION,
        ("set", "m", "n", "algorithm", "ours (s)", "paper (s)", "paper / ours", "paper / our LevelBoost"),
        tuple(rows),
        tuple(_average(name, every) for name, every in compared.items() if any(map(_said, every))),
    )


def comparable(its: list[Run], theirs: PaperSet) -> bool:
    """Whether times on a set can be compared with the paper's: same set, tol, trees, and some one's nus."""
    settings = {"tol": TOL, "max_depth": MAX_DEPTH, "max_bins": None}
    return (
        same_set(its, theirs)
        and all(run[name] == value for run in its for name, value in settings.items())
        and any(map(paper_nus, by_algorithm(its).values()))
    )


def _compared(its: list[Run], theirs: PaperSet, planned: int) -> list[Compared]:
    ours = {algorithm: mean_time(its, algorithm, planned) for algorithm in [OURS, *theirs.times]}
    return [
        Compared(algorithm, ours[algorithm], ours[OURS], time, printed)
        for algorithm, printed in theirs.times.items()
        if (time := theirs.time(algorithm)) and (ours[algorithm].runs or ours[OURS].runs)
    ]


def paper_nus(runs: list[Run]) -> bool:
    """Whether runs have the paper's values of nu, each once."""
    return sorted(run["nu"] for run in runs) == list(NUS)


def _said(each: Compared) -> bool:
    return each.ratio(each.ours) is not None or each.ratio(each.level) is not None


def _average(algorithm: str, every: list[Compared]) -> tuple[Cell, ...]:
    return (
        Cell("average", None),
        nothing(),
        nothing(),
        _name(algorithm),
        nothing(),
        nothing(),
        average_ratio([each.ratio(each.ours) for each in every]),
        average_ratio([each.ratio(each.level) for each in every]),
    )


def _name(algorithm: str) -> Cell:
    return Cell(label(algorithm), label(algorithm))
