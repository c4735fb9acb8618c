"""The current CUDA device: its kernels, how to launch them, and small arrays for them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.typing import AnyArray, Array

THREADS = 512  # of a block
SOURCES = (  # each needs the ones before it
    "sums.cu",
    "distributions.cu",
    "units.cu",
    "many_classes.cu",
    "covariances.cu",
    "trees.cu",
    "tables.cu",
    "scan.cu",
)
ALWAYS_SHARED = 48 * 1024  # bytes of shared memory that a kernel has without asking for more
RESERVED = 4096  # bytes of shared memory for variables that kernels declare
ALIGNED = 16
SHARES = 264  # blocks that share the rows: twice the multiprocessors of a large device


def cupy() -> Any:
    """The module CuPy; raises an error that says what to do if it is not installed or finds no device."""
    try:
        import cupy as cp  # noqa: PLC0415  (heavy, and an extra)
    except ImportError as error:
        raise ImportError(
            'device="cuda" needs CuPy: pip install "frankboost[cuda]", or the CuPy package for your '
            "version of CUDA"
        ) from error
    try:
        count = cp.cuda.runtime.getDeviceCount()
    except cp.cuda.runtime.CUDARuntimeError as error:
        raise RuntimeError(f'device="cuda" needs a CUDA device; CUDA says: {error}') from error
    if count == 0:
        raise RuntimeError('device="cuda" needs a CUDA device; none was found')
    return cp


@cache
def kernels() -> Any:
    """The kernels, compiled at first use; CuPy keeps them for the next process."""
    folder = Path(__file__).parent
    source = "".join((folder / name).read_text(encoding="utf-8") for name in SOURCES)
    return cupy().RawModule(code=source, options=("--std=c++17", "--fmad=false"))


@cache
def _kernel(name: str, *, large: bool) -> Any:
    """A kernel by its name; if `large`, it may have as much shared memory as the device allows."""
    kernel = kernels().get_function(name)
    if large:
        kernel.max_dynamic_shared_size_bytes = shared_memory()[0]
    return kernel


@cache
def shared_memory() -> tuple[int, int]:
    """The most bytes of shared memory for the tables of a block, and the most with which two blocks fit on a
    multiprocessor."""
    has = cupy().cuda.Device().attributes
    block, processor = has["MaxSharedMemoryPerBlockOptin"], has["MaxSharedMemoryPerMultiprocessor"]
    return block - RESERVED, min(block, processor // 2) - RESERVED


def launch(name: str, grid: tuple[int, ...], args: tuple[Any, ...], shared: int = 0) -> None:
    """Run a kernel on a grid of blocks of `THREADS` threads."""
    _kernel(name, large=shared > ALWAYS_SHARED)(grid, (THREADS,), args, shared_mem=shared)


def sent(*arrays: NDArray[Any]) -> list[Any]:
    """Copy small arrays to the device by one transfer, since each transfer takes longer than a kernel."""
    plain = [np.ascontiguousarray(each) for each in arrays]
    ends = np.cumsum([-(-each.nbytes // ALIGNED) * ALIGNED for each in plain]).tolist()
    buffer = np.zeros(ends[-1], dtype=np.uint8)
    begins = [0, *ends[:-1]]
    for begin, each in zip(begins, plain, strict=True):
        buffer[begin : begin + each.nbytes] = each.reshape(-1).view(np.uint8)
    there = cupy().asarray(buffer)
    return [
        there[begin : begin + each.nbytes].view(each.dtype).reshape(each.shape)
        for begin, each in zip(begins, plain, strict=True)
    ]


def records(nodes: AnyArray) -> NDArray[np.uint8]:
    """The nodes of trees as bytes."""
    return np.ascontiguousarray(nodes).view(np.uint8)


def words(sets: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Sets of categories, or a single empty set, as a device has no arrays without entries."""
    return sets if len(sets) else np.zeros((1, 4), dtype=np.uint64)


def fours(rows: int) -> int:
    """The number of rows, rounded up to a multiple of four: kernels read rows in fours."""
    return -(-rows // 4) * 4


def in_fours(codes: Array) -> Array:
    """Bin codes whose features begin at multiples of four bytes."""
    features, rows = codes.shape
    if codes.flags.c_contiguous and rows % 4 == 0:
        return codes
    padded = cupy().zeros((features, fours(rows)), dtype=codes.dtype)[:, :rows]
    padded[...] = codes
    return padded
