"""Who closes gaps, how fast, and where LevelBoost is not the fastest."""

from __future__ import annotations

from frankboost.report.amount import Amount, geometric_mean, total
from frankboost.report.paper_numbers import NUS, PaperSet
from frankboost.report.selection import (
    OURS,
    Run,
    Runs,
    by_algorithm,
    by_set,
    closed,
    done,
    grouped,
    label,
    nus,
    paper_set,
    part,
    seconds,
)
from frankboost.report.tables.cells import PER_ROUND
from frankboost.report.tables.closed import spent
from frankboost.report.tables.mean_time import mean_time
from frankboost.report.tables.paper_times import comparable, paper_nus
from frankboost.report.tables.speedup import lost, pairs, told, whole_ratio
from frankboost.report.words import count, listed

SENSES = {"": "", ">": "more than ", "<": "less than "}


def gaps(runs: Runs) -> str:
    """How many each algorithm closed, and at what cost."""
    clauses = [
        f"{label(name)} {sum(map(closed, its))} of {len(its)} in {spent(its):.1f} s"
        for name, its in by_algorithm(part(runs, "times")).items()
    ]
    return f"Gaps closed, and CPU time spent: {'; '.join(clauses)}." if clauses else ""


def speedups(runs: Runs) -> str:
    """The geometric mean ratios of CPU times."""
    timed = part(runs, "times")
    sets, planned = by_set(timed), len(nus(timed))
    clauses = []
    for rival in by_algorithm(timed):
        every = [whole_ratio(its, rival, planned) for its in sets.values() if rival != OURS]
        known = [each for each in every if each is not None]
        average = geometric_mean(known)
        if average is not None:
            clauses.append(f"{label(rival)} {_plain(average, 1)} times ({count(len(known), 'set')})")
    if not clauses:
        return ""
    return (
        f"CPU time relative to {label(OURS)}'s, as the geometric mean over sets: {'; '.join(clauses)}. A run "
        "that struck its time limit counts as that: where it says more than or less than, the true number "
        f"lies beyond it. {PER_ROUND}"
    )


def against_the_paper(runs: Runs) -> str:
    """The paper's times against LevelBoost's, added up."""
    compared: list[PaperSet] = []
    ours: list[Amount] = []
    for its in by_set(part(runs, "times")).values():
        theirs, mean = paper_set(its), mean_time(its, OURS, len(NUS))
        if theirs and mean.seconds and comparable(its, theirs) and paper_nus(mean.runs):
            compared.append(theirs)
            ours.append(mean.seconds)
    own = total(ours)
    if own is None:
        return ""
    sums = {
        rival: total([time for theirs in compared if (time := theirs.time(rival))])
        for rival in compared[0].times
    }
    clauses = [f"{label(rival)} {_plain(each, 0)}" for rival, each in sums.items() if each]
    return (
        f"The paper's mean CPU seconds, added up over {count(len(compared), 'comparable set')}: "
        f"{', '.join(clauses)}; {label(OURS)}'s here: {_plain(own, 1)}. The paper's machine and "
        "LP solver are others, and its times are of the whole process, reading the data included."
    )


def losses(runs: Runs) -> str:
    """Where another algorithm was faster, with the fastest; where both struck a limit, nothing is known."""
    clauses: list[str] = []
    compared: set[str] = set()
    beaten: set[str] = set()
    for name, its in by_set(part(runs, "times")).items():
        rivals = [rival for rival in by_algorithm(its) if rival != OURS]
        both = [(rival, *pair) for rival in rivals for pair in pairs(its, rival) if told(*pair)]
        won = _fastest([each for each in both if lost(*each[1:])])
        compared.update(ours["key"] for _, ours, _ in both)
        beaten.update(ours["key"] for _, ours, _ in won)
        clauses += [f"{name}: {', '.join(map(_loss, won))}"] if won else []
    if not compared:
        return ""
    of_all = f"{count(len(compared), 'pair')} of set and nu"
    if not beaten:
        return f"No algorithm was seen to be faster than {label(OURS)} in any of {of_all}."
    return (
        f"Another algorithm was seen to be faster than {label(OURS)} in {len(beaten)} of {of_all}; the "
        f"fastest there are: {'; '.join(clauses)}."
    )


def _fastest(won: list[tuple[str, Run, Run]]) -> list[tuple[str, Run, Run]]:
    """Of several that are faster at one nu, the fastest."""
    best: dict[float, tuple[str, Run, Run]] = {}
    for each in sorted(won, key=lambda each: float(each[2]["cpu_seconds"])):
        best.setdefault(float(each[1]["nu"]), each)
    return [best[nu] for nu in sorted(best)]


def worst_case(runs: Runs) -> str:
    """Rounds on the largest worst case."""
    sizes = grouped(filter(done, part(runs, "worst-case")), lambda run: int(run["rows"] or run["m"]))
    if not sizes:
        return ""
    largest = max(sizes)
    rounds = [
        f"{label(name)} {'' if closed(its[-1]) else 'more than '}{its[-1]['rounds']}"
        for name, its in by_algorithm(sizes[largest]).items()
    ]
    return f"Rounds on LPBoost's worst case with {largest} examples: {listed(rounds)}."


def _loss(each: tuple[str, Run, Run]) -> str:
    rival, ours, theirs = each
    times = [_plain(time, 3) for run in (theirs, ours) if (time := seconds(run))]
    return f"{label(rival)} at nu = {ours['nu']:g} ({' s against '.join(times)} s)"


def _plain(number: Amount, decimals: int) -> str:
    return SENSES[number.sense] + number.text(decimals).lstrip("<>")
