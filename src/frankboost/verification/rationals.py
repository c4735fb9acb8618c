"""Doubles as the rational numbers that they are, and the two ends of a certificate in such numbers.

A distribution and the weights of an ensemble are counted in units of 2^-52: integers that sum to 2^52. With
such D and votes -1 and +1 every sum of entries of D with signs is an integer of at most 2^52, which is a
double, and so is twice one. A floating-point sum whose value is a double has no rounding. So margins and
edges are exact in doubles, in any order of summation. Other votes are multiplied in integers of any length.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.typing import Floats

UNITS = 2**52


def whole_units(name: str, shares: Floats) -> Floats:
    """Shares >= 0 that sum to 1, in units: integers up to 2^52, which are doubles."""
    units = units_of(name, shares)
    check_total(name, total(units))
    return units


def check_total(name: str, total: int) -> None:
    """Check that all units sum to 1."""
    if (over := total - UNITS) != 0:
        raise CertificateError(f"{name}: claimed sum 1, found 1 {over:+d} * 2^-52")


def units_of(name: str, shares: Floats) -> Floats:
    """Some shares of a whole, in units."""
    if not bool(((shares >= 0.0) & (shares <= 1.0)).all()):
        outside = shares[~((shares >= 0.0) & (shares <= 1.0))].tolist()[0]
        raise CertificateError(f"{name}: claimed shares in [0, 1], found {outside!r}")
    units = shares * float(UNITS)
    broken = np.flatnonzero(units != np.floor(units)).tolist()
    if broken:
        raise CertificateError(
            f"{name}: claimed multiples of 2^-52, found {float(shares[broken[0]])!r} at {broken[0]}"
        )
    return units


def total(units: Floats) -> int:
    return sum(units.astype(np.int64).tolist())


def integers(values: Floats) -> tuple[list[int], int]:
    """Integers n and an exponent e with values = n 2^e."""
    if bool((np.abs(values) < 2.0**53).all()) and bool((values == np.floor(values)).all()):
        return values.astype(np.int64).tolist(), 0
    mantissa, exponent = np.frexp(values)
    least = int(exponent[values != 0.0].min())
    shifts = np.where(values == 0.0, 0, exponent - least).tolist()
    digits = (mantissa * 2.0**53).astype(np.int64).tolist()
    return [n << shift for n, shift in zip(digits, shifts, strict=True)], least - 53


def scaled(numbers: Sequence[int], exponent: int) -> Fraction:
    """The sum of numbers times 2^exponent."""
    return sum(numbers) * Fraction(2) ** exponent


def rounded_down(exact: Fraction) -> float:
    """The largest double that is not larger."""
    near = float(exact)
    return near if Fraction(near) <= exact else math.nextafter(near, -math.inf)


def rounded_up(exact: Fraction) -> float:
    """The smallest double that is not smaller."""
    return -rounded_down(-exact)


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
