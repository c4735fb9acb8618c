"""When, where and with what settings the runs were made."""

from __future__ import annotations

from collections.abc import Iterable

from frankboost.report.selection import Run, Runs
from frankboost.report.words import listed


def machine(runs: Runs) -> str:
    """The machine and the versions, in one line; all of them, if they changed on the way."""
    return "; also ".join(dict.fromkeys(_machine(run) for run in runs.values())) or "unknown machine"


def date(runs: Runs) -> str:
    """The first and the last day."""
    days = sorted(str(run["date"])[:10] for run in runs.values() if run.get("date"))
    if not days:
        return "unknown date"
    return days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def values(runs: Iterable[Run], name: str) -> str:
    """Every value that a setting has in runs, in order."""
    known = sorted({float(run[name]) for run in runs if run.get(name) is not None})
    return listed(f"{value:g}" for value in known)


def trees(runs: Iterable[Run]) -> str:
    """The class of hypotheses: its depth and thresholds."""
    every = list(runs)
    return f"trees of depth {values(every, 'max_depth')} over {thresholds(every)}"


def thresholds(runs: Iterable[Run]) -> str:
    """How many a feature."""
    every = list(runs)
    bins = sorted({run["max_bins"] for run in every if run["max_bins"] is not None})
    some = [f"at most {number} thresholds a feature" for number in bins]
    if any(run["max_bins"] is None for run in every):
        some.insert(0, "all thresholds")
    return listed(some, "or")


def _machine(run: Run) -> str:
    about = run.get("machine") or {}
    hardware = [
        str(about.get("cpu", "unknown CPU")),
        f"{about.get('cores', '?')} cores",
        str(about.get("memory", "unknown memory")),
        str(about.get("os", "unknown system")),
    ]
    versions = [f"{name} {version}" for name, version in (run.get("versions") or {}).items()]
    return ", ".join(hardware) + (f"; {', '.join(versions)}" if versions else "")
