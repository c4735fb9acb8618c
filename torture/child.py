"""A process for what may hang, take all memory or crash: then it ends, and that is a failure."""

from __future__ import annotations

import atexit
import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from torture.kind import Failure, Skipped, Tried

WALL = 20.0  # times the CPU time, for what waits and never ends; a busy machine is slow
_notes: IO[str] | None = None  # where the child writes what it is at; None outside of it


def apart(function: Callable[[int], Tried], seed: int, *, seconds: float, memory: float = 4e9) -> Tried:
    """function(seed) in another process, within CPU seconds and so many bytes more than are in use."""
    global _child  # noqa: PLW0603 - one at a time
    if sys.platform != "linux":
        raise Skipped("limits are set as Linux has them")
    if _child is None or not _child.serves(function):
        _close()
        _child = _Child(function)
    return _child.call(seed, seconds, memory)


def note(text: object) -> None:
    """Write down what is tried next, for the report if this process ends."""
    if _notes is not None:
        _notes.seek(0)
        _notes.truncate()
        _notes.write(f"{text}\n")
        _notes.flush()


def ending(code: int | None) -> str:
    """How a process ended."""
    return f"by {signal.Signals(-code).name}" if code is not None and code < 0 else f"with status {code}"


class _Child:
    """The process, which calls one function with one seed after another."""

    def __init__(self, function: Callable[[int], Tried]) -> None:
        self._function = function
        self._notes = Path(tempfile.mkstemp(prefix="torture-")[1])
        context = multiprocessing.get_context("spawn")
        self._line, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, function, self._notes))
        self._process.start()
        there.close()

    def serves(self, function: Callable[[int], Tried]) -> bool:
        return self._function is function and self._process.is_alive()

    def call(self, seed: int, seconds: float, memory: float) -> Tried:
        with suppress(ConnectionError):
            self._line.send((seed, seconds, memory))
        if not self._line.poll(WALL * seconds):
            self._process.kill()
            self._process.join()
            raise Failure(f"no end within {WALL * seconds:g} s\n{self._notes.read_text()}")
        try:
            answer = self._line.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            how = ending(self._process.exitcode)
            limit = f"; SIGPROF: after {seconds:g} s of CPU time" if "SIGPROF" in how else ""
            raise Failure(f"the process ended {how}{limit}\n{self._notes.read_text()}") from None
        if isinstance(answer, BaseException):
            raise answer
        return Tried(answer)

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._line.close()
        self._notes.unlink(missing_ok=True)


_child: _Child | None = None


def _close() -> None:
    if _child is not None:
        _child.close()


atexit.register(_close)  # no daemon, which could have no children of its own


def _serve(line: Connection, function: Callable[[int], Tried], notes: Path) -> None:
    global _notes  # noqa: PLW0603 - of this process
    _notes = notes.open("w", encoding="utf-8", errors="backslashreplace")
    faulthandler.enable(_notes)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # it ends the process, whatever runs
    faulthandler.register(signal.SIGPROF, _notes, chain=True)
    while True:
        try:
            seed, seconds, memory = line.recv()
        except EOFError:
            return
        resource.setrlimit(resource.RLIMIT_AS, (_in_use() + int(memory), resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer = _answer(function, seed)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        line.send(answer)


def _answer(function: Callable[[int], Tried], seed: int) -> object:
    try:
        return dict(function(seed))
    except (Failure, Skipped) as found:
        return type(found)(str(found))
    except Exception:
        return Failure(traceback.format_exc())


def _in_use() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def limited(seconds: float, memory: float) -> Callable[[], Any]:
    """What sets limits in a process between fork and exec."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))

    return limit
