"""Python work on several threads: NumPy lets others run while it works on long arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


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
