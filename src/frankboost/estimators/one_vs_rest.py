"""The fits of all classes, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

P = TypeVar("P")
R = TypeVar("R")


def fit_each(fit: Callable[[P, Event], R], problems: Sequence[P], workers: int) -> list[R]:
    """fit(problem, halt) for each problem, on so many threads; the first error is raised again.

    An interrupt sets `halt`, on which every fit ends with what it has.
    """
    halt = Event()
    if workers <= 1 or len(problems) == 1:
        return [fit(problem, halt) for problem in problems]
    ready = Event()

    def run(problem: P) -> R:
        ready.wait()  # an interrupt finds either no fit at work or all of them
        return fit(problem, halt)

    futures: list[Future[R]] = []
    with ThreadPoolExecutor(min(workers, len(problems))) as pool:
        try:
            for problem in problems:
                futures.append(pool.submit(run, problem))
            ready.set()
            wait(futures)
        except BaseException as error:
            halt.set()
            ready.set()
            if not isinstance(error, KeyboardInterrupt) or len(futures) < len(problems):
                raise
    return [future.result() for future in futures]
