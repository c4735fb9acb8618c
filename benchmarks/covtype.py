"""The forest cover types, 581,012 rows: time against HistGradientBoostingClassifier, and peak memory."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from contest import Runs, alternate, closed, failure, median, plain, say, say_runs, shown
from report import Asked, Result, Row
from sets import SAFETY, THREADS, Scope
from sklearn.ensemble import HistGradientBoostingClassifier

from frankboost import SoftMarginClassifier
from frankboost.datasets import Dataset, breast_cancer

NU, TOL = 0.3, 0.02
TIME, MEMORY = Asked("ours/theirs", "<=", 1.5), Asked("GB", "<=", 1.5)
WHAT, AGAINST = (
    f"SoftMarginClassifier, covtype, nu = {NU:g}, tol = {TOL:g}",
    "HistGradientBoostingClassifier()",
)


def compare(scope: Scope) -> Result:
    """Time in this process, by turns; memory in one of its own."""
    path = scope.covtype()
    if scope.quick or path is None:
        why = "not part of the quick run" if scope.quick else "needs large/covtype.npz of the data folder"
        say(f"covtype: skipped, {why}")
        rows = [
            Row(WHAT, AGAINST, "-", "-", None, TIME),
            Row(f"{WHAT}: peak memory", "", "-", "-", None, MEMORY),
        ]
        return Result(rows, [f"covtype was skipped: {why}."])
    say("covtype: a fit for its memory, then one of each for the time ...")
    memory = _peak_memory(path)
    say(f"covtype, peak memory: {memory}")
    runs = _contest(path)
    say_runs("covtype", runs)
    return Result(
        [_time(runs), _memory(memory)], _notes(runs, memory), {"runs": plain(runs), "memory": memory}
    )


def _contest(path: Path) -> Runs:
    ours = SoftMarginClassifier(NU, TOL, n_jobs=THREADS, time_limit=SAFETY)
    theirs = HistGradientBoostingClassifier()
    runs: Runs = {}
    for data, repeats in [(breast_cancer(), 1), (_read(path), 3)]:  # the first for imports and pages
        fits = {"ours": partial(ours.fit, data.X, data.y), "theirs": partial(theirs.fit, data.X, data.y)}
        runs = alternate(fits, repeats)
    return runs


def _read(path: Path) -> Dataset:
    with np.load(path, allow_pickle=False) as file:
        return Dataset(path.stem, file["X"], file["y"])


def _peak_memory(path: Path) -> dict[str, Any]:
    """What peak_memory.py prints, or the error it ended with."""
    script = Path(__file__).with_name("peak_memory.py")
    command = [sys.executable, script, path, NU, TOL, THREADS, SAFETY]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [""]
        return {"error": f"exit code {done.returncode}: {last[0]}"}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _time(runs: Runs) -> Row:
    ours, theirs = median(runs["ours"]), median(runs["theirs"])
    ratio = None if ours is None or theirs is None else ours / theirs
    return Row(WHAT, AGAINST, shown(ours), shown(theirs), ratio, TIME, closed(runs["ours"]))


def _memory(found: dict[str, Any]) -> Row:
    gigabytes = found["bytes"] / 1e9 if "bytes" in found else None
    ours = "failed" if gigabytes is None else f"{gigabytes:.2f} GB"
    sound = found.get("status") == "optimal"
    return Row(f"{WHAT}: peak memory", "a limit", ours, "-", gigabytes, MEMORY, sound)


def _notes(runs: Runs, memory: dict[str, Any]) -> list[str]:
    notes = [
        f"covtype: {name} failed: {error}" for name in runs if (error := failure(runs[name])) is not None
    ]
    if "error" in memory:
        return [*notes, f"covtype, peak memory: failed: {memory['error']}"]
    before = memory["bytes_before_fit"] / 1e9
    return [
        *notes,
        f"covtype, peak memory: of a process of its own, all included (interpreter, libraries, the data, "
        f"the fit), {memory['source']}; {before:.2f} GB before the fit.",
    ]
