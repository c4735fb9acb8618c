"""How many threads there are, work and fits on several of them, and BLAS on one meanwhile.

Python work on several threads is faster where NumPy does it, which lets others run meanwhile.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from threading import Event, RLock
from typing import Any, TypeVar

from joblib import effective_n_jobs
from threadpoolctl import OpenBLASController, ThreadpoolController

T = TypeVar("T")
R = TypeVar("R")


def threads_for(n_jobs: int | None) -> int:
    """The threads that `n_jobs` stands for, as in joblib.

    A number that counts from the processors, such as -1, is no more than OMP_NUM_THREADS says: joblib and
    Dask set it in their workers, of which there may be one per processor.
    """
    threads: int = effective_n_jobs(n_jobs)
    allowed = os.environ.get("OMP_NUM_THREADS", "")
    if n_jobs is None or n_jobs > 0 or not allowed.isdecimal():
        return threads
    return max(1, min(threads, int(allowed)))


def mapped(work: Callable[[T], R], items: Iterable[T], threads: int) -> list[R]:
    """work(item) for each item, in the order of the items, on up to so many threads."""
    items = list(items)
    if min(threads, len(items)) <= 1:
        return [work(item) for item in items]
    try:
        with ThreadPoolExecutor(min(threads, len(items))) as pool:
            return list(pool.map(work, items))
    except RuntimeError:  # the system grants no more threads
        return [work(item) for item in items]


def fit_each(fit: Callable[[int, Event], R], count: int, workers: int) -> list[R]:
    """Call fit(k, halt) for each k below `count`, on up to `workers` threads; the first error is raised
    again.

    An interrupt sets `halt`, at which every fit ends with its best ensemble so far.
    """
    halt = Event()
    results: list[Future[R]] = [Future() for _ in range(count)]
    left = deque(enumerate(results))

    def work() -> None:
        while True:
            try:
                k, result = left.popleft()
            except IndexError:
                return
            try:
                result.set_result(fit(k, halt))
            except BaseException as error:
                result.set_exception(error)

    begun: list[Future[None]] = []
    if workers > 1:
        with ThreadPoolExecutor(workers) as pool:
            try:
                with suppress(RuntimeError):  # the system has no more threads: those that run do all fits
                    for _ in range(workers):
                        begun.append(pool.submit(work))
                wait(begun)
            except BaseException as error:
                halt.set()
                if not isinstance(error, KeyboardInterrupt) or not begun:
                    raise
    if not begun:
        return [fit(k, halt) for k in range(count)]
    return [result.result() for result in results]


class _OneBlasThread:
    """Limits BLAS to one thread from the first fit in this process to the end of the last.

    Ctrl-C may cut short a change of the limit at any line, so no step relies on an earlier one: the limit
    follows from the fits that run now and from the numbers of threads before the first fit.
    """

    def __init__(self) -> None:
        # The garbage collector may end a fit, and so take the lock, while its thread holds the lock.
        self._lock = RLock()
        self._fits: set[object] = set()
        self._before: list[tuple[Any, int]] | None = None  # each library, and its threads before any change

    def enter(self, fit: object) -> None:
        with self._lock:
            self._fits.add(fit)
            self._apply()

    def leave(self, fit: object) -> None:
        """Remove a fit; nothing happens if it was not entered or has left already."""
        with self._lock:
            self._fits.discard(fit)
            self._apply()

    def _apply(self) -> None:
        """Set the number of threads of each library."""
        if self._fits and self._before is None:
            self._before = [(each, each.num_threads) for each in _blas_libraries()]
        for library, threads in self._before or ():
            library.set_num_threads(1 if self._fits else threads)
        # From 3.8 on, threadpoolctl lets only the thread that set a limit change it: another may leave last.
        getattr(OpenBLASController, "clear_controlling_thread", lambda: None)()
        if not self._fits:
            self._before = None


_LIMIT = _OneBlasThread()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread while fits run, as more threads would compete with those of the fits.

    Fits may overlap; after the last of them BLAS has the threads that it had before the first.
    """
    fit = object()
    try:
        try:
            _LIMIT.enter(fit)
            yield
        finally:
            _LIMIT.leave(fit)
    finally:
        _LIMIT.leave(fit)  # again, since Ctrl-C may have cut the first short


@cache
def _blas_libraries() -> list[Any]:
    controllers = ThreadpoolController().lib_controllers  # takes milliseconds, hence the cache
    return [each for each in controllers if each.user_api == "blas"]
