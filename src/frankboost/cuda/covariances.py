"""Covariances of columns of signs over picked rows on a device, with the same bits as `MarginMatrix`."""

from __future__ import annotations

from typing import Any

import numpy as np

from frankboost.cuda.device import SHARES, cupy, launch, sent
from frankboost.rooms.margin_matrix import centred, copies_up_to, whole_roots
from frankboost.typing import Array, Floats, Indices

MANY = 2**26  # numbers in the products that are in memory at a time


def covariance(signs: Any, rows: Any, columns: Indices, mass: Floats, dtype: Any) -> Floats:
    """The covariance of columns, which `signs` has eight per byte, over rows with about a given mass.

    With float32 it is computed over a sample that has each row as often as its mass says.
    """
    cp = cupy()
    with_ones = np.append(columns, -1).astype(np.int32)
    gram = _of_copies if dtype == np.float32 else _of_roots
    covariance: Floats = cp.asnumpy(centred(gram(signs, cp.ascontiguousarray(rows), with_ones, mass), mass))
    return covariance


def _of_copies(signs: Array, rows: Array, columns: Array, mass: Floats) -> Array:
    """The products of the columns over copies of the rows."""
    cp, size, ends = cupy(), len(columns), copies_up_to(mass)
    there, ends_there = sent(columns, ends.astype(np.int32))
    count, words = int(ends[-1]), -(-int(ends[-1]) // 32)
    picked = cp.empty(count, dtype=cp.int64)
    launch("repeat_rows", (32,), (rows, ends_there, np.int32(len(ends)), np.int32(count), picked))
    bits, gram = cp.empty((size, words), dtype=cp.uint32), cp.empty((size, size))
    given = (signs, signs.shape[1], picked, np.int32(count), there, np.int32(words))
    launch("pack_columns", (8, size), (*given, bits))
    launch("compare_columns", (4 * SHARES,), (bits, np.int32(words), np.int32(count), np.int32(size), gram))
    return gram


def _of_roots(signs: Array, rows: Array, columns: Array, mass: Floats) -> Array:
    """The products of the columns times the roots of the masses, over all pieces of the rows."""
    cp = cupy()
    pieces, root = whole_roots(mass, np.float64)
    there, factor = sent(columns, root)
    count, width = len(pieces), -(-len(mass) // len(pieces))
    scaled = cp.empty((count, len(columns), width))
    picked = (signs, signs.shape[1], rows, np.int32(len(mass)), there, factor)
    launch("scale_columns", (8, len(columns)), (*picked, np.int32(count), np.int32(width), scaled))
    return _products(scaled)


def _products(pieces: Array) -> Array:
    """The sum of B B^T over pieces B, whose products are exact; in batches, to save memory."""
    count, size, _ = pieces.shape
    together = max(1, MANY // size**2)
    batches = (pieces[k : k + together] for k in range(0, count, together))
    return sum((batch @ batch.transpose(0, 2, 1)).sum(axis=0) for batch in batches)
