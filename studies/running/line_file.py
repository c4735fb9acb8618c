"""A file with one JSON object per line, each there for good once it is written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Line = dict[str, Any]


@dataclass(eq=False)
class LineFile(Generic[Key]):
    """An open file, and the last line of each key in it."""

    file: FileIO
    key_of: Callable[[Line], Key]
    known: dict[Key, Line]

    def add(self, line: Line) -> None:
        """Append a line; when this returns, it is on the disk. If it raises, nothing is there of it."""
        data = _encoded(line)
        whole = self.file.seek(0, os.SEEK_END)
        try:
            self._write(data)
            os.fsync(self.file.fileno())
        except BaseException as error:
            self.file.truncate(whole)
            if isinstance(error, OSError) and error.errno is not None:
                error.filename = self.file.name
            raise
        self.known[self.key_of(line)] = line

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self.file.write(rest) :]


@contextmanager
def open_lines(path: Path, key_of: Callable[[Line], Key]) -> Iterator[LineFile[Key]]:
    """Open a file that one process at a time may add to."""
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
        known = _parsed(path, data, key_of)
        file.truncate(len(data))  # the next line must not continue one that was cut off
        yield LineFile(file, key_of, known)


def read_lines(path: Path, key_of: Callable[[Line], Key]) -> dict[Key, Line]:
    """The last line of each key; a line that was cut off while it was written is left out.

    A ValueError names the file if another line is not a JSON object with a key.
    """
    return _parsed(path, _whole_lines(path.read_bytes()), key_of)


def _encoded(line: Line) -> bytes:
    return (json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n").encode()


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


def _parsed(path: Path, data: bytes, key_of: Callable[[Line], Key]) -> dict[Key, Line]:
    known: dict[Key, Line] = {}
    for number, text in enumerate(data.splitlines(), start=1):
        try:
            line = json.loads(text)
            known[key_of(line)] = line
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number}: not a result, a JSON object with a key") from None
    return known
