"""Live progress, for estimators and commands alike: in a terminal, in a file, in a notebook."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from frankboost.trace import HEADER, Record, row_of

CLEAR = "\r\x1b[2K"  # back to the first column, and erase the line


class Live:
    """Show the first state, then one state per interval, and the last state at the end.

    A state is shown in `terminal`, on a line that is rewritten in place. Without a terminal it is a line of
    `out`, or, unless `lines`, not shown at all. Nothing else ever moves a cursor.
    """

    def __init__(
        self, out: TextIO, terminal: TextIO | None = None, *, every: float = 0.2, lines: bool = False
    ) -> None:
        self._out, self._terminal = out, terminal
        self._every, self._lines = every, lines
        self._next = -math.inf
        self._held: Callable[[], Any] | None = None
        self._shown = False

    def show(self, state: Callable[[], Any]) -> None:
        """Show a state if it is time for one."""
        self._held = state
        if time.monotonic() >= self._next:
            self.close()

    def close(self) -> None:
        """Show the last state, if it is not shown yet."""
        if self._held is not None:
            state, self._held = self._held, None
            self._next = time.monotonic() + self._every
            self._put(state())

    def line(self, text: str = "") -> None:
        """Print a line that stays, in the place of the state."""
        self.clear()
        print(text, file=self._out, flush=True)

    def clear(self) -> None:
        """Take the state away."""
        self._held = None
        if self._shown:
            print(CLEAR, end="", file=self._terminal, flush=True)
            self._shown = False

    def _put(self, state: Any) -> None:
        if self._terminal is not None:
            # A line that wraps could not be taken back: the terminal clears one line.
            text = str(state)[: _width(self._terminal) - 1]
            print(f"{CLEAR}{text}", end="", file=self._terminal, flush=True)
            self._shown = True
        elif self._lines:
            print(state, file=self._out, flush=True)


class ProgressTable(Live):
    """A callback that prints a row for the first round, then about one per second."""

    def __init__(self) -> None:
        super().__init__(sys.stderr, every=1.0, lines=True)
        self.line(HEADER)

    def __call__(self, r: Record) -> None:
        """Show a round, if it is time."""
        self.show(lambda: row_of(r))


class ProgressBar(Live):
    """A callback that draws a bar in a notebook: how far the gap has come towards its end, on a log scale."""

    def __init__(self, display: Callable[..., Any], tol: float, every: float = 0.2) -> None:
        super().__init__(sys.stderr, every=every)
        self._display, self._tol = display, tol
        self._first: float | None = None
        self._handle: Any = None

    def __call__(self, r: Record) -> None:
        """Show a round, if it is time."""
        text = f"round {r.round}, {r.seconds:.1f} s:"
        limits = f"{r.soft_margin:.5f} &le; optimum &le; {r.bound:.5f}, gap {r.gap:.5f}"
        bar = f"<progress value='{self._share(r.gap):.4f}' max='1' style='width:20em'></progress>"
        self.show(lambda: {"text/html": f"{bar} {text} {limits}", "text/plain": f"{text} gap {r.gap:.5f}"})

    def _share(self, gap: float) -> float:
        """How far from the first gap to the tolerance, in [0, 1]."""
        self._first = gap if self._first is None else self._first
        if gap <= self._tol or self._first <= self._tol:
            return 1.0
        return max(0.0, math.log(self._first / gap) / math.log(self._first / self._tol))

    def _put(self, state: Any) -> None:
        if self._handle is None:
            self._handle = self._display(state, raw=True, display_id=True)
        else:
            self._handle.update(state, raw=True)


def live_progress(tol: float) -> ProgressBar | ProgressTable:
    """A bar in a notebook, a table anywhere else."""
    # The shell of a notebook is loaded if and only if we run in one.
    shell = sys.modules.get("ipykernel.zmqshell")
    display = sys.modules.get("IPython.display")
    if shell is not None and display is not None and shell.ZMQInteractiveShell.initialized():
        return ProgressBar(display.display, tol)
    return ProgressTable()


def is_terminal(stream: TextIO) -> bool:
    """Whether lines on it can be taken back."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _width(terminal: TextIO) -> int:
    """The width in columns; 120 if the terminal does not tell."""
    try:
        return os.get_terminal_size(terminal.fileno()).columns or 120
    except (OSError, ValueError):
        return 120
