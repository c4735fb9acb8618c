"""The soft margin and the bound of a certificate as rational numbers.

With integers D that sum to 2^52 and votes -1 and +1 every sum of entries of D with signs is an integer of at
most 2^52, which is a double, and so is twice one. A floating-point sum whose value is a double has no
rounding. So margins and edges are exact in doubles, in any order of summation. Other votes are multiplied
in integers of any length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from frankboost.typing import Floats
from frankboost.verification.rationals import UNITS, integers, scaled


def exact_votes(terms: Iterable[tuple[float, Floats]], rows: int) -> tuple[list[int], int]:
    """sum_j W_j h_j(x_i) of each row, with integers W: integers, and the exponent of 2 that scales them."""
    signs, others, exponent = np.zeros(rows), [0] * rows, 0
    for weight, values in terms:
        if are_signs(values):
            signs += weight * values
            continue
        numbers, own = integers(values)
        least = min(own, exponent)
        up, factor = exponent - least, int(weight) << (own - least)
        others = [(a << up) + factor * b for a, b in zip(others, numbers, strict=True)]
        exponent = least
    whole = zip(signs.astype(np.int64).tolist(), others, strict=True)
    return [(a << -exponent) + b for a, b in whole], exponent


def are_signs(values: Floats) -> bool:
    """Whether all values are -1, 0 or +1."""
    return bool(((values == 0.0) | (np.abs(values) == 1.0)).all())


class Caps:
    """The caps c_i = s_i / (nu sum s) of a distribution, as rational numbers."""

    def __init__(self, weight: Floats, nu: float) -> None:
        self._weight, _ = integers(weight)  # their unit cancels
        self._nu = Fraction(nu)
        self._total = sum(self._weight)

    def soft_margin(self, margins: list[int]) -> Fraction:
        """min {d . margins : 0 <= d <= c, sum d = 1}: the smallest margins fill their caps first."""
        room = self._nu * self._total
        left, value = room.numerator, 0  # times the denominator
        for i in sorted(range(len(margins)), key=margins.__getitem__):
            taken = min(self._weight[i] * room.denominator, left)
            value += taken * margins[i]
            left -= taken
            if left == 0:
                break
        return Fraction(value, room.numerator)

    def excess(self, units: Floats) -> Fraction:
        """sum_i max(d_i - c_i, 0): a distribution within the caps is twice that away, or less."""
        return excess_over(units, self._weight, self._nu * self._total)


def excess_over(units: Floats, weight: Sequence[int], room: Fraction) -> Fraction:
    """sum_i max(d_i - w_i / room, 0) for shares d_i in units."""
    top, bottom = room.numerator, room.denominator * UNITS
    numbers = zip(units.astype(np.int64).tolist(), weight, strict=True)
    return Fraction(sum(max(n * top - w * bottom, 0) for n, w in numbers), top * UNITS)


def largest_column_edge(predictions: Floats, u: Floats) -> Fraction:
    """max_j sum_i u_i predictions_ij, with integers u whose absolute values sum to 2^52."""
    edges = u @ predictions
    if are_signs(predictions):
        return Fraction(int(edges.max()))
    # Rounding may have changed an edge by (m + 1) 2^-53 times 2^52 in all: only these can be the largest.
    near = np.flatnonzero(edges >= edges.max() - (len(u) + 2.0))
    numbers = u.astype(np.int64).tolist()
    return max(_dot(numbers, predictions[:, j]) for j in near)


def _dot(numbers: Iterable[int], values: Floats) -> Fraction:
    others, exponent = integers(values)
    return scaled([a * b for a, b in zip(numbers, others, strict=True)], exponent)
