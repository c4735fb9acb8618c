"""The file of a study's results: a line of JSON for each outcome, there for good once it is written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from studies.algorithms import EQUAL, OURS
from studies.running.outcome import Outcome
from studies.running.trial import Trial
from studies.sets import WORST_CASE

NAME = "runs.jsonl"


@dataclass(eq=False)
class ResultsFile:
    """An open file of results, and the outcomes in it by key."""

    file: FileIO
    known: dict[str, Outcome]

    @property
    def name(self) -> str:
        """Where it is."""
        return str(self.file.name)

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
                error.filename = self.name
            raise
        self.known[outcome.key] = outcome

    def check_same(self, trials: Iterable[Trial], settings: Iterable[str]) -> None:
        """A ValueError if the file has outcomes of other settings, with which these cannot be compared.

        LevelBoost and the worst case have settings of their own.
        """
        planned = {_kind(trial): trial for trial in trials}
        for there in (outcome.trial for outcome in self.known.values()):
            asked = planned.get(_kind(there), there)
            for name in settings:
                old, new = getattr(there, name), getattr(asked, name)
                if old != new:
                    holds = f"{self.name} holds results with {name} = {old}, not {new}"
                    raise ValueError(f"{holds}; choose another folder with --out")


@contextmanager
def open_results(path: Path) -> Iterator[ResultsFile]:
    """Open a file that one study at a time may add to."""
    import fcntl  # noqa: PLC0415  (Windows has none, and may read)

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            busy = f"{path} is being written by another study; wait for it, or choose another folder"
            raise ValueError(busy) from None
        file.seek(0)
        data = _whole_lines(file.readall())
        known = _outcomes(path, data)
        file.truncate(len(data))  # the next line must not continue one that was cut off
        yield ResultsFile(file, known)


def read(path: Path) -> dict[str, Outcome]:
    """The outcomes by key, the last line of each; a line that was cut off while it was written is left out.

    A ValueError names the file if another line is not a result, or lacks something.
    """
    return _outcomes(path, _whole_lines(path.read_bytes()))


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


def _outcomes(path: Path, data: bytes) -> dict[str, Outcome]:
    lines = {}
    for number, text in enumerate(data.splitlines(), start=1):
        try:
            line = json.loads(text)
            lines[line["key"]] = line
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number}: not a result, a JSON object with a key") from None
    try:
        return {key: Outcome.from_json(line) for key, line in lines.items()}
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _kind(trial: Trial) -> tuple[bool, bool]:
    return trial.algorithm in (OURS, EQUAL), trial.dataset == WORST_CASE
