"""The paper's times beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frankboost.experiments.comparison import OURS
from frankboost.report.content import Cell, ReportTable
from frankboost.report.numbers import Amount
from frankboost.report.paper_numbers import MAX_DEPTH, NUS, TOL, PaperSet
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.cells import NOTHING, RATIO, average_ratio, number, shape_cells, word
from frankboost.report.tables.times import MeanTime

CAPTION = (
    "Our mean CPU times and those printed in the paper (Xeon Gold 6124 at 2.60 GHz, Gurobi 9.0.1), in "
    "seconds. paper / ours tells how many times as long the same algorithm took there, on another machine "
    "with another LP solver; paper / our LevelBoost compares the paper's algorithm with LevelBoost here. > "
    "and < are limits, where a fit of ours or theirs was ended early; ours then counts as its limit. - is "
    "where nothing can be said: both are limits, or fits are missing. The paper's times are of the whole "
    "process, reading the data included, ours of the fit alone. Sets that differ from the paper's are left "
    "out. Averages are geometric means of the ratios."
)
COLUMNS = ("set", "m", "n", "algorithm", "ours (s)", "paper (s)", "paper / ours", "paper / our LevelBoost")


@dataclass(frozen=True)
class PaperTime:
    """One algorithm on one set: its time in the paper, its time here, and LevelBoost's."""

    algorithm: str
    printed: str
    paper: Amount
    ours: MeanTime
    level: MeanTime

    def ratio(self, time: MeanTime) -> Amount | None:
        """The paper's time over one of ours."""
        seconds = time.seconds
        return self.paper.over(seconds) if seconds and has_paper_nus(time.outcomes) else None

    def cells(self) -> tuple[Cell, ...]:
        """Our time, the paper's, and the paper's over both of ours."""
        ratios = (
            number(self.ratio(time), RATIO, time.cell().runs, time.cell().note)
            for time in (self.ours, self.level)
        )
        return (self.ours.cell(), Cell(self.printed, self.paper.value), *ratios)


def paper_times(outcomes: Outcomes) -> ReportTable | None:
    """One row for each of the paper's times on a set where ours can be compared with them."""
    timed = outcomes.where(part="times")
    rows: list[tuple[Cell, ...]] = []
    by_algorithm: dict[str, list[PaperTime]] = {}
    for name, same in timed.by_set().items():
        for each in _paper_times(same, len(timed.nus)):
            by_algorithm.setdefault(each.algorithm, []).append(each)
            rows.append((word(name), *shape_cells(same.shape), word(label(each.algorithm)), *each.cells()))
    if not rows:
        return None
    averages = tuple(filter(None, (_average(*item) for item in by_algorithm.items())))
    title = "CPU time beside the paper's"
    return ReportTable("times-paper", title, CAPTION, COLUMNS, tuple(rows), averages)


def comparable(outcomes: Outcomes) -> PaperSet | None:
    """The paper's set, if times can be compared with its: shape, tol and trees, and some algorithm's nus."""
    settings = {(outcome.trial.tol, outcome.trial.max_depth, outcome.trial.max_bins) for outcome in outcomes}
    alike = settings == {(TOL, MAX_DEPTH, None)} and any(map(has_paper_nus, outcomes.by_algorithm().values()))
    return outcomes.same_as_paper if alike else None


def has_paper_nus(outcomes: Outcomes) -> bool:
    """Whether there is one outcome for each nu of the paper."""
    return sorted(outcome.trial.nu for outcome in outcomes) == list(NUS)


def _paper_times(outcomes: Outcomes, planned: int) -> Iterator[PaperTime]:
    paper, level = comparable(outcomes), MeanTime(outcomes.where(algorithm=OURS), planned)
    for algorithm, printed in paper.times.items() if paper else ():
        ours = MeanTime(outcomes.where(algorithm=algorithm), planned)
        if paper and (time := paper.time(algorithm)) and (ours.outcomes or level.outcomes):
            yield PaperTime(algorithm, printed, time, ours, level)


def _average(algorithm: str, times: list[PaperTime]) -> tuple[Cell, ...] | None:
    """The row of averages; None if there is no ratio at all."""
    ours, level = [each.ratio(each.ours) for each in times], [each.ratio(each.level) for each in times]
    if not any([*ours, *level]):
        return None
    name = word(label(algorithm))
    return (
        Cell("average"),
        NOTHING,
        NOTHING,
        name,
        NOTHING,
        NOTHING,
        average_ratio(ours),
        average_ratio(level),
    )
