"""Results from their file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIELDS = ("key", "part", "dataset", "algorithm", "status")


def read(path: Path) -> dict[str, dict[str, Any]]:
    """The runs of a runs.jsonl by key; the last line of a key counts.

    A last line without its end was cut off while it was written, and does not count.

    Raises
    ------
    ValueError
        If another line is not a run; the message names the file and the line.
    """
    runs: dict[str, dict[str, Any]] = {}
    *lines, _torn = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        try:
            run = json.loads(line)
        except ValueError:
            run = None
        if not isinstance(run, dict) or any(name not in run for name in FIELDS):
            raise ValueError(f"{path}, line {number}: must be a JSON object with {', '.join(FIELDS)}")
        runs[run["key"]] = run
    return runs
