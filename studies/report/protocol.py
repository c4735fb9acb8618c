"""What was run, where it departs from the paper's protocol, and whether anything else was running."""

from __future__ import annotations

from collections.abc import Iterator

from studies.report.numbers import count, listed
from studies.report.paper_numbers import MAX_DEPTH, NUS, TOL
from studies.report.results import Outcomes, label

USUAL = {"tol": TOL, "max_depth": MAX_DEPTH}
WAITED = 1.5  # wall seconds per CPU second that tell of other work


def remarks(outcomes: Outcomes) -> tuple[str, ...]:
    """What was run, what failed, and what else the machine did meanwhile."""
    failed = len(outcomes) - len(outcomes.done)
    ends = f"{count(failed, 'run')} failed; the table of failures has the messages." if failed else ""
    return tuple(filter(None, [what_was_run(outcomes), ends, company(outcomes)]))


def what_was_run(outcomes: Outcomes) -> str:
    """Sets, algorithms, limits, and what is not as in the paper."""
    if not outcomes:
        return "There are no runs yet."
    with_trees = _with_trees(outcomes)
    sets = list(with_trees.by_set())
    algorithms = [label(name) for name in outcomes.by_algorithm()]
    parts = ", ".join(f"{name} {len(same)}" for name, same in outcomes.by("part").items())
    trees = f"trees of depth {with_trees.values('max_depth')} over {with_trees.thresholds}"
    named = f" on {count(len(sets), 'data set')} ({', '.join(sets)}), {trees}, nu = {with_trees.values('nu')}"
    return (
        f"{count(len(outcomes), 'run')} ({parts}){named if sets else ''}; "
        f"{count(len(algorithms), 'algorithm')}: {listed(algorithms)}. A fit stops when bound - soft margin "
        f"<= {outcomes.values('tol')}{_paper_test(outcomes)}, or after {outcomes.values('time_limit')} CPU "
        f"seconds. {protocol(outcomes)}"
    ).rstrip()


def _paper_test(outcomes: Outcomes) -> str:
    """Which algorithms were ended by the paper's own test, if any were."""
    tested = outcomes.filter(lambda outcome: outcome.trial.stopping == "paper")
    names = listed(label(name) for name in tested.by_algorithm())
    return f" ({names}: bound - smoothed soft margin <= tol/2, the paper's own test)" if tested else ""


def protocol(outcomes: Outcomes) -> str:
    """What is not as in the paper; empty if all is. Limits do not count."""
    with_trees = _with_trees(outcomes)
    departures = [*_other_settings(with_trees), *_other_sets(with_trees)]
    return f"This is not the paper's protocol: {'; '.join(departures)}." if departures else ""


def _with_trees(outcomes: Outcomes) -> Outcomes:
    return outcomes.filter(lambda outcome: outcome.trial.part != "worst-case")


def _other_settings(outcomes: Outcomes) -> Iterator[str]:
    # Curves are drawn at one nu, and test errors are taken at those that were chosen.
    swept = outcomes.filter(lambda outcome: outcome.trial.part in {"times", "cv"})
    if swept and swept.nus != list(NUS):
        yield f"nu = {swept.values('nu')} instead of {listed(f'{nu:g}' for nu in NUS)}"
    for name, usual in USUAL.items():
        if any(getattr(outcome.trial, name) != usual for outcome in outcomes):
            yield f"{name} = {outcomes.values(name)} instead of {usual:g}"
    if any(outcome.trial.max_bins is not None for outcome in outcomes):
        yield f"{outcomes.thresholds} instead of all"


def _other_sets(outcomes: Outcomes) -> Iterator[str]:
    """Sets of other sizes, and others altogether; the shape of a fold is not that of its set."""
    for name, same in outcomes.where(fold=None).by_set().items():
        shape, paper = same.shape, same.paper
        if paper is None:
            yield f"{name} is not among its sets"
        elif shape is not None and not same.same_as_paper:
            (m, n), printed = shape, f"{paper.m} and {paper.n_features}"
            yield f"{same[0].trial.dataset} has {m} rows and {n} features instead of {printed}"


def company(outcomes: Outcomes) -> str:
    """Whether timed fits had to wait for other work."""
    timed = [outcome.fit for outcome in outcomes.where(part="times").done]
    beside = sum(fit.wall_seconds > WAITED * fit.cpu_seconds for fit in timed)
    if not beside:
        return ""
    return (
        f"In {beside} of {count(len(timed), 'timed run')} wall seconds were more than {WAITED:g} times the "
        "CPU seconds: other work was going on."
    )
