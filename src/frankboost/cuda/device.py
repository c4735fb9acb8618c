"""The device and the kernels on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

THREADS = 512  # of a block
SOURCES = ("sums.cu", "distributions.cu", "trees.cu", "tables.cu", "scan.cu")  # each needs those before it
SHARES = 264  # blocks that share the rows: twice the multiprocessors of a large device


def cupy() -> Any:
    """CuPy, if it is there and finds a device."""
    try:
        import cupy as cp  # noqa: PLC0415  (heavy, and an extra)
    except ImportError as error:
        raise ImportError(
            'device="cuda" needs CuPy: install frankboost[cuda], or the CuPy package for your version of CUDA'
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


def launch(name: str, grid: tuple[int, ...], args: tuple[Any, ...], shared: int = 0) -> None:
    """Run a kernel with blocks of the usual size."""
    kernel = kernels().get_function(name)
    if shared > 48 * 1024:
        kernel.max_dynamic_shared_size_bytes = shared
    kernel(grid, (THREADS,), args, shared_mem=shared)
