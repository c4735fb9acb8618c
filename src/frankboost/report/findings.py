"""What the numbers say, in plain paragraphs, losses included."""

from __future__ import annotations

from collections import Counter

from frankboost.experiments.comparison import OURS
from frankboost.report.captions import SHARED
from frankboost.report.numbers import Amount, count, geometric_mean, listed, total
from frankboost.report.protocol import company, what_was_run
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.endings import spent
from frankboost.report.tables.errors import RIVAL, SetError, set_errors
from frankboost.report.tables.speedup import Duel, duels, whole_ratio
from frankboost.report.tables.times import comparable, has_paper_nus, mean_time

SENSES = {"": "", ">": "more than ", "<": "less than "}


def findings(outcomes: Outcomes) -> tuple[str, ...]:
    """The paragraphs that there are outcomes for."""
    return tuple(filter(None, (paragraph(outcomes) for paragraph in PARAGRAPHS)))


def gaps(outcomes: Outcomes) -> str:
    """How many each algorithm closed, and at what cost."""
    clauses = [
        f"{label(name)} {len(same.closed)} of {len(same)} in {spent(same):.1f} s"
        for name, same in outcomes.where(part="times").by_algorithm().items()
    ]
    return f"Gaps closed, and CPU time spent: {'; '.join(clauses)}." if clauses else ""


def speedups(outcomes: Outcomes) -> str:
    """The geometric mean ratios of CPU times."""
    timed = outcomes.where(part="times")
    clauses = []
    for rival in timed.rivals:
        ratios = [whole_ratio(same, rival, len(timed.nus)) for same in timed.by_set().values()]
        known = [ratio for ratio in ratios if ratio is not None]
        if average := geometric_mean(known):
            clauses.append(f"{label(rival)} {_plain(average, 1)} times ({count(len(known), 'set')})")
    if not clauses:
        return ""
    return (
        f"CPU time relative to {label(OURS)}'s, as the geometric mean over sets: {'; '.join(clauses)}. A run "
        "that struck its time limit counts as that: where it says more than or less than, the true number "
        f"lies beyond it. {SHARED['per_round']}"
    )


def against_the_paper(outcomes: Outcomes) -> str:
    """The paper's times against LevelBoost's, added up."""
    known = []
    for same in outcomes.where(part="times").by_set().values():
        paper, ours = comparable(same), same.where(algorithm=OURS)
        if paper and has_paper_nus(ours) and (seconds := mean_time(ours)):
            known.append((paper, seconds))
    together = total([seconds for _, seconds in known])
    if together is None:
        return ""
    sums = {rival: total([paper.time(rival) for paper, _ in known]) for rival in known[0][0].times}
    clauses = [f"{label(rival)} {_plain(each, 0)}" for rival, each in sums.items() if each]
    return (
        f"The paper's mean CPU seconds, added up over {count(len(known), 'comparable set')}: "
        f"{', '.join(clauses)}; {label(OURS)}'s here: {_plain(together, 1)}. The paper's machine and "
        "LP solver are others, and its times are of the whole process, reading the data included."
    )


def losses(outcomes: Outcomes) -> str:
    """Where another algorithm was faster, with the fastest; where both struck a limit, nothing is known."""
    clauses, compared, beaten = [], 0, 0
    for name, same in outcomes.where(part="times").by_set().items():
        told = [duel for rival in same.rivals for duel in duels(same, rival) if duel.told]
        lost = _fastest([duel for duel in told if duel.lost])
        compared += len({duel.ours.key for duel in told})
        beaten += len(lost)
        clauses += [f"{name}: {', '.join(map(_loss, lost))}"] if lost else []
    of_all = f"{count(compared, 'pair')} of set and nu"
    if not clauses:
        none = f"No algorithm was seen to be faster than {label(OURS)} in any of {of_all}."
        return none if compared else ""
    return (
        f"Another algorithm was seen to be faster than {label(OURS)} in {beaten} of {of_all}; the "
        f"fastest there are: {'; '.join(clauses)}."
    )


def _fastest(lost: list[Duel]) -> list[Duel]:
    """Of several that are faster at one nu, the fastest."""
    fastest_first = sorted(lost, key=lambda duel: duel.rival.fit.cpu_seconds)
    best = {duel.ours.trial.nu: duel for duel in reversed(fastest_first)}
    return [best[nu] for nu in sorted(best)]


def _loss(duel: Duel) -> str:
    times = " s against ".join(_plain(time, 3) for time in (duel.rival_time, duel.our_time))
    return f"{label(duel.rival.trial.algorithm)} at nu = {duel.ours.trial.nu:g} ({times} s)"


def errors(outcomes: Outcomes) -> str:
    """Better, worse or neither than the paper by two standard errors; the losses by name."""
    known = [each for each in set_errors(outcomes) if each.paper]
    verdicts = Counter(each.verdict(strict=True) for each in known)
    if not known:
        return ""
    text = (
        f"Test error against the paper's {label(RIVAL)} on {count(len(known), 'set')}, by two of our "
        f"standard errors: better on {verdicts['better']}, neither better nor worse on "
        f"{verdicts['no worse']}, worse on {verdicts['worse']}"
    )
    if not verdicts["worse"]:
        return f"{text}."
    worse = "; ".join(_error(each) for each in known if each.verdict(strict=True) == "worse")
    still = listed(each.name for each in known if each.verdict(strict=False) == "worse")
    return f"{text}: {worse}. By both standard errors, ours and the paper's, worse on {still}."


def _error(each: SetError) -> str:
    ours, paper = each.ours, each.paper and f"{each.paper.mean:.2f}"
    return f"{each.name} {ours.mean:.4f} (s.e. {ours.standard_error:.4f}) against {paper}"


def worst_case(outcomes: Outcomes) -> str:
    """Rounds on the largest worst case."""
    sizes = outcomes.done.where(part="worst-case").by("rows")
    if not sizes:
        return ""
    rounds = [
        f"{label(name)} {'' if same[-1].closed else 'more than '}{same[-1].fit.rounds}"
        for name, same in sizes[max(sizes)].by_algorithm().items()
    ]
    return f"Rounds on LPBoost's worst case with {max(sizes)} examples: {listed(rounds)}."


def failures(outcomes: Outcomes) -> str:
    """How many trials have no result, and why."""
    kinds = Counter(outcome.failure.kind for outcome in outcomes if outcome.failure)
    if not kinds:
        return "No run failed." if outcomes else ""
    why = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
    return f"{count(kinds.total(), 'run')} failed ({why}); the table of failures has the messages."


def _plain(number: Amount, decimals: int) -> str:
    return SENSES[number.sense] + number.text(decimals).lstrip("<>")


PARAGRAPHS = (
    what_was_run, company, gaps, speedups, against_the_paper, losses, errors, worst_case, failures,
)  # fmt: skip
