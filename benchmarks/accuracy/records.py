"""The file of results: one JSON object a line, each there for good once it is written."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from accuracy.trial import Trial

NAME = "results.jsonl"
CONDITIONS = ("train_rows", "test_rows", "threads")

Line = dict[str, Any]
Key = tuple[str, int, str]


@dataclass(eq=False)
class Records:
    """An open file of results, and the last line of each trial."""

    file: FileIO
    known: dict[Key, Line]

    def missing(self, trials: list[Trial]) -> list[Trial]:
        """Those without a line; a ValueError if the lines were made under other conditions."""
        for line in self.known.values() if trials else ():
            for name in CONDITIONS:  # which all trials of a run share
                there, asked = line[name], getattr(trials[0], name)
                if there != asked:
                    raise ValueError(
                        f"{self.file.name} has {name} = {there}, not {asked}; choose another folder"
                    )
        return [trial for trial in trials if trial.key not in self.known]

    def add(self, line: Line) -> None:
        """Append a line; when this returns, it is on the disk."""
        self._write(line)
        os.fsync(self.file.fileno())
        self.known[key_of(line)] = line

    def forget(self, which: Callable[[Line], bool]) -> None:
        """Take lines out of the file, so that their trials are missing."""
        self.known = {key: line for key, line in self.known.items() if not which(line)}
        self.file.truncate(0)
        for line in self.known.values():
            self._write(line)

    def _write(self, line: Line) -> None:
        rest = memoryview((json.dumps(line, allow_nan=False) + "\n").encode())
        while rest:
            rest = rest[self.file.write(rest) :]


@contextmanager
def open_records(path: Path) -> Iterator[Records]:
    """Open a file that one process at a time may add to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(
                f"{path} is being written by another run; wait, or choose another folder"
            ) from None
        file.seek(0)
        data = file.readall()
        whole = data.rfind(b"\n") + 1
        file.truncate(whole)  # the next line must not continue one that was cut off
        yield Records(file, _parsed(path, data[:whole]))


def read(path: Path) -> list[Line]:
    """The last line of each trial; one that was cut off while it was written is left out."""
    data = path.read_bytes()
    return list(_parsed(path, data[: data.rfind(b"\n") + 1]).values())


def key_of(line: Line) -> Key:
    """The trial of a line."""
    return line["set"], line["split"], line["model"]


def _parsed(path: Path, data: bytes) -> dict[Key, Line]:
    known: dict[Key, Line] = {}
    for number, text in enumerate(data.splitlines(), start=1):
        try:
            line = json.loads(text)
            known[key_of(line)] = line
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number}: not a result") from None
    return known
