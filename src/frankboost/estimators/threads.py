"""The threads of fits: those of several classes side by side, and one for BLAS."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from functools import cache
from threading import Event
from typing import TypeVar

from threadpoolctl import ThreadpoolController

R = TypeVar("R")


def fit_each(fit: Callable[[int, Event], R], count: int, workers: int) -> list[R]:
    """fit(k, halt) for each k below `count`, on so many threads; the first error is raised again.

    An interrupt sets `halt`, on which every fit ends with what it has.
    """
    halt = Event()
    if workers == 1:
        return [fit(k, halt) for k in range(count)]
    futures: list[Future[R]] = []
    with ThreadPoolExecutor(workers) as pool:
        try:
            futures = [pool.submit(fit, k, halt) for k in range(count)]
            wait(futures)
        except BaseException as error:
            halt.set()
            if not isinstance(error, KeyboardInterrupt) or not futures:
                raise
    return [future.result() for future in futures]


def one_blas_thread() -> AbstractContextManager[object]:
    """To hold while fits run: more would compete with ours, and their number would change the last bits."""
    return _thread_pools().limit(limits=1, user_api="blas")  # type: ignore[no-any-return]


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks at every library of the process, which takes milliseconds
