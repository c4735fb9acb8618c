"""Whether results have what a report needs."""

from __future__ import annotations

from frankboost.report.selection import Run, Runs
from frankboost.report.words import listed

ALWAYS = ("part", "dataset", "algorithm", "nu", "tol", "seed", "max_depth", "time_limit", "status")
MAYBE_NULL = ("rows", "split", "fold", "max_bins")
OUTCOME = ("m", "n_features", "m_test", "certificate", "rounds", "cpu_seconds", "wall_seconds")


def check(runs: Runs) -> None:
    """Raise a ValueError that names the first run that lacks something."""
    for key, run in runs.items():
        if missing := _missing(run):
            raise ValueError(f"the run {key!r} lacks {listed(missing)}")


def _missing(run: Run) -> list[str]:
    names = [name for name in ALWAYS if run.get(name) is None]
    names += [name for name in MAYBE_NULL if name not in run]
    if names:
        return names
    if run["status"] != "done":
        return _within(run, "failure", ("kind", "message"))
    names += [name for name in _outcome(run) if run.get(name) is None]
    return names or _within(run, "certificate", ("status", "gap"))


def _outcome(run: Run) -> list[str]:
    curve = {"times": ["trace"], "curves": ["test_curve"]}.get(run["part"], [])
    return [*OUTCOME, *curve, *(["test_error"] if run["split"] is not None else [])]


def _within(run: Run, name: str, fields: tuple[str, ...]) -> list[str]:
    """What a field that is an object lacks."""
    return [f"{name}.{field}" for field in fields if (run.get(name) or {}).get(field) is None]
