"""Seconds to the certificate, set by set, from the results of a run: a Markdown table.

    python benchmarks/times.py [build/bench/results.json]

Means over nu of median wall times; `>` where a limit of the slower algorithms struck, counted as that limit.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean, median
from typing import Any

RIVALS = {"lpboost": "LPBoost", "mlpboost": "MLPBoost (short step, LP)"}


def main(path: Path) -> None:
    """Print the table."""
    comparisons = json.loads(path.read_text(encoding="utf-8"))["comparisons"]
    by_set: dict[str, dict[str, list[tuple[float, bool]]]] = {}
    for key, rival in RIVALS.items():
        for case in comparisons[key]["raw"]:
            mine = by_set.setdefault(case["set"], {})
            mine.setdefault(rival, []).append(_time(case["runs"]["theirs"], case["limit"]))
            if key == "lpboost":
                mine.setdefault("LevelBoost", []).append(_time(case["runs"]["ours"], float("inf")))
    columns = ["LevelBoost", *RIVALS.values()]
    print("| set | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name, times in by_set.items():
        print(f"| {name} | " + " | ".join(_mean(times[column]) for column in columns) + " |")


def _time(runs: list[dict[str, Any]], limit: float) -> tuple[float, bool]:
    """The median time, and whether the limit struck."""
    return median(min(run["seconds"], limit) for run in runs), any(
        run["status"] == "time_limit" for run in runs
    )


def _mean(times: list[tuple[float, bool]]) -> str:
    mean = fmean(seconds for seconds, _ in times)
    return (">" if any(struck for _, struck in times) else "") + f"{mean:.3g}"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench/results.json"))
