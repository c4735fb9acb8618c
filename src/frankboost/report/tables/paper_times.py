"""The paper's times beside ours."""

from __future__ import annotations

from dataclasses import dataclass

from frankboost.experiments.comparison import OURS
from frankboost.report.content import Cell, ReportTable
from frankboost.report.numbers import Amount
from frankboost.report.paper_numbers import MAX_DEPTH, NUS, TOL, PaperSet
from frankboost.report.results import Outcomes, label
from frankboost.report.tables import cells
from frankboost.report.tables.times import mean_time, time_cell

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
class PaperTime:
    """The paper's time of one algorithm on one set, and our outcomes on that set."""

    algorithm: str
    printed: str
    seconds: Amount
    outcomes: Outcomes
    planned: int  # values of nu

    def ours(self, algorithm: str) -> Cell:
        """Our time of an algorithm."""
        return cells.where(lambda same: time_cell(same, self.planned), algorithm=algorithm)(self.outcomes)

    def ratio(self, algorithm: str) -> Amount | None:
        """The paper's time over ours of an algorithm."""
        ours = self.outcomes.where(algorithm=algorithm)
        seconds = mean_time(ours)
        return self.seconds.over(seconds) if seconds and has_paper_nus(ours) else None

    def ratio_cell(self, algorithm: str) -> Cell:
        """The ratio, with the runs and the note of our time."""
        ours = self.ours(algorithm)
        return cells.number(self.ratio(algorithm), cells.RATIO, ours.runs, ours.note)


def paper_times(outcomes: Outcomes) -> ReportTable | None:
    """One row for each of the paper's times on a set where ours can be compared with them."""
    timed = outcomes.where(part="times")
    known = [
        PaperTime(name, printed, seconds, same, len(timed.nus))
        for same in timed.by_set().values()
        if (paper := comparable(same))
        for name, printed in paper.times.items()
        if (seconds := paper.time(name)) and {OURS, name} & same.by_algorithm().keys()
    ]
    title = "CPU time beside the paper's"
    return cells.pivot("times-paper", title, CAPTION, known, {
        "set": lambda each: cells.SET["set"](each.outcomes),
        "m": lambda each: cells.SET["m"](each.outcomes),
        "n": lambda each: cells.SET["n"](each.outcomes),
        "algorithm": lambda each: cells.word(label(each.algorithm)),
        "ours (s)": lambda each: each.ours(each.algorithm),
        "paper (s)": lambda each: Cell(each.printed, each.seconds.value),
        "paper / ours": lambda each: each.ratio_cell(each.algorithm),
        "paper / our LevelBoost": lambda each: each.ratio_cell(OURS),
    }, summary=_averages(known))  # fmt: skip


def comparable(outcomes: Outcomes) -> PaperSet | None:
    """The paper's set, if times can be compared with its: shape, tol and trees, and some algorithm's nus."""
    settings = {(outcome.trial.tol, outcome.trial.max_depth, outcome.trial.max_bins) for outcome in outcomes}
    alike = settings == {(TOL, MAX_DEPTH, None)} and any(map(has_paper_nus, outcomes.by_algorithm().values()))
    return outcomes.same_as_paper if alike else None


def has_paper_nus(outcomes: Outcomes) -> bool:
    """Whether there is one outcome for each nu of the paper."""
    return sorted(outcome.trial.nu for outcome in outcomes) == list(NUS)


def _averages(known: list[PaperTime]) -> list[tuple[Cell, ...]]:
    """One row for each algorithm that has a ratio at all."""
    rows = []
    for name in dict.fromkeys(each.algorithm for each in known):
        ratios = [(each.ratio(name), each.ratio(OURS)) for each in known if each.algorithm == name]
        if any(map(any, ratios)):
            averages = (cells.average_ratio(column) for column in zip(*ratios, strict=True))
            nothing = [cells.NOTHING] * 2
            rows.append((Cell("average"), *nothing, cells.word(label(name)), *nothing, *averages))
    return rows
