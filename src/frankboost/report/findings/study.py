"""What was run, and what failed."""

from __future__ import annotations

from collections import Counter

from frankboost.report import setting
from frankboost.report.selection import Runs, by_algorithm, by_set, done, label
from frankboost.report.words import count, listed


def what_was_run(runs: Runs) -> str:
    """Sets, algorithms, limits, machine."""
    every = list(runs.values())
    if not every:
        return "There are no runs yet."
    with_trees = [run for run in every if run["part"] != "worst-case"]
    sets = list(by_set(with_trees))
    algorithms = [label(name) for name in by_algorithm(every)]
    parts = Counter(run["part"] for run in every)
    per_part = ", ".join(f"{name} {number}" for name, number in parts.items())
    on = (
        f" on {count(len(sets), 'data set')} ({', '.join(sets)}), {setting.trees(with_trees)}" if sets else ""
    )
    return (
        f"{count(len(every), 'run')} ({per_part}){on}; {count(len(algorithms), 'algorithm')}: "
        f"{listed(algorithms)}. A fit stops when bound - soft margin <= {setting.values(every, 'tol')}, "
        f"or after {setting.values(every, 'time_limit')} CPU seconds. "
        f"Made on {setting.date(runs)}: {setting.machine(runs)}."
    )


def failures(runs: Runs) -> str:
    """How many runs have no result, and why."""
    failed = [run for run in runs.values() if not done(run)]
    if not failed:
        return "No run failed." if runs else ""
    kinds = Counter(run["failure"]["kind"] for run in failed)
    why = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
    return f"{count(len(failed), 'run')} failed ({why}); the table of failures has the messages."
