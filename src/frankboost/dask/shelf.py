"""Arrays of a worker in mapped files, where its memory is short.

What a process holds of a mapped file counts as its memory only until it is let go; then the kernel keeps
the pages, or writes them to the disk, as it has room. So the rows of a worker may be more than its memory, as
long as what is looked at together is not: the rows of one partition.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import psutil
from distributed import Worker
from numpy.typing import NDArray

from frankboost.dask.heap import keep_freed_memory_for, let_go_of_freed_memory
from frankboost.learners.binning import BinnedFeatures

FULL = 0.5  # of a worker's memory limit, from which on arrays are put into files
SMALL = 2**14  # bytes of an array that stays where it is
FILE = 2**27  # bytes of a file, or more for a larger array
HAS_FILES = hasattr(mmap, "MADV_DONTNEED") and hasattr(os, "posix_fallocate")  # Linux has

P = ParamSpec("P")
T = TypeVar("T")
Span = tuple[int, int]  # from a byte to another


class _File:
    """A mapped file without a name, which is gone when nobody uses it, and where its spans are free."""

    def __init__(self, size: int, folder: str) -> None:
        with tempfile.TemporaryFile(dir=folder) as file:
            try:
                os.posix_fallocate(file.fileno(), 0, size)  # a full disk is an error now, and no signal later
            except OSError as error:
                raise OSError(error.errno, f"{error.strerror} for {size} bytes of rows", folder) from None
            self.map = mmap.mmap(file.fileno(), size)
        self.free: list[Span] = [(0, size)]
        self.start = np.frombuffer(self.map, np.uint8).__array_interface__["data"][0]

    def has(self, address: int) -> bool:
        return bool(self.start <= address < self.start + len(self.map))

    def take(self, size: int) -> Span | None:
        for k, (begin, end) in enumerate(self.free):
            if end - begin >= size:
                self.free[k : k + 1] = [(begin + size, end)] if end - begin > size else []
                return begin, begin + size
        return None

    def give_back(self, span: Span) -> None:
        joined: list[Span] = []
        for begin, end in sorted([*self.free, span]):
            if joined and joined[-1][1] == begin:
                joined[-1] = joined[-1][0], end
            else:
                joined.append((begin, end))
        self.free = joined


class Shelf:
    """The arrays of this process that lie in files."""

    def __init__(self) -> None:
        self._files: list[_File] = []
        self._returned: deque[tuple[_File, Span]] = deque()  # by arrays that are gone, at any moment
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many bytes the files have."""
        return sum(len(each.map) for each in self._files)

    def has(self, array: NDArray[Any]) -> bool:
        """Whether an array lies here."""
        address = array.__array_interface__["data"][0]
        return any(each.has(address) for each in self._files)

    def take_in(self, array: NDArray[Any], folder: str) -> NDArray[Any]:
        """A copy of an array, in a file."""
        size = -(-array.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
        with self._lock:
            self._tidy()
            file, span = self._span(size, folder)
        flat = np.frombuffer(file.map, np.uint8, array.nbytes, span[0])
        weakref.finalize(flat, self._returned.append, (file, span))  # views of it hold it
        copy: NDArray[Any] = flat.view(array.dtype).reshape(array.shape)
        copy[...] = array
        return copy

    def let_go(self) -> None:
        """Hold nothing of what lies here until it is looked at."""
        for each in list(self._files):
            each.map.madvise(mmap.MADV_DONTNEED)

    def _span(self, size: int, folder: str) -> tuple[_File, Span]:
        for file in self._files:
            if (span := file.take(size)) is not None:
                return file, span
        self._files.append(_File(max(size, FILE), folder))
        return self._span(size, folder)

    def _tidy(self) -> None:
        while self._returned:
            file, span = self._returned.popleft()
            file.give_back(span)
            if file.free == [(0, len(file.map))]:
                self._files.remove(file)


_shelf = Shelf()


def is_full(more: int = 0) -> bool:
    """Whether this is a worker without memory for so many bytes more, even when the shelf is let go."""
    worker = next(iter(Worker._instances), None)
    limit: int | None = worker.memory_manager.memory_limit if worker else None
    if not limit or not HAS_FILES or _used() + more <= FULL * limit:
        return False
    let_go_of_freed_memory()
    _shelf.let_go()
    return _used() + more > FULL * limit


def _used() -> int:
    return int(psutil.Process().memory_info().rss)


def _folder() -> str:
    return str(next(iter(Worker._instances)).local_directory)


def kept(array: NDArray[Any]) -> NDArray[Any]:
    """An array that is to stay; in a file, if memory is short."""
    if array.nbytes < SMALL or _shelf.has(array) or not is_full(array.nbytes):
        return array
    return _shelf.take_in(array, _folder())


class Shelved:
    """A frozen dataclass whose arrays lie on the shelf where memory is short, wherever it travels."""

    def __post_init__(self) -> None:
        keep_freed_memory_for(self)
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, field.name, kept(value))
            elif isinstance(value, BinnedFeatures):
                object.__setattr__(self, field.name, replace(value, codes=kept(value.codes)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()


def looking(function: Callable[P, T]) -> Callable[P, T]:
    """A task that looks at what lies on the shelf, and lets it go if memory is short."""

    @wraps(function)
    def looked(*args: P.args, **kwargs: P.kwargs) -> T:
        found = function(*args, **kwargs)
        is_full()
        return found

    return looked
