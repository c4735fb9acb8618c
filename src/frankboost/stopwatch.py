"""Seconds, counted by wrapping functions."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Stopwatch:
    """Counts the seconds spent in the functions it wraps, so that algorithms need no clock."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timing(self, function: Callable[P, R]) -> Callable[P, R]:
        """A function that calls the given one and adds its time."""

        def timed(*args: P.args, **kwargs: P.kwargs) -> R:
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - start

        return timed

    def lap(self) -> float:
        """Seconds since the last lap."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds
