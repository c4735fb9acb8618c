"""Rows as sparse matrices, some of them malformed, and as data frames of pandas and polars of many types."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray


def odd_sparse(rng: Generator, X: NDArray[Any]) -> Any:
    """The rows as a sparse matrix of any kind; half of the time with indices that are none."""
    from scipy import sparse  # noqa: PLC0415 - heavy

    kinds = (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix, sparse.lil_matrix, sparse.dok_array)
    more = (sparse.bsr_matrix, sparse.dia_matrix, sparse.csr_array, sparse.csc_matrix)
    matrix = (kinds + more)[rng.integers(9)](
        X.astype([np.float64, np.float32, np.int64, np.bool_][rng.integers(4)])
    )
    if rng.random() < 0.5 and hasattr(matrix, "indptr"):
        part = matrix.indices if rng.random() < 0.6 else matrix.indptr
        if len(part):
            part[rng.integers(len(part))] = rng.choice([-1, -5, 7, 1000, 2**30, -(2**31)])
    return matrix


def odd_frame(rng: Generator, X: NDArray[Any]) -> Any:
    """The rows as a data frame whose first column is of another type."""
    import pandas as pd  # noqa: PLC0415 - heavy

    if rng.random() < 0.4:
        with contextlib.suppress(ImportError):
            return _polars(rng, X)
    whole, m = pd.Series(X[:, 0].astype(np.int64)), len(X)
    kinds = ("Int8", "UInt64", "Float32", "string", "str", "category", "object", "complex")
    columns: list[Any] = [
        *(whole.astype(kind) for kind in kinds),
        *((whole > 1).astype("boolean"), pd.Categorical(whole, ordered=True), pd.arrays.SparseArray(X[:, 0])),
        *(pd.to_datetime(whole, unit="D"), pd.to_timedelta(whole, unit="D"), pd.interval_range(0, m)),
        *(pd.period_range("2024", periods=m, freq="M"), pd.date_range("2024", periods=m, tz="Asia/Tokyo")),
        *(pd.Series([[1]] * m), pd.Series([b"x", "x"] * m)[:m], pd.Series([None] * m), whole.map(str) + "\0"),
        *(pd.Series([pd.NA] * m, dtype="Int64"), pd.Series([2**70] * m, dtype=object)),
    ]
    with contextlib.suppress(ImportError):
        columns += [whole.astype(f"{kind}[pyarrow]") for kind in ("int64", "double", "string", "bool")]
    return pd.DataFrame({"a": columns[rng.integers(len(columns))], "b": X[:, 1]})


def _polars(rng: Generator, X: NDArray[Any]) -> Any:
    import polars as pl  # noqa: PLC0415 - heavy

    whole, m = pl.Series("a", X[:, 0].astype(np.int64)), len(X)
    texts = whole.cast(pl.String)
    numbers = (pl.Int8, pl.UInt64, pl.Float32, pl.Boolean, pl.Int128, pl.Decimal(9, 2))
    columns: list[Any] = [
        *(whole.cast(kind) for kind in (*numbers, pl.Date, pl.Datetime, pl.Duration, pl.Time)),
        *(texts.cast(kind) for kind in (pl.Categorical, pl.Enum(sorted(set(texts))), pl.Binary)),
        *(texts, texts + "\0", pl.Series("a", [None] * m), whole.set(whole == 1, None)),
        *(pl.Series("a", [[1]] * m), pl.Series("a", [{"x": 1}] * m)),
    ]
    return pl.DataFrame({"a": columns[rng.integers(len(columns))], "b": X[:, 1]})
