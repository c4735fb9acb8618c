"""CPU times to the gap `tol`: by data set and algorithm, as ratios to LevelBoost's, and beside the
paper's."""

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
    """Mean CPU seconds, a lower limit if a time limit was hit; None if a trial failed or there is none."""
    return mean([cpu_time(outcome) for outcome in outcomes])


def time_cell(planned: int, outcomes: Outcomes) -> Cell:
    """A cell with the mean time; a note if there are fewer outcomes than `planned` values of nu.

    The paper writes lower limits as >10^4.
    """
    keys, average = outcomes.keys, mean_time(outcomes)
    note = cells.join_notes([outcomes.endings, cells.coverage_note(len(outcomes), planned, "nu")])
    if average is None:
        return Cell("failed", None, keys, note)
    limits = {outcome.trial.time_limit if outcome.hit_limit else None for outcome in outcomes}
    if len(limits) == 1 and None not in limits:
        return Cell(f">{average.value:g}", average.value, keys, note)
    return cells.number(average, cells.SECONDS, keys, note)


def times(outcomes: Outcomes) -> ReportTable | None:
    """One row per set, and one column per algorithm."""
    timed = outcomes.where(part="times")
    algorithms, sets, planned = list(timed.by_algorithm()), timed.by_set().values(), len(timed.nus)
    columns = {
        f"{label(name)} (s)": cells.where(partial(time_cell, planned), algorithm=name) for name in algorithms
    }
    return cells.pivot("times", sets, cells.SET | columns, [_totals(sets, algorithms, planned)])


def _totals(sets: Iterable[Outcomes], algorithms: list[str], planned: int) -> tuple[Cell, ...]:
    """Sums over the sets on which every algorithm has a time at every nu."""
    rows = [[same.where(algorithm=name) for name in algorithms] for same in sets]
    means = [[mean_time(same) if len(same) == planned else None for same in row] for row in rows]
    whole = [row for row in means if None not in row]
    note = cells.coverage_note(len(whole), len(rows), "sets") if whole else ""
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
    planned: int  # the number of values of nu

    def ours(self, algorithm: str) -> Cell:
        """The cell of our time of an algorithm."""
        return cells.where(partial(time_cell, self.planned), algorithm=algorithm)(self.outcomes)

    def ratio(self, algorithm: str) -> Amount | None:
        """The paper's time, divided by our time of an algorithm."""
        ours = self.outcomes.where(algorithm=algorithm)
        seconds = mean_time(ours)
        return self.seconds.over(seconds) if seconds and has_paper_nus(ours) else None

    def ratio_cell(self, algorithm: str) -> Cell:
        """The ratio, with the runs and the note of our time."""
        ours = self.ours(algorithm)
        return cells.number(self.ratio(algorithm), cells.RATIO, ours.runs, ours.note)


def paper_times(outcomes: Outcomes) -> ReportTable | None:
    """One row for each time of the paper that can be compared with ours."""
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
    """The paper's set, if the shape, tol, the trees and the nus of some algorithm are those of the paper."""
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


def paired_outcomes(outcomes: Outcomes, rival: str) -> list[tuple[Outcome, Outcome]]:
    """For each nu at which neither failed, the outcome of LevelBoost and that of a rival."""
    known = outcomes.filter(cpu_time)
    ours, rivals = ({each.trial.nu: each for each in known.where(algorithm=name)} for name in (OURS, rival))
    return [(ours[nu], rivals[nu]) for nu in sorted(ours.keys() & rivals.keys())]


def is_faster(one: Outcome, other: Outcome) -> bool:
    """Whether `one` took less time than `other`, which is unknown if `one` hit its limit."""
    mine, others = cpu_time(one), cpu_time(other)
    return mine is not None and others is not None and mine.sense == "" and mine.value < others.value


def ratio(pairs: list[tuple[Outcome, Outcome]]) -> Amount | None:
    """The total time of the rival, divided by that of LevelBoost."""
    ours, rival = (total(list(map(cpu_time, each))) for each in zip(*pairs, strict=True))
    return rival.over(ours) if rival and ours else None


def speedup(outcomes: Outcomes) -> ReportTable | None:
    """One row per set, one column per rival of LevelBoost."""
    timed = outcomes.where(part="times")
    rivals, sets, planned = timed.rivals, timed.by_set().values(), len(timed.nus)
    if not rivals or not timed.where(algorithm=OURS):
        return None
    pairs = [[paired_outcomes(same, rival) for same in sets] for rival in rivals]
    ratios = [[ratio(each) if len(each) == planned else None for each in column] for column in pairs]
    averages = map(cells.average_ratio, ratios)
    columns = {f"{label(rival)} / LevelBoost": partial(_speedup_cell, rival, planned) for rival in rivals}
    return cells.pivot("speedup", sets, cells.NAME | columns, [(Cell("average"), *averages)])


def _speedup_cell(rival: str, planned: int, outcomes: Outcomes) -> Cell:
    pairs = paired_outcomes(outcomes, rival)
    if not pairs:
        return cells.NOTHING
    ours, rivals = map(Outcomes, zip(*pairs, strict=True))
    slower = ", ".join(f"{one.trial.nu:g}" for one, other in pairs if is_faster(other, one))
    note = cells.join_notes([
        f"{label(rival)}: {rivals.endings}" if rivals.endings else "",
        f"{label(OURS)}: {ours.endings}" if ours.endings else "",
        cells.coverage_note(len(pairs), planned, "nu"),
        f"{label(rival)} is faster at nu = {slower}" if slower else "",
    ])  # fmt: skip
    return cells.number(ratio(pairs), cells.RATIO, ours.keys + rivals.keys, note)
