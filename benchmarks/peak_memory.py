"""Fit one set in a process of its own and print its time, status and peak memory as JSON.

    python benchmarks/peak_memory.py FILE.npz NU TOL THREADS LIMIT

The peak is that of the whole process: interpreter, libraries, the data and the fit. On Linux it is VmHWM of
/proc, since ru_maxrss there starts at the size of the process that started this one; elsewhere ru_maxrss.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

from frankboost import SoftMarginClassifier


def peak() -> tuple[int, str]:
    """Bytes, and where they come from."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024, "VmHWM"
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit, "ru_maxrss"


def main(path: str, nu: str, tol: str, threads: str, limit: str) -> None:
    """Load, fit, print."""
    with np.load(path, allow_pickle=False) as file:
        X, y = file["X"], file["y"]
    before, _ = peak()
    model = SoftMarginClassifier(float(nu), float(tol), n_jobs=int(threads), time_limit=float(limit))
    start = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - start
    after, source = peak()
    found = {"bytes": after, "bytes_before_fit": before, "source": source}
    print(json.dumps(found | {"seconds": seconds, "status": model.certificate_.status}))


if __name__ == "__main__":
    main(*sys.argv[1:])
