"""Who closes gaps, how fast, and where LevelBoost is not the fastest."""

from __future__ import annotations

from frankboost.experiments.comparison import OURS
from frankboost.report.numbers import Amount, count, geometric_mean, listed, total
from frankboost.report.paper_numbers import NUS
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.cells import PER_ROUND
from frankboost.report.tables.closed import spent
from frankboost.report.tables.paper_times import comparable, has_paper_nus
from frankboost.report.tables.speedup import Duel, duels, whole_ratio
from frankboost.report.tables.times import MeanTime

SENSES = {"": "", ">": "more than ", "<": "less than "}


def gaps(outcomes: Outcomes) -> str:
    """How many each algorithm closed, and at what cost."""
    clauses = [
        f"{label(name)} {sum(outcome.closed for outcome in same)} of {len(same)} in {spent(same):.1f} s"
        for name, same in outcomes.where(part="times").by_algorithm().items()
    ]
    return f"Gaps closed, and CPU time spent: {'; '.join(clauses)}." if clauses else ""


def speedups(outcomes: Outcomes) -> str:
    """The geometric mean ratios of CPU times."""
    timed = outcomes.where(part="times")
    clauses = []
    for rival in _rivals(timed):
        ratios = [whole_ratio(same, rival, len(timed.nus)) for same in timed.by_set().values()]
        known = [ratio for ratio in ratios if ratio is not None]
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


def against_the_paper(outcomes: Outcomes) -> str:
    """The paper's times against LevelBoost's, added up."""
    compared = []
    for same in outcomes.where(part="times").by_set().values():
        paper, mean = comparable(same), MeanTime(same.where(algorithm=OURS), len(NUS))
        if paper and mean.seconds and has_paper_nus(mean.outcomes):
            compared.append((paper, mean.seconds))
    ours = total([seconds for _, seconds in compared])
    if ours is None:
        return ""
    sums = {
        rival: total([time for paper, _ in compared if (time := paper.time(rival))])
        for rival in compared[0][0].times
    }
    clauses = [f"{label(rival)} {_plain(each, 0)}" for rival, each in sums.items() if each]
    return (
        f"The paper's mean CPU seconds, added up over {count(len(compared), 'comparable set')}: "
        f"{', '.join(clauses)}; {label(OURS)}'s here: {_plain(ours, 1)}. The paper's machine and "
        "LP solver are others, and its times are of the whole process, reading the data included."
    )


def losses(outcomes: Outcomes) -> str:
    """Where another algorithm was faster, with the fastest; where both struck a limit, nothing is known."""
    clauses: list[str] = []
    compared: set[str] = set()
    beaten: set[str] = set()
    for name, same in outcomes.where(part="times").by_set().items():
        told = [duel for rival in _rivals(same) for duel in duels(same, rival) if duel.told]
        lost = _fastest([duel for duel in told if duel.lost])
        compared.update(duel.ours.key for duel in told)
        beaten.update(duel.ours.key for duel in lost)
        clauses += [f"{name}: {', '.join(map(_loss, lost))}"] if lost else []
    if not compared:
        return ""
    of_all = f"{count(len(compared), 'pair')} of set and nu"
    if not beaten:
        return f"No algorithm was seen to be faster than {label(OURS)} in any of {of_all}."
    return (
        f"Another algorithm was seen to be faster than {label(OURS)} in {len(beaten)} of {of_all}; the "
        f"fastest there are: {'; '.join(clauses)}."
    )


def worst_case(outcomes: Outcomes) -> str:
    """Rounds on the largest worst case."""
    sizes = outcomes.done.where(part="worst-case").by("rows")
    if not sizes:
        return ""
    last = {name: same[-1] for name, same in sizes[max(sizes)].by_algorithm().items()}
    rounds = [
        f"{label(name)} {'' if outcome.closed else 'more than '}{outcome.fit.rounds}"
        for name, outcome in last.items()
    ]
    return f"Rounds on LPBoost's worst case with {max(sizes)} examples: {listed(rounds)}."


def _rivals(outcomes: Outcomes) -> list[str]:
    return [name for name in outcomes.by_algorithm() if name != OURS]


def _fastest(lost: list[Duel]) -> list[Duel]:
    """Of several that are faster at one nu, the fastest."""
    best: dict[float, Duel] = {}
    for duel in sorted(lost, key=lambda duel: duel.rival.fit.cpu_seconds):
        best.setdefault(duel.ours.trial.nu, duel)
    return [best[nu] for nu in sorted(best)]


def _loss(duel: Duel) -> str:
    times = " s against ".join(_plain(time, 3) for time in (duel.rival_time, duel.our_time))
    return f"{label(duel.rival.trial.algorithm)} at nu = {duel.ours.trial.nu:g} ({times} s)"


def _plain(number: Amount, decimals: int) -> str:
    return SENSES[number.sense] + number.text(decimals).lstrip("<>")
