"""Results of a study in a file: one JSON object a line, each there for good once it is written."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

Result = dict[str, Any]

NAME = "runs.jsonl"


def read(path: Path) -> dict[str, Result]:
    """The results by key, the last line of each; a line that was cut off while it was written is left out.

    Raises
    ------
    ValueError
        If another line is not a result; the message names file and line.
    """
    return _parse(path, path.read_bytes())[0]


class ResultsFile:
    """A file that one process at a time may add to.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ResultsFile(Path(folder) / "runs.jsonl") as file:
    ...         file.add({"key": "a", "status": "done"})
    ...     read(Path(folder) / "runs.jsonl")
    {'a': {'key': 'a', 'status': 'done'}}
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> ResultsFile:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            self._lock()
            self._file.seek(0)
            self.known, whole = _parse(self.path, self._file.read())
            self._file.truncate(whole)  # the next line must not continue one that was cut off
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(
                f"{self.path} is being written by another study; wait for it, or choose another folder"
            ) from None

    def add(self, result: Mapping[str, Any]) -> None:
        """Append a line; when this returns, it is on the disk."""
        line = json.dumps(result, allow_nan=False, separators=(",", ":")) + "\n"
        self._file.write(line.encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self.known[result["key"]] = dict(result)


def _parse(path: Path, data: bytes) -> tuple[dict[str, Result], int]:
    """The results, and the length of all whole lines."""
    whole = data.rfind(b"\n") + 1
    results: dict[str, Result] = {}
    for number, line in enumerate(data[:whole].splitlines(), start=1):
        try:
            result = json.loads(line)
            results[result["key"]] = result
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number}: not a result, a JSON object with a key") from None
    return results, whole
