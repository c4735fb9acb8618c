"""Which runs belong together, what they are called, and how they ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from frankboost.report.amount import Amount
from frankboost.report.paper_numbers import PAPER, PaperSet

Run = Mapping[str, Any]
Runs = Mapping[str, Run]
K = TypeVar("K")

LABELS = {
    "LEVEL": "LevelBoost",
    "LPB": "LPB",
    "ERLPB": "ERLPB",
    "FW": "MLPB (SS only)",
    "PFW": "MLPB (PFW only)",
    "MLPB-SS": "MLPB (SS)",
    "MLPB-PFW": "MLPB (PFW)",
}
OURS = "LEVEL"


def part(runs: Runs, name: str) -> list[Run]:
    """The runs of one part of the study."""
    return [run for run in runs.values() if run["part"] == name]


def nus(runs: Iterable[Run]) -> list[float]:
    """The values of nu, in order."""
    return sorted({float(run["nu"]) for run in runs})


def error_runs(runs: Runs) -> list[Run]:
    """The runs for test errors: the last of each set, algorithm and partition, at whatever nu it was."""
    by_date = sorted(part(runs, "errors"), key=lambda run: str(run.get("date") or ""))
    last = {(set_name(run), run["algorithm"], partition(run)): run for run in by_date}
    return list(last.values())


def partition(run: Run) -> tuple[int, int]:
    """Its seed and split: which rows were kept for testing."""
    return int(run["seed"]), int(run["split"] or 0)


def grouped(runs: Iterable[Run], by: Callable[[Run], K]) -> dict[K, list[Run]]:
    """Runs that agree in `by`, in order of appearance."""
    groups: dict[K, list[Run]] = {}
    for run in runs:
        groups.setdefault(by(run), []).append(run)
    return groups


def by_set(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Runs by the name of their data set, in the order of the paper, then of the alphabet."""
    groups = grouped(runs, set_name)
    rank = {name: k for k, name in enumerate(PAPER)}
    order = sorted(groups, key=lambda name: (rank.get(groups[name][0]["dataset"], len(rank)), name))
    return {name: groups[name] for name in order}


def by_algorithm(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Runs by algorithm, LevelBoost first, then in the order of the paper."""
    groups = grouped(runs, lambda run: str(run["algorithm"]))
    known = [name for name in LABELS if name in groups]
    return {name: groups[name] for name in [*known, *sorted(groups.keys() - LABELS.keys())]}


def label(algorithm: str) -> str:
    """The name that an algorithm is shown by."""
    return LABELS.get(algorithm, algorithm)


def set_name(run: Run) -> str:
    """The name of a data set; one with fewer or other rows than the collection's says how many."""
    return str(run["dataset"]) if run["rows"] is None else f"{run['dataset']} ({run['rows']} rows)"


def shape(runs: Iterable[Run]) -> tuple[int, int] | None:
    """All rows, those for testing included, and features; None if every run failed."""
    for run in runs:
        if done(run):
            return int(run["m"]) + int(run["m_test"] or 0), int(run["n_features"])
    return None


def paper_set(runs: Iterable[Run]) -> PaperSet | None:
    """The paper's set of that name."""
    return next((PAPER[run["dataset"]] for run in runs if run["dataset"] in PAPER), None)


def same_set(runs: list[Run], theirs: PaperSet | None) -> bool:
    """Whether runs are about the paper's set, as far as its shape tells."""
    return theirs is not None and shape(runs) == (theirs.m, theirs.n_features)


def done(run: Run) -> bool:
    """Whether it has a result."""
    return bool(run["status"] == "done")


def closed(run: Run) -> bool:
    """Whether it ended with gap <= tol."""
    return done(run) and bool(run["certificate"]["status"] == "optimal")


def struck(run: Run) -> bool:
    """Whether its time limit ended it."""
    if done(run):
        return bool(run["certificate"]["status"] == "time_limit")
    return bool(run["failure"]["kind"] == "time")


def seconds(run: Run) -> Amount | None:
    """CPU seconds to the gap asked for: more than its limit, if that struck; None if it failed."""
    if struck(run):
        return Amount(run["time_limit"], ">")
    return Amount(run["cpu_seconds"], "" if closed(run) else ">") if done(run) else None


def keys(runs: Iterable[Run]) -> tuple[str, ...]:
    """The keys of runs."""
    return tuple(str(run["key"]) for run in runs)


def endings(runs: list[Run]) -> str:
    """How many did not close their gap, and why: "3 of 5 struck the limit"."""
    why = [_ending(run) for run in runs if not closed(run)]
    return ", ".join(f"{why.count(reason)} of {len(runs)} {reason}" for reason in dict.fromkeys(why))


def _ending(run: Run) -> str:
    if struck(run):
        return "struck the limit"
    if not done(run):
        return f"failed ({run['failure']['kind']})"
    status = str(run["certificate"]["status"])
    return {"max_iter": "ran out of rounds"}.get(status, status)
