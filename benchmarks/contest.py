"""Time contestants by turns: A B A B ..., so that the machine's noise hits all of them."""

from __future__ import annotations

import gc
import math
import os
import statistics
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))  # where the studies are

from studies.running.machine import hardware, versions

LONG = 2.0  # seconds; a contestant that takes longer is not run again


@dataclass(frozen=True)
class Run:
    """One timed call: wall seconds, what a certificate said at its end, or the error it ended with."""

    seconds: float
    status: str | None = None
    gap: float | None = None
    rounds: int | None = None
    error: str | None = None


Runs = dict[str, list[Run]]


def alternate(contestants: Mapping[str, Callable[[], object]], repeats: int, long: float = LONG) -> Runs:
    """Run each in turn, `repeats` times over; the long and the failed only once."""
    runs: Runs = {name: [] for name in contestants}
    for _ in range(repeats):
        for name, call in contestants.items():
            if all(run.error is None and run.seconds <= long for run in runs[name]):
                runs[name].append(timed(call))
    return runs


def timed(call: Callable[[], object]) -> Run:
    """One call on the clock. A failure is recorded; an interrupt, which a fit would survive, is not."""
    gc.collect()
    start = time.perf_counter()
    try:
        model = call()
    except Exception as error:  # one contestant's failure is a result
        return Run(time.perf_counter() - start, error=f"{type(error).__name__}: {error}")
    seconds = time.perf_counter() - start
    certificate = getattr(model, "certificate_", None)
    if certificate is None:
        return Run(seconds)
    if certificate.status == "interrupted":
        raise KeyboardInterrupt
    rounds = int(model.n_iter_)  # type: ignore[attr-defined]
    return Run(seconds, certificate.status, float(certificate.gap), rounds)


def merged(parts: Iterable[Runs]) -> Runs:
    """The runs of several contests as one."""
    whole: Runs = {}
    for part in parts:
        for name, runs in part.items():
            whole.setdefault(name, []).extend(runs)
    return whole


def plain(runs: Runs) -> dict[str, list[dict[str, Any]]]:
    """The same for JSON."""
    return {name: [asdict(run) for run in each] for name, each in runs.items()}


def median(runs: list[Run], at_most: float = float("inf")) -> float | None:
    """The median time, no run counted as more than `at_most`; None if one failed."""
    if failure(runs) is not None:
        return None
    return statistics.median(min(run.seconds, at_most) for run in runs)


def failure(runs: list[Run]) -> str | None:
    """The first error, on one line."""
    errors = (run.error for run in runs if run.error is not None)
    return next((textwrap.shorten(error, 120, placeholder=" ...") for error in errors), None)


def closed(runs: list[Run]) -> bool:
    """Whether every run ended with status "optimal"."""
    return all(run.status == "optimal" for run in runs)


def shown(seconds: float | None) -> str:
    """A time to three digits."""
    if seconds is None:
        return "failed"
    if seconds < 0.9995:
        return f"{1e3 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 999.5 else f"{seconds:.0f} s"


def say(text: str) -> None:
    """A line of progress."""
    print(text, file=sys.stderr, flush=True)


def say_runs(label: str, runs: Runs) -> None:
    """A line of progress with median times."""
    times = ", ".join(f"{name} {failure(each) or shown(median(each))}" for name, each in runs.items())
    say(f"{label}: {times}")


def conditions() -> dict[str, Any]:
    """The machine, the versions, and its load: how many processes wanted to run over the last minute."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan
    return {**hardware(), "load": load, "versions": versions()}
