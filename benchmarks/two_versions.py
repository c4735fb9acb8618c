"""Whether one version of the library is slower than another, workload by workload.

    python benchmarks/two_versions.py DIR OLD_PYTHON NEW_PYTHON [--turns 5]

DIR holds raetsch/*.npz and large/covtype.npz; the two are the interpreters in which the versions are
installed. Both run the same workloads by turns, each turn in a process of its own; of each workload the least
CPU time counts.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

Workload = tuple[str, Callable[[], object]]
SETS = ("banana", "diabetis", "german", "image", "ringnorm", "splice", "twonorm", "waveform")


def workloads(data: Path) -> Iterator[Workload]:
    """What both versions do, through public names that both have."""
    import frankboost as fb  # noqa: PLC0415 - only in the processes that are timed

    def fit(kind: str, X: Any, y: Any, **settings: Any) -> Callable[[], object]:
        return lambda: getattr(fb, kind)(**{"nu": 0.3, **settings}).fit(X, y)

    sets = {name: _load(data / "raetsch" / f"{name}.npz") for name in SETS}
    for name, (X, y) in sets.items():
        yield f"LevelBoost, {name}", fit("SoftMarginClassifier", X, y)
    X, y = sets["waveform"]
    yield "LevelBoost, waveform, all thresholds", fit("SoftMarginClassifier", X, y, max_bins=None)
    yield "LevelBoost, waveform, depth 3", fit("SoftMarginClassifier", X, y, max_depth=3, max_iter=8)
    X, y = sets["german"]
    yield "LPBoost, german", fit("LPBoostClassifier", X, y, max_iter=60)
    yield "ERLPBoost, german", fit("ERLPBoostClassifier", X, y, max_iter=100)
    yield "MLPBoost(pairwise, lp), german", fit("MLPBoostClassifier", X, y, fw_rule="pairwise", max_iter=60)
    yield "C-ERLPBoost, german", fit("CERLPBoostClassifier", X, y, max_iter=200)
    X, y = sets["twonorm"]
    model = fb.SoftMarginClassifier(nu=0.3).fit(X, y)
    many = np.repeat(X, 14, axis=0)
    yield "predict, 100,000 rows", lambda: model.decision_function(many)
    yield "predict, 10 rows, 200 times", lambda: [model.decision_function(X[:10]) for _ in range(200)]
    yield "verify, twonorm", lambda: fb.verify(model, X, y)
    X, y = _load(data / "large" / "covtype.npz")
    yield "LevelBoost, covtype", fit("SoftMarginClassifier", X, y, tol=0.05, n_jobs=2)


def _load(path: Path) -> tuple[Any, Any]:
    with np.load(path) as data:
        return data["X"].astype(np.float64), data["y"]


def measure(data: Path) -> dict[str, float]:
    """CPU seconds of each workload, the better of two."""
    found = {}
    for name, work in workloads(data):
        seconds = []
        for _ in range(2):
            start = time.process_time()
            work()
            seconds.append(time.process_time() - start)
        found[name] = min(seconds)
    return found


def main() -> None:
    """Measure, or compare two that measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--turns", type=int, default=5)
    args = parser.parse_args()
    if not args.pythons:
        json.dump(measure(args.data), sys.stdout)
        return
    turns: list[list[dict[str, float]]] = []
    for _ in range(args.turns):
        commands = [[python, __file__, str(args.data)] for python in args.pythons]
        turns.append(
            [json.loads(subprocess.run(c, check=True, capture_output=True).stdout) for c in commands]
        )
    ratios = []
    print(f"{'workload':40} {'old, s':>9} {'new, s':>9} {'new/old':>8}")
    for name in turns[0][0]:
        old, new = (min(turn[k][name] for turn in turns) for k in range(2))
        ratios.append(new / old)
        print(f"{name:40} {old:9.4f} {new:9.4f} {new / old:8.3f}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean {mean:.3f}, largest {max(ratios):.3f}")


if __name__ == "__main__":
    main()
