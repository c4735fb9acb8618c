"""A table whose last row is rewritten in place while an algorithm runs."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from frankboost.experiments.comparison import Result
from frankboost.trace import Record

COLUMNS = {
    "algorithm": "<9",
    "rounds": ">6",
    "hypotheses": ">10",
    "support": ">7",
    "soft margin": ">11",
    "bound": ">8",
    "gap": ">8",
    "status": "<11",
    "oracle s": ">8",
    "rule s": ">7",
    "total s": ">7",
    "train error %": ">13",
}

CLEAR = "\r\x1b[2K"  # back to the first column, and erase the line


class LiveTable:
    """Finished rows go to `out`; the running one to `live`, a terminal, if there is one."""

    def __init__(self, out: TextIO, live: TextIO | None = None, every: float = 0.2) -> None:
        self._out = out
        self._live = live
        self._every = every
        self._next = -math.inf
        self._shown = False

    def line(self, text: str = "") -> None:
        """Print a line at once."""
        self.clear()
        print(text, file=self._out, flush=True)

    def head(self, title: str) -> None:
        """Begin a table."""
        self.line(title)
        self.line(row(list(COLUMNS)))

    def update(self, cells: Callable[[], Sequence[str]]) -> None:
        """Show the running row, if there is a terminal and it is time."""
        if self._live is None or time.perf_counter() < self._next:
            return
        # A row that wraps could not be taken back: the terminal clears one line.
        text = row(cells())[: terminal_width(self._live) - 1]
        print(f"{CLEAR}{text}", end="", file=self._live, flush=True)
        self._shown = True
        self._next = time.perf_counter() + self._every

    def finish(self, cells: Sequence[str]) -> None:
        """Put a finished row in the place of the running one."""
        self.line(row(cells))
        self._next = -math.inf

    def clear(self) -> None:
        """Take the running row away."""
        if self._live is not None and self._shown:
            print(CLEAR, end="", file=self._live, flush=True)
            self._shown = False


class Running:
    """A callback that keeps the row of a running algorithm up to date."""

    def __init__(self, algorithm: str, table: LiveTable) -> None:
        self._algorithm = algorithm
        self._table = table
        self._oracle = self._rule = 0.0

    def __call__(self, record: Record) -> None:
        """Take a round into account."""
        self._oracle += record.oracle_seconds
        self._rule += record.rule_seconds
        self._table.update(lambda: self._cells(record))

    def _cells(self, record: Record) -> list[str]:
        return [
            self._algorithm,
            *_counts(record.round, record.hypotheses, record.support),
            *_promise(record.soft_margin, record.bound),
            "running",
            *_seconds(self._oracle, self._rule, record.seconds),
            "",
        ]


def result_cells(result: Result) -> list[str]:
    """A finished row."""
    return [
        result.algorithm,
        *_counts(result.rounds, result.hypotheses, result.support),
        *_promise(result.soft_margin, result.bound),
        result.status,
        *_seconds(result.oracle_seconds, result.rule_seconds, result.seconds),
        f"{100 * result.training_error:.1f}",
    ]


def row(cells: Sequence[str]) -> str:
    """Cells under their titles."""
    return " ".join(f"{cell:{form}}" for cell, form in zip(cells, COLUMNS.values(), strict=True)).rstrip()


def is_terminal(stream: TextIO) -> bool:
    """Whether lines on it can be taken back."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _counts(*values: int) -> list[str]:
    return [str(value) for value in values]


def _seconds(*values: float) -> list[str]:
    return [f"{value:.2f}" for value in values]


def _promise(soft_margin: float, bound: float) -> list[str]:
    # Rounded outwards, so that what is printed is as true as what was computed.
    return [
        f"{math.floor(soft_margin * 1e5) / 1e5:.5f}",
        f"{math.ceil(bound * 1e5) / 1e5:.5f}",
        f"{math.ceil((bound - soft_margin) * 1e5) / 1e5:.5f}",
    ]


def terminal_width(stream: TextIO) -> int:
    """In columns; what is usual, if it cannot be told."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 120
    except (OSError, ValueError):
        return 120
