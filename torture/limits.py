"""Little memory, few threads and a full disk: the right answer or a clear error, and never an abort."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import frankboost as fb
from torture.kind import Failure, Skipped, Tried
from torture.samples import sample

PROGRAM = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from torture.samples import check, sample
import frankboost as fb
what, amount, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
X, y = sample(rows, 8)
# What is imported only when it is needed is there now: the loader has no clear error for want of memory.
check(fb.SoftMarginClassifier(0.3, 0.1, max_depth=1).fit(X[:50], y[:50]), X[:50], y[:50])
# OpenBLAS takes one buffer for every thread that multiplies at the same time, or ends the process.
list(ThreadPoolExecutor(4).map(lambda A: A @ A, np.ones((64, 300, 300))))
if what == "memory":
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + amount,) * 2)
else:
    resource.setrlimit(resource.RLIMIT_NPROC, (amount,) * 2)
try:
    model = fb.SoftMarginClassifier(0.1, 0.02, n_jobs=4, max_iter=30).fit(X, y)
    check(model, X, y)
    print("fitted")
except MemoryError:
    print("MemoryError")
"""
KINDS = ("memory", "threads", "disk")


def attempt(seed: int) -> Tried:
    """One process with a limit, or one file on a full disk."""
    if sys.platform != "linux":
        raise Skipped("limits are set as Linux has them")
    rng = np.random.default_rng([19, seed])
    kind = KINDS[seed % len(KINDS)]
    if kind == "disk":
        return _full_disk()
    if kind == "threads" and os.geteuid() == 0:
        return Tried({"threads: skipped, as no limit binds root": 1})
    amount = int(10.0 ** rng.uniform(5, 8.3)) if kind == "memory" else int(rng.integers(1, 4))
    command = [sys.executable, "-c", PROGRAM, kind, str(amount), str(rng.integers(100, 3000))]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    root = Path(__file__).parents[1]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, cwd=root, env=environment, check=False, timeout=120
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{kind} limited to {amount}: no end within {error.timeout} s") from None
    if ended.returncode or ended.stdout.strip() not in ("fitted", "MemoryError"):
        raise Failure(
            f"{kind} limited to {amount}: exit {ended.returncode}, {ended.stdout}{ended.stderr[-2000:]}"
        )
    return Tried({f"{kind}: {ended.stdout.strip()}": 1})


def _full_disk() -> Tried:
    """A device that is always full, for a model and for what the command line writes."""
    full = Path("/dev/full")
    if not full.exists():
        raise Skipped("there is no /dev/full")
    X, y = sample(30, 2)
    model = fb.SoftMarginClassifier(0.3, 0.1, max_depth=1).fit(X, y)
    try:
        fb.save(model, full)
    except OSError:
        pass
    else:
        raise Failure("a model was saved on a full disk")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data.csv")
        lines = [
            "a,b,y",
            *(f"{a!r},{b!r},{label}" for (a, b), label in zip(X.tolist(), y.tolist(), strict=True)),
        ]
        data.write_text("\n".join(lines) + "\n")
        command = [
            sys.executable,
            "-m",
            "frankboost",
            "fit",
            str(data),
            "--target",
            "y",
            "--model",
            str(full),
        ]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode == 0 or "Traceback" in ended.stderr:
        raise Failure(f"frankboost fit --model /dev/full: exit {ended.returncode}, {ended.stderr}")
    return Tried({"disk: errors": 2})
