"""CPU time to the gap asked for, by data set and algorithm, over LevelBoost's, and beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from studies.algorithms import OURS
from studies.report.content import Cell, ReportTable
from studies.report.numbers import Amount, mean, total
from studies.report.paper_numbers import MAX_DEPTH, NUS, TOL, PaperSet
from studies.report.results import Outcomes, cpu_time, label
from studies.report.tables import cells
from studies.running.outcome import Outcome


def mean_time(outcomes: Outcomes) -> Amount | None:
    """Mean CPU seconds, a struck limit counted as the limit; None if a trial failed, or there is none."""
    return mean([cpu_time(outcome) for outcome in outcomes])


def time_cell(planned: int, outcomes: Outcomes) -> Cell:
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
    columns = {
        f"{label(name)} (s)": cells.where(partial(time_cell, planned), algorithm=name) for name in algorithms
    }
    return cells.pivot("times", sets, cells.SET | columns, [_totals(sets, algorithms, planned)])


def _totals(sets: Iterable[Outcomes], algorithms: list[str], planned: int) -> tuple[Cell, ...]:
    """Sums over the sets for which every algorithm has a time at every nu."""
    rows = [[same.where(algorithm=name) for name in algorithms] for same in sets]
    means = [[mean_time(same) if len(same) == planned else None for same in row] for row in rows]
    whole = [row for row in means if None not in row]
    note = cells.some_of(len(whole), len(rows), "sets") if whole else ""
    sums = [total([row[k] for row in whole]) for k in range(len(algorithms))]
    numbers = (cells.number(each, cells.SECONDS, note=note) for each in sums)
    return (Cell("total", note=note), Cell(""), Cell(""), *numbers)


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
        return cells.where(partial(time_cell, self.planned), algorithm=algorithm)(self.outcomes)

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
    return cells.pivot("times-paper", known, {
        "set": lambda each: cells.SET["set"](each.outcomes),
        "m": lambda each: cells.SET["m"](each.outcomes),
        "n": lambda each: cells.SET["n"](each.outcomes),
        "algorithm": lambda each: cells.word(label(each.algorithm)),
        "ours (s)": lambda each: each.ours(each.algorithm),
        "paper (s)": lambda each: Cell(each.printed, each.seconds.value),
        "paper / ours": lambda each: each.ratio_cell(each.algorithm),
        "paper / our LevelBoost": lambda each: each.ratio_cell(OURS),
    }, _averages(known))  # fmt: skip


def comparable(outcomes: Outcomes) -> PaperSet | None:
    """The paper's set, if times can be compared with its: shape, tol and trees, and some algorithm's nus."""
    settings = {(outcome.trial.tol, outcome.trial.max_depth, outcome.trial.max_bins) for outcome in outcomes}
    alike = settings == {(TOL, MAX_DEPTH, None)} and any(map(has_paper_nus, outcomes.by_algorithm().values()))
    return outcomes.same_as_paper if alike else None


def has_paper_nus(outcomes: Outcomes) -> bool:
    """Whether there is one outcome for each nu of the paper."""
    return sorted(outcome.trial.nu for outcome in outcomes) == list(NUS)


def _averages(known: list[PaperTime]) -> list[tuple[Cell, ...]]:
    rows = []
    for name in dict.fromkeys(each.algorithm for each in known):
        ratios = [(each.ratio(name), each.ratio(OURS)) for each in known if each.algorithm == name]
        if any(map(any, ratios)):
            averages = (cells.average_ratio(column) for column in zip(*ratios, strict=True))
            nothing = [cells.NOTHING] * 2
            rows.append((Cell("average"), *nothing, cells.word(label(name)), *nothing, *averages))
    return rows


def duels(outcomes: Outcomes, rival: str) -> list[tuple[Outcome, Outcome]]:
    """LevelBoost's outcome and a rival's for each nu at which neither failed, in order."""
    known = outcomes.filter(cpu_time)
    ours, rivals = ({each.trial.nu: each for each in known.where(algorithm=name)} for name in (OURS, rival))
    return [(ours[nu], rivals[nu]) for nu in sorted(ours.keys() & rivals.keys())]


def is_faster(one: Outcome, other: Outcome) -> bool:
    """Whether one certainly took less time: it did not strike its limit."""
    mine, others = cpu_time(one), cpu_time(other)
    return mine is not None and others is not None and mine.sense == "" and mine.value < others.value


def ratio(fought: list[tuple[Outcome, Outcome]]) -> Amount | None:
    """The rival's time over LevelBoost's, both added up."""
    ours, rival = (total(list(map(cpu_time, each))) for each in zip(*fought, strict=True))
    return rival.over(ours) if rival and ours else None


def speedup(outcomes: Outcomes) -> ReportTable | None:
    """One row per set, one column per rival of LevelBoost."""
    timed = outcomes.where(part="times")
    rivals, sets, planned = timed.rivals, timed.by_set().values(), len(timed.nus)
    if not rivals or not timed.where(algorithm=OURS):
        return None
    fought = [[duels(same, rival) for same in sets] for rival in rivals]
    whole = [[ratio(each) if len(each) == planned else None for each in column] for column in fought]
    averages = map(cells.average_ratio, whole)
    columns = {f"{label(rival)} / LevelBoost": partial(_speedup_cell, rival, planned) for rival in rivals}
    return cells.pivot("speedup", sets, cells.NAME | columns, [(Cell("average"), *averages)])


def _speedup_cell(rival: str, planned: int, outcomes: Outcomes) -> Cell:
    fought = duels(outcomes, rival)
    if not fought:
        return cells.NOTHING
    ours, rivals = map(Outcomes, zip(*fought, strict=True))
    slower = ", ".join(f"{one.trial.nu:g}" for one, other in fought if is_faster(other, one))
    note = cells.joined([
        f"{label(rival)}: {rivals.endings}" if rivals.endings else "",
        f"{label(OURS)}: {ours.endings}" if ours.endings else "",
        cells.some_of(len(fought), planned, "nu"),
        f"{label(rival)} is faster at nu = {slower}" if slower else "",
    ])  # fmt: skip
    return cells.number(ratio(fought), cells.RATIO, ours.keys + rivals.keys, note)
