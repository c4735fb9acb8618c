"""The margin matrix A_ij = y_i h_j(x_i), one column per hypothesis, grown in place."""

from __future__ import annotations

from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost import native
from frankboost.rooms.base import padded
from frankboost.threads import mapped
from frankboost.typing import AnyArray, Floats, Indices, Precision

COPIES = 2  # how often, on average, a row stands in a sample of rows of equal mass
FEWEST_COPIES = 4096  # the least size of such a sample
NONE: Indices = np.zeros(0, dtype=np.intp)


class SignBlock:
    """Columns of -1 and +1, eight to a byte: bit j of matrix[g, i] says whether A_i,8g+j is +1."""

    packed = 8

    def __init__(self, rows: int) -> None:
        self.matrix = np.zeros((0, rows), dtype=np.uint8)
        self.members = NONE  # column numbers

    def extend(self, columns: NDArray[np.int8], threads: int) -> None:
        """Append columns, given as rows of an array."""
        first, needed = len(self.members), -(-(len(self.members) + len(columns)) // 8)
        if needed > len(self.matrix):
            _grow(self.matrix, max(2, needed - len(self.matrix)))
        native.set_signs(self.matrix, columns, first, threads)

    def column(self, slot: int) -> Floats:
        """A column, unpacked."""
        group, bit = divmod(slot, 8)
        unpacked: Floats = (self.matrix[group] >> np.uint8(bit) & 1) * 2.0 - 1.0
        return unpacked


class FloatBlock:
    """Columns of other numbers, in single precision."""

    packed = 1

    def __init__(self, rows: int) -> None:
        self.matrix = np.zeros((0, rows), dtype=np.float32)
        self.members = NONE

    def extend(self, columns: Floats, threads: int) -> None:
        """Append columns, given as rows of an array, rounded down so that no soft margin is overstated."""
        end = len(self.members) + len(columns)
        if end > len(self.matrix):
            _grow(self.matrix, max(16, end - len(self.matrix)))
        self.matrix[len(self.members) : end] = _round_down(columns)

    def column(self, slot: int) -> Floats:
        """A column."""
        return np.asarray(self.matrix[slot], dtype=np.float64)


class MarginMatrix:
    """The columns of all hypotheses so far: those of signs packed, all others in single precision."""

    def __init__(self, rows: int, threads: int = 1) -> None:
        self.rows = rows
        self._threads = threads
        self._blocks = (SignBlock(rows), FloatBlock(rows))
        self._where = np.zeros((2, 0), dtype=np.int64)  # block and slot of each column
        self._space = np.empty(0)

    def __len__(self) -> int:
        return self._where.shape[1]

    @property
    def signs(self) -> NDArray[np.uint8]:
        """The columns of -1 and +1, eight to a byte, see `SignBlock`."""
        return self._blocks[0].matrix

    def extend(self, columns: AnyArray) -> None:
        """Append columns, given as rows of an array; int8 if their entries are -1 and +1."""
        number, known = 0 if columns.dtype == np.int8 else 1, len(self)
        block = self._blocks[number]
        block.extend(columns, self._threads)
        slots = len(block.members) + np.arange(len(columns))
        self._where = np.hstack([self._where, [np.full_like(slots, number), slots]])
        block.members = np.concatenate([block.members, known + np.arange(len(columns))])

    def take_signs(self, packed: NDArray[np.uint8]) -> None:
        """Replace all columns by these columns of signs."""
        signs = self._blocks[0]
        signs.matrix, signs.members = packed, np.arange(8 * len(packed))
        self._where = np.stack([np.zeros_like(signs.members), signs.members])

    def margins(self, weights: Floats) -> Floats:
        """The margins A w; columns that were added after the weights were made have weight 0."""
        weights = padded(weights, len(self))
        parts = [
            native.margins(block.matrix, weights[block.members], self._threads)
            for block in self._blocks
            if len(block.members) > 0
        ]
        return sum(parts[1:], start=parts[0]) if parts else np.zeros(self.rows)

    def edges(self, d: Floats, known: int = 0) -> Floats:
        """The edges A^T d, without the first `known` entries."""
        edges = np.empty(len(self))
        for block in self._blocks:
            first = int(np.searchsorted(block.members, known)) // block.packed
            members = block.members[first * block.packed :]
            if len(members) > 0:
                edges[members] = native.edges(block.matrix[first:], len(members), d, self._threads)
        return edges[known:]

    def column(self, j: int) -> Floats:
        """Column j."""
        block, slot = self._where[:, j].tolist()
        return self._blocks[block].column(slot)

    def are_signs(self, columns: Indices) -> bool:
        """Whether the entries of these columns are -1 and +1."""
        return not self._where[0, columns].any()

    def covariance(self, columns: Indices, rows: Indices, mass: Floats, dtype: Precision) -> Floats:
        """The covariance of `columns` over some rows with about a given mass, in the given precision.

        The square roots of the masses are rounded to whole numbers so small that products of columns of signs
        are exact, so that a processor's order of summation does not matter. In single precision, columns of
        signs are compared over a sample that has each row as often as its mass says.
        """
        kinds, slots = self._where.take(columns, axis=1)
        if dtype == np.float32 and not kinds.any():
            picked, whole = np.repeat(rows, copies(mass)), float(mass.sum())
            return native.sign_covariance(self._blocks[0].matrix, slots, picked, whole, self._threads)
        pieces, root = whole_roots(mass, dtype)
        scaled = self._workspace(len(columns) + 1, len(rows), dtype)
        scaled[-1] = root
        # In the order of the blocks, so that each fills one stretch of the same array.
        order = np.argsort(kinds, kind="stable")
        split = int(np.count_nonzero(kinds == 0))
        for number, part in enumerate((slice(0, split), slice(split, len(columns)))):
            matrix = self._blocks[number].matrix
            native.scaled_columns(matrix, slots[order[part]], rows, root, scaled[part], self._threads)
        covariance = centred(self._gram(scaled, pieces), mass)
        if split < len(columns):  # entries other than -1 and +1 are rounded, and no variance is below 0
            np.fill_diagonal(covariance, np.maximum(covariance.diagonal(), 0.0))
        if split in (0, len(columns)):
            return covariance
        back = np.argsort(order)
        return covariance[np.ix_(back, back)]

    def _workspace(self, columns: int, rows: int, dtype: Precision) -> AnyArray:
        """Memory for a matrix, the same for each call: fresh pages would cost as much as filling them."""
        if self._space.nbytes < columns * rows * 8:
            self._space = np.empty(columns * rows * 3 // 2)
        return self._space.view(dtype)[: columns * rows].reshape(columns, rows)

    def _gram(self, scaled: AnyArray, pieces: Indices) -> Floats:
        """scaled @ scaled.T, piece by piece."""
        columns, rows = scaled.shape
        parts = [scaled[:, begin:end] for begin, end in pairwise([*pieces.tolist(), rows])]
        worth = self._threads > 1 and len(parts) > 1 and columns**2 * rows > 2e7
        total = np.zeros((columns, columns))
        for product in mapped(_square, parts, self._threads) if worth else map(_square, parts):
            total += product
        return total


def covariance_of_signs(
    matrix: NDArray[np.uint8], slots: Indices, mass: Floats, dtype: Precision, threads: int
) -> Floats:
    """`MarginMatrix.covariance` for columns of signs, over all rows of a packed matrix."""
    packed = MarginMatrix(len(mass), threads)
    packed.take_signs(matrix)
    return packed.covariance(slots, np.arange(len(mass)), mass, dtype)


def copies(mass: Floats) -> Indices:
    """How often each row stands in a sample of rows of equal mass (systematic sampling).

    The number of copies of any row, or of any stretch of rows, is in proportion to its mass, to within one.
    """
    found = copies_up_to(mass)
    found[1:] -= found[:-1].copy()
    return found


def copies_up_to(mass: Floats) -> Indices:
    """The running sum of `copies`."""
    count = max(COPIES * len(mass), FEWEST_COPIES)
    share = np.cumsum(mass)
    share /= share[-1]
    return np.floor(count * share).astype(np.intp)


def centred(gram: Any, mass: Floats) -> Floats:
    """The covariance from the products of columns, of which the last is all ones; on the same device."""
    first, total = gram[-1, :-1], gram[-1, -1]
    covariance: Floats = (gram[:-1, :-1] - first[:, None] * (first / total)) * (float(mass.sum()) / total)
    return covariance


def whole_roots(mass: Floats, dtype: Precision) -> tuple[Indices, AnyArray]:
    """The beginnings of pieces of about a thousand rows, and whole numbers in proportion to sqrt(mass).

    The squares of a piece sum to no more than the largest whole number up to which `dtype` is exact, so that
    products over a piece are exact: sum (x_i + 1/2)^2 <= (|x| + sqrt(n)/2)^2 for n numbers bounds |x|.
    """
    count = max(1, len(mass) // 1024)
    pieces = np.arange(count) * len(mass) // count
    most = 2.0 ** ((np.finfo(dtype).nmant + 1) / 2)
    longest = float(np.sqrt(np.add.reduceat(mass, pieces).max()))
    scale = (1.0 - 1e-6) * (most - np.sqrt(len(mass) / count + 1.0) / 2.0) / longest
    return pieces, np.rint(np.sqrt(mass) * scale).astype(dtype)


def _square(part: AnyArray) -> AnyArray:
    return part @ part.T


def _grow(matrix: AnyArray, least: int) -> None:
    # In place: no view of it leaves this module.
    matrix.resize((len(matrix) + max(least, len(matrix) // 8), matrix.shape[1]), refcheck=False)


def _round_down(column: Floats) -> NDArray[np.float32]:
    stored = column.astype(np.float32)
    return np.where(stored > column, np.nextafter(stored, np.float32(-np.inf)), stored)


def digests(columns: AnyArray) -> list[bytes]:
    """A digest of each column, given as rows of an array: different columns have different digests."""
    signs = columns.dtype == np.int8
    stored = (np.packbits(each > 0) if signs else _round_down(each) for each in columns)
    salt = b"sign" if signs else b"float"
    return [blake2b(each.data, digest_size=16, salt=salt).digest() for each in stored]
