"""The best soft margin over given columns, by a simplex method in rational arithmetic.

    max rho - sum_i c_i xi_i   with   sum_j A_ij w_j + xi_i - s_i = rho,  sum_j w_j = 1,  w, xi, s >= 0.

The largest reduced cost enters at first, and then by Bland's rule, so that it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Column = tuple[Fraction | int, ...]
Name = tuple[str, int]
GREEDY = 40  # steps before Bland's rule
NEAR = 1e-9  # far more than rounding can do to an edge


def optimum(columns: Sequence[Column], caps: Sequence[Fraction]) -> Fraction:
    """The value of the game between weights of the columns and distributions within the caps."""
    return _Simplex(columns, caps).solved()


class _Simplex:
    def __init__(self, columns: Sequence[Column], caps: Sequence[Fraction]) -> None:
        self._columns, self._caps, self._m = columns, caps, len(caps)
        self._near: NDArray[np.float64] = np.array([[float(v) for v in each] for each in columns])
        lowest = min(range(self._m), key=lambda i: columns[0][i])
        slacks: list[Name] = [("s", i) for i in range(self._m) if i != lowest]
        self._basis: list[Name] = [("w", 0), ("rho", 0), *slacks]
        self._inverse = _inverse([self._column(name) for name in self._basis])

    def solved(self) -> Fraction:
        step = 0
        while True:
            prices = self._prices()
            candidates = self._entering(prices)
            if not candidates:
                return prices[-1]
            greedy = step < GREEDY
            self._pivot(max(candidates)[1] if greedy else min(name for _, name in candidates))
            step += 1

    def _column(self, name: Name) -> list[Fraction]:
        kind, k = name
        if kind == "w":
            return [*map(Fraction, self._columns[k]), Fraction(1)]
        if kind == "rho":
            return [*[Fraction(-1)] * self._m, Fraction(0)]
        sign = Fraction(1 if kind == "xi" else -1)
        return [sign if i == k else Fraction(0) for i in range(self._m + 1)]

    def _cost(self, name: Name) -> Fraction:
        kind, k = name
        return -self._caps[k] if kind == "xi" else Fraction(int(kind == "rho"))

    def _prices(self) -> list[Fraction]:
        """c_B B^-1: minus a distribution, and the value of the game at the end."""
        costs = [(row, self._cost(name)) for row, name in zip(self._inverse, self._basis, strict=True)]
        costs = [(row, cost) for row, cost in costs if cost]
        return [sum((cost * row[k] for row, cost in costs), Fraction(0)) for k in range(self._m + 1)]

    def _entering(self, prices: list[Fraction]) -> list[tuple[Fraction, Name]]:
        """What has a reduced cost above 0, with it."""
        d, value = [-each for each in prices[:-1]], prices[-1]
        found: list[tuple[Fraction, Name]] = []
        for i in range(self._m):
            found += [(-d[i], ("s", i)), (d[i] - self._caps[i], ("xi", i))]
        edges = self._near @ np.array([float(each) for each in d])
        scale = max(1.0, *(abs(float(each)) for each in d))
        for j in np.flatnonzero(edges >= float(value) - NEAR * scale).tolist():
            edge = sum((a * b for a, b in zip(d, self._columns[j], strict=True) if a), Fraction(0))
            found.append((edge - value, ("w", j)))
        return [each for each in found if each[0] > 0]

    def _pivot(self, enters: Name) -> None:
        column = self._column(enters)
        change = [_dot(row, column) for row in self._inverse]
        rows = [r for r in range(self._m + 1) if change[r] > 0 and self._basis[r][0] != "rho"]
        # The right-hand side is the last unit vector.
        leaves = min(rows, key=lambda r: (self._inverse[r][-1] / change[r], self._basis[r]))
        pivot = [each / change[leaves] for each in self._inverse[leaves]]
        for r, row in enumerate(self._inverse):
            if r != leaves and change[r]:
                self._inverse[r] = [a - change[r] * b for a, b in zip(row, pivot, strict=True)]
        self._inverse[leaves] = pivot
        self._basis[leaves] = enters


def _dot(row: Sequence[Fraction], column: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(row, column, strict=True) if a and b), Fraction(0))


def _inverse(columns: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Of the matrix with these columns, by Gauss and Jordan."""
    n = len(columns)
    rows = [[columns[j][i] for j in range(n)] + [Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    for k in range(n):
        best = next(r for r in range(k, n) if rows[r][k])
        rows[k], rows[best] = rows[best], rows[k]
        rows[k] = [each / rows[k][k] for each in rows[k]]
        for r in range(n):
            if r != k and rows[r][k]:
                factor = rows[r][k]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[k], strict=True)]
    return [row[n:] for row in rows]
