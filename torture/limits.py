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
import os, resource, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from torture.samples import check, sample
import frankboost as fb
what, amount, rows, depth, classes = sys.argv[1], *map(int, sys.argv[2:])
X, y = sample(rows, 8)
y = y + (classes == 3) * (X[:, 2] > 1.0)
model = fb.SoftMarginClassifier(0.3, 0.1, max_depth=depth, n_jobs=4, max_iter=5)
# What is imported only when it is needed is there now: the loader has no clear error for want of memory.
check(model.fit(X[:50], y[:50]), X[:50], y[:50])
# OpenBLAS takes one buffer for every thread that multiplies at the same time, or ends the process.
list(ThreadPoolExecutor(4).map(lambda A: A @ A, np.ones((64, 300, 300))))
if what == "memory":
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + amount,) * 2)
else:
    if os.geteuid() == 0:
        os.setuid(50_000 + os.getpid() % 10_000)  # no limit binds root
    resource.setrlimit(resource.RLIMIT_NPROC, (amount,) * 2)
try:
    check(model.set_params(nu=0.1, tol=0.02, max_iter=30).fit(X, y), X, y)
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
    amount = int(10.0 ** rng.uniform(5, 8.3)) if kind == "memory" else int(rng.integers(1, 4))
    shape = [int(10.0 ** rng.uniform(2, 3.3)), int(rng.integers(1, 4)), int(rng.integers(2, 4))]
    told = f"{kind} limited to {amount}, {shape[0]} rows, depth {shape[1]}, {shape[2]} classes"
    command = [sys.executable, "-c", PROGRAM, kind, *map(str, (amount, *shape))]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    root = Path(__file__).parents[1]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, cwd=root, env=environment, check=False, timeout=120
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{told}: no end within {error.timeout} s") from None
    if ended.returncode or ended.stdout.strip() not in ("fitted", "MemoryError"):
        raise Failure(f"{told}: exit {ended.returncode}, {ended.stdout}{ended.stderr[-2000:]}")
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
