"""Results of a study in a file: one JSON object per line, each there for good once it is written."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from frankboost.experiments.outcome import Outcome

NAME = "runs.jsonl"


def read(path: Path) -> dict[str, Outcome]:
    """The outcomes by key, the last line of each; a line that was cut off while it was written is left out.

    A ValueError names the file if another line is not a result, or lacks something.
    """
    return _parse(path, path.read_bytes())[0]


@dataclass(eq=False)
class ResultsFile:
    """An open file of results, and the outcomes in it by key."""

    file: FileIO
    known: dict[str, Outcome]

    def add(self, outcome: Outcome) -> None:
        """Append a line; when this returns, it is on the disk. If it raises, nothing is there of it."""
        line = json.dumps(outcome.to_json(), allow_nan=False, separators=(",", ":")) + "\n"
        whole = self.file.seek(0, os.SEEK_END)
        try:
            rest = memoryview(line.encode())
            while rest:
                rest = rest[self.file.write(rest) :]
            os.fsync(self.file.fileno())
        except BaseException as error:
            self.file.truncate(whole)
            if isinstance(error, OSError) and error.errno is not None:
                error.filename = self.file.name
            raise
        self.known[outcome.key] = outcome


@contextmanager
def open_results(path: Path) -> Iterator[ResultsFile]:
    """Open a file that one process at a time may add to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            busy = f"{path} is being written by another study; wait for it, or choose another folder"
            raise ValueError(busy) from None
        file.seek(0)
        known, whole = _parse(path, file.readall())
        file.truncate(whole)  # the next line must not continue one that was cut off
        yield ResultsFile(file, known)


def _parse(path: Path, data: bytes) -> tuple[dict[str, Outcome], int]:
    """The outcomes, and the length of all whole lines."""
    whole = data.rfind(b"\n") + 1
    last: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(data[:whole].splitlines(), start=1):
        try:
            entries = json.loads(line)
            last[entries["key"]] = entries
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number}: not a result, a JSON object with a key") from None
    try:
        return {key: Outcome.from_json(entries) for key, entries in last.items()}, whole
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
