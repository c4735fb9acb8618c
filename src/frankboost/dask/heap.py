"""Memory that a worker frees in a fit, kept for what it needs next.

Dask tells glibc to give freed memory back to the kernel (MALLOC_TRIM_THRESHOLD_), which also keeps it from
learning how large the arrays of this process are. Every array of more than 128 KB then comes from the kernel,
page by page, each of them cleared: a quarter of the time of a fit, which frees and needs arrays of the same
lengths all the time. Here glibc is told what it learns where nobody tells it anything.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import Any

SETTING = "MALLOC_TRIM_THRESHOLD_"
TRIM, MAP = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of mallopt
LEARNT = 2**25  # bytes of an array from which it comes from the kernel, at the most
PLAIN = 2**17  # the same before anything is learnt


class Heap:
    """That of this process, as long as somebody keeps what is freed."""

    def __init__(self, library: Any, given: int) -> None:
        self._library = library
        self._given = given  # bytes at the heap's end that stay, as Dask wants it
        self._holders = 0
        self._lock = threading.RLock()  # garbage may be collected, and a holder with it, at any moment

    def keep_for(self, holder: Any) -> None:
        """Keep what is freed as long as an object lives."""
        self._count(1)
        weakref.finalize(holder, self._count, -1).atexit = False

    def _count(self, more: int) -> None:
        with self._lock:
            before, self._holders = self._holders, self._holders + more
            if before == 0:
                self._tell(LEARNT, 2 * LEARNT)
            elif self._holders == 0:
                self._tell(PLAIN, self._given)
                self.let_go()

    def _tell(self, from_kernel: int, stays: int) -> None:
        self._library.mallopt(MAP, from_kernel)
        self._library.mallopt(TRIM, stays)

    def let_go(self) -> None:
        """Give back all that is free now."""
        self._library.malloc_trim(0)


def heap_of_this_process() -> Heap | None:
    """None where freed memory is kept anyway, or where nothing can be told."""
    library, given = ctypes.CDLL(None) if os.name == "posix" else None, os.environ.get(SETTING, "")
    if not given.isdecimal() or not hasattr(library, "mallopt") or not hasattr(library, "malloc_trim"):
        return None
    return Heap(library, int(given))


_heap = heap_of_this_process()


def keep_freed_memory_for(holder: Any) -> None:
    """Keep what this process frees for what it needs next, as long as an object lives."""
    if _heap is not None:
        _heap.keep_for(holder)


def let_go_of_freed_memory() -> None:
    """Give back what is free, where memory is short."""
    if _heap is not None:
        _heap.let_go()
