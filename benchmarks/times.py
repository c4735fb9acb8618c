"""The table of times in docs/benchmarks.md, from those of the reproduction: CPU seconds set by set.

python benchmarks/times.py [docs/reproduction]
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

OURS = {
    "LevelBoost (s)": "LevelBoost",
    "LPB (s)": "LPBoost",
    "ERLPB (s)": "ERLPBoost",
    "MLPB (SS) (s)": "MLPBoost (SS)",
    "MLPB (PFW) (s)": "MLPBoost (PFW)",
}
THEIRS = {"LPB": "LPBoost, paper", "MLPB (SS)": "MLPBoost (SS), paper"}


def table(folder: Path) -> str:
    """The rows, smallest set first."""
    times = sorted(_rows(folder, "times")[:-1], key=lambda row: int(row["m"]))
    printed = {(row["set"], row["algorithm"]): row["paper (s)"] for row in _rows(folder, "times-paper")}
    columns = [*OURS.values(), *THEIRS.values()]
    lines = ["| set | m | " + " | ".join(columns) + " |", "|---|---:|" + "---:|" * len(columns)]
    for row in times:
        cells = [row[name] for name in OURS] + [printed[row["set"], name] for name in THEIRS]
        lines.append(f"| {row['set']} | {row['m']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    print(table(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reproduction")))
