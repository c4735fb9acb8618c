"""Remarks on the runs: what was run, the differences from the paper's protocol, and other work beside
them."""

from __future__ import annotations

from collections.abc import Iterator

from studies.report.numbers import count, join_words
from studies.report.paper_numbers import MAX_DEPTH, NUS, TOL
from studies.report.results import Outcomes, label

USUAL = {"tol": TOL, "max_depth": MAX_DEPTH}
WAITED = 1.5  # the wall seconds per CPU second from which on other work was going on


def remarks(outcomes: Outcomes) -> tuple[str, ...]:
    """Remarks on the runs, on failures, and on other work that the machine did."""
    failed = len(outcomes) - len(outcomes.done)
    ends = f"{count(failed, 'run')} failed; the table of failures has the messages." if failed else ""
    return tuple(filter(None, [describe_runs(outcomes), ends, other_work(outcomes)]))


def describe_runs(outcomes: Outcomes) -> str:
    """Describe the sets, algorithms and limits, and the differences from the paper."""
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
        f"{count(len(algorithms), 'algorithm')}: {join_words(algorithms)}. A fit stops when bound - soft "
        f"margin <= {outcomes.values('tol')}{_paper_test(outcomes)}, or after "
        f"{outcomes.values('time_limit')} CPU seconds. {protocol(outcomes)}"
    ).rstrip()


def _paper_test(outcomes: Outcomes) -> str:
    """The algorithms whose fits were ended by the paper's own test; empty if there are none."""
    tested = outcomes.filter(lambda outcome: outcome.trial.stopping == "paper")
    names = join_words(label(name) for name in tested.by_algorithm())
    return f" ({names}: bound - smoothed soft margin <= tol/2, the paper's own test)" if tested else ""


def protocol(outcomes: Outcomes) -> str:
    """The differences from the paper's protocol, except limits; empty if there are none."""
    with_trees = _with_trees(outcomes)
    departures = [*_other_settings(with_trees), *_other_sets(with_trees)]
    return f"This is not the paper's protocol: {'; '.join(departures)}." if departures else ""


def _with_trees(outcomes: Outcomes) -> Outcomes:
    return outcomes.filter(lambda outcome: outcome.trial.part != "worst-case")


def _other_settings(outcomes: Outcomes) -> Iterator[str]:
    # Curves have one nu, and test errors the chosen ones.
    swept = outcomes.filter(lambda outcome: outcome.trial.part in {"times", "cv"})
    if swept and swept.nus != list(NUS):
        yield f"nu = {swept.values('nu')} instead of {join_words(f'{nu:g}' for nu in NUS)}"
    for name, usual in USUAL.items():
        if any(getattr(outcome.trial, name) != usual for outcome in outcomes):
            yield f"{name} = {outcomes.values(name)} instead of {usual:g}"
    if any(outcome.trial.max_bins is not None for outcome in outcomes):
        yield f"{outcomes.thresholds} instead of all"


def _other_sets(outcomes: Outcomes) -> Iterator[str]:
    """Sets of other sizes than the paper's, and other sets. Folds are left out, as they have fewer rows."""
    for name, same in outcomes.where(fold=None).by_set().items():
        shape, paper = same.shape, same.paper
        if paper is None:
            yield f"{name} is not among its sets"
        elif shape is not None and not same.same_as_paper:
            (m, n), printed = shape, f"{paper.m} and {paper.n_features}"
            yield f"{same[0].trial.dataset} has {m} rows and {n} features instead of {printed}"


def other_work(outcomes: Outcomes) -> str:
    """A remark if timed fits had to wait for other work, and otherwise nothing."""
    timed = [outcome.fit for outcome in outcomes.where(part="times").done]
    beside = sum(fit.wall_seconds > WAITED * fit.cpu_seconds for fit in timed)
    if not beside:
        return ""
    return (
        f"In {beside} of {count(len(timed), 'timed run')} wall seconds were more than {WAITED:g} times the "
        "CPU seconds: other work was going on."
    )
