"""How many threads there are, and Python work on several: NumPy lets others run while it works."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from joblib import effective_n_jobs

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
