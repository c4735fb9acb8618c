"""The threads of fits: those of several classes side by side, and one for BLAS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from threading import Event, Lock
from typing import Any, TypeVar

from threadpoolctl import OpenBLASController, ThreadpoolController

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


class _OneBlasThread:
    """The limit, from when the first asks for it until the last has left: BLAS is the whole process's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._limit: Any = None

    def enter(self) -> None:
        with self._lock:
            if self._users == 0:
                self._limit = _thread_pools().limit(limits=1, user_api="blas")
                _let_go()
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._limit.restore_original_limits()
                _let_go()


def _let_go() -> None:
    """Let any thread change the limit: it may not be the first to come that leaves last."""
    # From 3.8 on, threadpoolctl lets only the thread that set a limit change it.
    getattr(OpenBLASController, "clear_controlling_thread", lambda: None)()


_LIMIT = _OneBlasThread()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """To hold while fits run: more threads would compete with ours.

    Fits may overlap; after the last of them BLAS has the threads that it had before the first.
    """
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks at every library of the process, which takes milliseconds
