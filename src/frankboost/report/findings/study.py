"""What was run, where it departs from the paper's protocol, how accurate it was, and what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from frankboost.report.numbers import count, listed
from frankboost.report.paper_numbers import MAX_DEPTH, NUS, TOL
from frankboost.report.results import Outcomes, label
from frankboost.report.tables.errors import RIVAL, SetError, set_errors

WAITED = 1.5  # wall seconds per CPU second that tell of other work


def what_was_run(outcomes: Outcomes) -> str:
    """Sets, algorithms, limits, and what is not as in the paper."""
    if not outcomes:
        return "There are no runs yet."
    with_trees = _with_trees(outcomes)
    sets = list(with_trees.by_set())
    algorithms = [label(name) for name in outcomes.by_algorithm()]
    parts = Counter(outcome.trial.part for outcome in outcomes)
    per_part = ", ".join(f"{name} {number}" for name, number in parts.items())
    trees = f"trees of depth {with_trees.values('max_depth')} over {with_trees.thresholds}"
    named = f" on {count(len(sets), 'data set')} ({', '.join(sets)}), {trees}, nu = {with_trees.values('nu')}"
    text = (
        f"{count(len(outcomes), 'run')} ({per_part}){named if sets else ''}; "
        f"{count(len(algorithms), 'algorithm')}: {listed(algorithms)}. A fit stops when bound - soft margin "
        f"<= {outcomes.values('tol')}, or after {outcomes.values('time_limit')} CPU seconds."
    )
    return " ".join(filter(None, [text, protocol(outcomes)]))


def protocol(outcomes: Outcomes) -> str:
    """What is not as in the paper; empty if all is. Limits do not count."""
    with_trees = _with_trees(outcomes)
    apart = [*_other_settings(with_trees), *_other_sets(with_trees)]
    return f"This is not the paper's protocol: {'; '.join(apart)}." if apart else ""


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


def errors(outcomes: Outcomes) -> str:
    """Better, worse or neither than the paper by two standard errors; the losses by name."""
    known = [each for each in set_errors(outcomes) if each.paper is not None]
    if not known:
        return ""
    verdicts = [each.verdict(strict=True) for each in known]
    worse = [each for each in known if each.verdict(strict=True) == "worse"]
    still = [each.name for each in known if each.verdict(strict=False) == "worse"]
    text = (
        f"Test error against the paper's {label(RIVAL)} on {count(len(known), 'set')}, by two of our "
        f"standard errors: better on {verdicts.count('better')}, neither better nor worse on "
        f"{verdicts.count('no worse')}, worse on {len(worse)}"
    )
    if not worse:
        return f"{text}."
    which = "; ".join(map(_error, worse))
    return f"{text}: {which}. By both standard errors, ours and the paper's, worse on {listed(still)}."


def failures(outcomes: Outcomes) -> str:
    """How many trials have no result, and why."""
    kinds = Counter(outcome.failure.kind for outcome in outcomes if outcome.failure)
    if not kinds:
        return "No run failed." if outcomes else ""
    why = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
    return f"{count(kinds.total(), 'run')} failed ({why}); the table of failures has the messages."


def _with_trees(outcomes: Outcomes) -> Outcomes:
    return outcomes.filter(lambda outcome: outcome.trial.part != "worst-case")


def _other_settings(outcomes: Outcomes) -> Iterator[str]:
    # Curves are drawn at one nu, and test errors are taken at those that were chosen.
    swept = outcomes.filter(lambda outcome: outcome.trial.part in {"times", "cv"})
    if swept and swept.nus != list(NUS):
        yield f"nu = {swept.values('nu')} instead of {listed(f'{nu:g}' for nu in NUS)}"
    for name, usual in (("tol", TOL), ("max_depth", MAX_DEPTH)):
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
            yield (
                f"{same[0].trial.dataset} has {shape[0]} rows and {shape[1]} features instead of {paper.m} "
                f"and {paper.n_features}"
            )


def _error(each: SetError) -> str:
    ours = each.ours
    return f"{each.name} {ours.mean:.4f} (s.e. {ours.standard_error:.4f}) against {each.paper:.2f}"
