"""What a proof in integers costs: `verify` of one version against that of another, each on its own fit.

    python benchmarks/verify_exact.py DIR OLD_PYTHON NEW_PYTHON [--turns 3]

DIR holds raetsch/*.npz; the two are the interpreters in which the versions are installed. They run by turns,
each turn in a process of its own; of each set the least CPU time of a verification counts.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from pathlib import Path

import numpy as np


def measure(data: Path) -> dict[str, float]:
    """CPU seconds of one verification for each set, the least of three."""
    import frankboost as fb  # noqa: PLC0415 - only in the processes that are timed

    found = {}
    for path in sorted((data / "raetsch").glob("*.npz")):
        with np.load(path) as file:
            X, y, weight = file["X"].astype(np.float64), file["y"], file["count"].astype(np.float64)
        model = fb.SoftMarginClassifier(nu=0.3).fit(X, y, weight)
        seconds = []
        for _ in range(3):
            start = time.process_time()
            fb.verify(model, X, y, weight)
            seconds.append(time.process_time() - start)
        found[path.stem] = min(seconds)
    return found


def main() -> None:
    """Measure, or compare two that measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--turns", type=int, default=3)
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
    print(f"{'set':16} {'old, s':>9} {'new, s':>9} {'new/old':>8}")
    for name in turns[0][0]:
        old, new = (min(turn[k][name] for turn in turns) for k in range(2))
        ratios.append(new / old)
        print(f"{name:16} {old:9.4f} {new:9.4f} {new / old:8.3f}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean {mean:.3f}, largest {max(ratios):.3f}")


if __name__ == "__main__":
    main()
