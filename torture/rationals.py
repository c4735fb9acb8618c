"""Soft margins and edges in rational arithmetic, from their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

UNITS = 2**52


def units_of(name: str, shares: Sequence[float]) -> list[int]:
    """Shares as whole units of 2^-52; ValueError unless they are some and sum to 1."""
    units = [Fraction(share) * UNITS for share in shares]
    if any(each.denominator != 1 or each < 0 for each in units) or sum(units) != UNITS:
        raise ValueError(f"{name} must be whole units of 2^-52 that sum to 1; got {list(shares)!r}")
    return [int(each) for each in units]


def caps_of(weight: Sequence[float], nu: float) -> list[Fraction]:
    """c_i = s_i / (nu sum s)."""
    exact = [Fraction(each) for each in weight]
    total = sum(exact) * Fraction(nu)
    return [each / total for each in exact]


def soft_margin(margins: Sequence[Fraction], caps: Sequence[Fraction]) -> Fraction:
    """min {d . margins : 0 <= d <= c, sum d = 1}: the smallest margins fill their caps first."""
    left, value = Fraction(1), Fraction(0)
    for margin, cap in sorted(zip(margins, caps, strict=True)):
        taken = min(cap, left)
        value, left = value + taken * margin, left - taken
    return value


def excess(units: Sequence[int], caps: Sequence[Fraction]) -> Fraction:
    """The mass that a distribution has above its caps."""
    parts = (max(Fraction(unit, UNITS) - cap, Fraction(0)) for unit, cap in zip(units, caps, strict=True))
    return sum(parts, Fraction(0))


def down(exact: Fraction) -> float:
    """The largest double that is not larger."""
    near = float(exact)
    return near if Fraction(near) <= exact else math.nextafter(near, -math.inf)


def up(exact: Fraction) -> float:
    """The smallest double that is not smaller."""
    return -down(-exact)
