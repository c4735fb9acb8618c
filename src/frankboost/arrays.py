"""Arrays of NumPy, and of CuPy where the rows are on a device; data frames of any library."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

CUDA = 2  # as DLPack numbers the devices
WIDE = ("Int128", "UInt128")  # types of polars


def module_of(x: Any) -> Any:
    """The module that an array is of."""
    return np if isinstance(x, np.ndarray) else import_module(type(x).__module__.partition(".")[0])


def is_on_device(x: Any) -> bool:
    """Whether an array, of whatever library, is in the memory of a CUDA device."""
    if isinstance(x, np.ndarray):
        return False
    device = getattr(x, "__dlpack_device__", None)
    return hasattr(x, "__cuda_array_interface__") or (device is not None and device()[0] == CUDA)


def on_device(x: Any) -> Any:
    """An array as one of CuPy, copied only if it is on the host."""
    cp = import_module("cupy")
    plain = not is_on_device(x) or hasattr(x, "__cuda_array_interface__")
    return cp.asarray(x) if plain else cp.from_dlpack(x)


def here(x: Any) -> NDArray[Any]:
    """An array of NumPy, copied if it is on a device."""
    if is_on_device(x):
        copied: NDArray[Any] = import_module("cupy").asnumpy(on_device(x))
        return copied
    return np.asarray(x)


def beside(x: Any, result: NDArray[Any]) -> Any:
    """Put a result where the array is, on the host or the device; results without numbers stay on the
    host."""
    return on_device(result) if is_on_device(x) and result.dtype.kind in "biuf" else result


def column_names(X: Any) -> list[Any]:
    """The column names of a data frame or a table of pyarrow, of any type; None for an array."""
    if hasattr(X, "column_names") and not hasattr(X, "iloc"):  # pyarrow; for pandas it might be a column
        return list(X.column_names)
    return list(getattr(X, "columns", ()))


def with_floats(data: Any) -> Any:
    """Data of polars with floats for integers of 128 bits, which NumPy does not have; other data as it is."""
    if hasattr(data, "iter_columns"):
        return data.with_columns(each.cast(float) for each in data.iter_columns() if str(each.dtype) in WIDE)
    return data.cast(float) if str(getattr(data, "dtype", "")) in WIDE else data


def equals(labels: NDArray[Any], label: Any) -> NDArray[np.bool_]:
    """Which labels equal one label."""
    if labels.dtype == object:  # NumPy would make text of the label, and cut it at NULs at its end
        one = np.empty(1, dtype=object)
        one[0] = label
        label = one
    equal: NDArray[np.bool_] = labels == label
    return equal


def within_shape(matrix: Any) -> Any:
    """A sparse matrix whose indices are checked, as SciPy does not check them; an error if one is outside
    the shape."""
    try:
        if hasattr(matrix, "check_format"):
            if matrix.nnz < 0:  # SciPy looks no further then
                raise ValueError(f"the number of its entries is {matrix.nnz}")
            matrix.check_format(full_check=True)
            return matrix
        matrix = matrix.tocoo()
        places = matrix.coords if hasattr(matrix, "coords") else (matrix.row, matrix.col)  # SciPy 1.12
        for index, size in zip(places, matrix.shape, strict=True):
            if len(index) and not 0 <= index.min() <= index.max() < size:
                raise ValueError(f"indices must be from 0 to {size - 1}")
    except ValueError as error:
        raise ValueError(f"X must be a sparse matrix with indices within its shape: {error}") from error
    return matrix


@contextmanager
def memory_for(rows: int) -> Iterator[None]:
    """Turn an error about the memory of a device into one that says how much was needed and how much is
    free."""
    try:
        yield
    except MemoryError as error:
        cp = sys.modules.get("cupy")
        # CuPy's own sorting and selecting have a plainer one than its arrays.
        if cp is None or not ("cupy" in type(error).__module__ or "bad_alloc" in str(error)):
            raise
        free, all_of_it = cp.cuda.runtime.memGetInfo()
        raise MemoryError(
            f"{rows:,} rows need more memory than the device has: {free / 1e9:.1f} of "
            f"{all_of_it / 1e9:.1f} GB are left ({error}); give fewer rows at a time, or use the CPU"
        ) from error
