"""Live progress in a terminal."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from frankboost.trace import Record

HEADER = "  round   seconds  soft margin     bound       gap hypotheses  support"


class ProgressTable:
    """A callback that prints a row for the first round and then about one a second."""

    def __init__(self, stream: TextIO | None = None, every: float = 1.0) -> None:
        self._stream = stream or sys.stderr
        self._every = every
        self._next = -float("inf")
        self._last: Record | None = None
        print(HEADER, file=self._stream)

    def __call__(self, record: Record) -> None:
        """Show a round, if it is time."""
        self._last = record
        if time.perf_counter() >= self._next:
            self._show()

    def close(self) -> None:
        """Show the last round."""
        if self._last is not None:
            self._show()

    def _show(self) -> None:
        r, self._last = self._last, None
        assert r is not None
        self._next = time.perf_counter() + self._every
        print(
            f"{r.round:>7} {r.seconds:>9.2f} {r.soft_margin:>12.5f} {r.bound:>9.5f} {r.gap:>9.5f} "
            f"{r.hypotheses:>10} {r.support:>8}",
            file=self._stream,
            flush=True,
        )
