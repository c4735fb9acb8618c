"""The file of results of a study: a line of JSON for each outcome."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from studies.algorithms import OURS, OURS_ONE_TREE
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
        """The path of the file."""
        return str(self.file.name)

    def add(self, outcome: Outcome) -> None:
        """Append a line: after the call the whole line is on the disk, and after an error no part of it."""
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
        """Raise a ValueError if the file has outcomes of other settings, which cannot be compared with these.

        LevelBoost and the worst case have their own settings.
        """
        planned = {_kind(trial): trial for trial in trials}
        for known in (outcome.trial for outcome in self.known.values()):
            asked = planned.get(_kind(known), known)
            for name in settings:
                old, new = getattr(known, name), getattr(asked, name)
                if old != new:
                    holds = f"{self.name} holds results with {name} = {old}, not {new}"
                    raise ValueError(f"{holds}; choose another folder with --out")


@contextmanager
def open_results(path: Path) -> Iterator[ResultsFile]:
    """Open a file of results, to which one study at a time may add."""
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
        file.truncate(len(data))  # drops a line that an interrupted study did not finish
        yield ResultsFile(file, known)


def read(path: Path) -> dict[str, Outcome]:
    """Read the outcomes by key; the last line of a key counts, and an unfinished line is left out.

    A ValueError names the file and the mistake in it.
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
    return trial.algorithm in (OURS, OURS_ONE_TREE), trial.dataset == WORST_CASE
