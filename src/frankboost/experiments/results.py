"""Results of a study in a file: one JSON object a line, each there for good once it is written."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from frankboost.experiments.outcome import Outcome

NAME = "runs.jsonl"


def read(path: Path) -> dict[str, Outcome]:
    """The outcomes by key, the last line of each; a line that was cut off while it was written is left out.

    Raises
    ------
    ValueError
        If another line is not a result, or lacks something; the message names the file.
    """
    return _parse(path, path.read_bytes())[0]


class ResultsFile:
    """A file that one process at a time may add to.

    Examples
    --------
    >>> import tempfile
    >>> from frankboost.experiments.outcome import Failure
    >>> from frankboost.experiments.trial import Trial
    >>> outcome = Outcome(Trial("times", "heart", "LPB", 0.1), Failure("crash", "no power"), "", {}, {})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ResultsFile(Path(folder) / "runs.jsonl") as file:
    ...         file.add(outcome)
    ...     read(Path(folder) / "runs.jsonl") == {"times/heart/LPB/nu=0.1": outcome}
    True
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> ResultsFile:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._file.seek(0)
            self.known, whole = _parse(self.path, self._file.read())
            self._file.truncate(whole)  # the next line must not continue one that was cut off
        except BlockingIOError:
            self._file.close()
            busy = f"{self.path} is being written by another study; wait for it, or choose another folder"
            raise ValueError(busy) from None
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, outcome: Outcome) -> None:
        """Append a line; when this returns, it is on the disk."""
        line = json.dumps(outcome.to_json(), allow_nan=False, separators=(",", ":")) + "\n"
        self._file.write(line.encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self.known[outcome.key] = outcome


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
