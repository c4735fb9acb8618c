"""Doubles as the rational numbers that they are.

A distribution and the weights of an ensemble are counted in units of 2^-52: integers that sum to 2^52.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
