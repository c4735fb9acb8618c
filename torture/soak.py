"""Fit, predict, save, load and verify again and again: memory, threads and open files stay what they were."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import threading
from pathlib import Path

import frankboost as fb
from torture.kind import Skipped, Tried, require
from torture.samples import check, sample

LOOPS = 60
MOST_GROWTH = 20e6  # bytes, after what the first loops take for good


def attempt(seed: int) -> Tried:
    """Some loops, measured after a third of them and at the end."""
    if sys.platform != "linux":
        raise Skipped("what a process has open is told as Linux does")
    X, y = sample(150, 5, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        for k in range(LOOPS):
            model = fb.SoftMarginClassifier(0.2, 0.05, n_jobs=1 + k % 2).fit(X, y)
            fb.save(model, path)
            check(fb.load(path), X, y)
            if k == LOOPS // 3:
                before = _measured()
        after = _measured()
    require(after[0] - before[0] < MOST_GROWTH, f"memory grew from {before[0]:g} to {after[0]:g} bytes")
    require(after[1:] == before[1:], f"threads and files were {before[1:]} and are {after[1:]}")
    return Tried({"loops": LOOPS})


def _measured() -> tuple[float, int, int]:
    """Resident bytes, threads, and open files."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize(), threading.active_count(), len(os.listdir("/proc/self/fd"))
