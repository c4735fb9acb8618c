"""What was run, and what failed."""

from __future__ import annotations

from collections import Counter

from frankboost.report import setting
from frankboost.report.findings.protocol import protocol
from frankboost.report.selection import Runs, by_algorithm, by_set, done, label, part
from frankboost.report.words import count, listed

WAITED = 1.5  # wall seconds a CPU second that tell of other work


def what_was_run(runs: Runs) -> str:
    """Sets, algorithms, limits."""
    every = list(runs.values())
    if not every:
        return "There are no runs yet."
    with_trees = [run for run in every if run["part"] != "worst-case"]
    sets = list(by_set(with_trees))
    algorithms = [label(name) for name in by_algorithm(every)]
    parts = Counter(run["part"] for run in every)
    per_part = ", ".join(f"{name} {number}" for name, number in parts.items())
    on = (
        f" on {count(len(sets), 'data set')} ({', '.join(sets)}), {setting.trees(with_trees)}, "
        f"nu = {setting.values(with_trees, 'nu')}"
        if sets
        else ""
    )
    text = (
        f"{count(len(every), 'run')} ({per_part}){on}; {count(len(algorithms), 'algorithm')}: "
        f"{listed(algorithms)}. A fit stops when bound - soft margin <= {setting.values(every, 'tol')}, "
        f"or after {setting.values(every, 'time_limit')} CPU seconds."
    )
    return " ".join(filter(None, [text, protocol(runs)]))


def company(runs: Runs) -> str:
    """Whether timed runs had to wait for other work."""
    timed = [run for run in part(runs, "times") if done(run)]
    beside = sum(run["wall_seconds"] > WAITED * run["cpu_seconds"] for run in timed)
    if not beside:
        return ""
    return (
        f"In {beside} of {count(len(timed), 'timed run')} wall seconds were more than {WAITED:g} times the "
        "CPU seconds: other work was going on."
    )


def failures(runs: Runs) -> str:
    """How many runs have no result, and why."""
    failed = [run for run in runs.values() if not done(run)]
    if not failed:
        return "No run failed." if runs else ""
    kinds = Counter(run["failure"]["kind"] for run in failed)
    why = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
    return f"{count(len(failed), 'run')} failed ({why}); the table of failures has the messages."
