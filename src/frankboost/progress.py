"""Live progress: a table in a terminal, a bar in a notebook."""

from __future__ import annotations

import math
import sys
import time
from typing import Any, TextIO

from frankboost.trace import Record

HEADER = "  round   seconds  soft margin     bound       gap hypotheses  support"


class _Live:
    """A callback that shows the first round, then one every so often, and the last when it is closed."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._next = -math.inf
        self._last: Record | None = None

    def __call__(self, record: Record) -> None:
        """Show a round, if it is time."""
        self._last = record
        if time.perf_counter() >= self._next:
            self.close()

    def close(self) -> None:
        """Show the last round, if it is not shown yet."""
        if self._last is not None:
            record, self._last = self._last, None
            self._next = time.perf_counter() + self._every
            self._show(record)

    def _show(self, record: Record) -> None:
        raise NotImplementedError


class ProgressTable(_Live):
    """A callback that prints a row for the first round and then about one a second."""

    def __init__(self, stream: TextIO | None = None, every: float = 1.0) -> None:
        super().__init__(every)
        self._stream = stream or sys.stderr
        print(HEADER, file=self._stream)

    def _show(self, record: Record) -> None:
        r = record
        print(
            f"{r.round:>7} {r.seconds:>9.2f} {r.soft_margin:>12.5f} {r.bound:>9.5f} {r.gap:>9.5f} "
            f"{r.hypotheses:>10} {r.support:>8}",
            file=self._stream,
            flush=True,
        )


class ProgressBar(_Live):
    """A callback that draws a bar in a notebook: how far the gap has come towards its end, on a log scale."""

    def __init__(self, display: Any, tol: float, every: float = 0.2) -> None:
        super().__init__(every)
        self._display = display
        self._tol = tol
        self._first: float | None = None
        self._handle: Any = None

    def share(self, gap: float) -> float:
        """How far from the first gap to the tolerance, in [0, 1]."""
        self._first = gap if self._first is None else self._first
        if gap <= self._tol or self._first <= self._tol:
            return 1.0
        return max(0.0, math.log(self._first / gap) / math.log(self._first / self._tol))

    def _show(self, record: Record) -> None:
        r = record
        bar = _Html(
            f"<progress value='{self.share(r.gap):.4f}' max='1' style='width:20em'></progress> "
            f"round {r.round}, {r.seconds:.1f} s: {r.soft_margin:.5f} &le; optimum &le; {r.bound:.5f}, "
            f"gap {r.gap:.5f}",
            f"round {r.round}, {r.seconds:.1f} s: gap {r.gap:.5f}",
        )
        if self._handle is None:
            self._handle = self._display(bar, display_id=True)
        else:
            self._handle.update(bar)


class _Html:
    def __init__(self, html: str, text: str) -> None:
        self._html, self._text = html, text

    def _repr_html_(self) -> str:
        return self._html

    def __repr__(self) -> str:
        return self._text


def live_progress(tol: float) -> ProgressBar | ProgressTable:
    """A bar in a notebook, a table anywhere else."""
    # The shell of a notebook is loaded if and only if we run in one.
    shell = sys.modules.get("ipykernel.zmqshell")
    display = sys.modules.get("IPython.display")
    if shell is not None and display is not None and shell.ZMQInteractiveShell.initialized():
        return ProgressBar(display.display, tol)
    return ProgressTable()
