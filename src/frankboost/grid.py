"""The grid of 2^-52, on which the two ends of a certificate are exact.

Multiples of 2^-52 with absolute value up to 2 are doubles, and a sum of doubles whose value is a double has
no rounding. So if d and w lie on the grid and sum to 1, every sum of parts of them is exact in any order:
margins and edges of hypotheses that vote -1 or +1 and the tables of the tree search among them.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from frankboost.typing import Array, Floats, Indices

UNITS = 2.0**52  # in all
# Caps on the grid stay below the true ones by this share, which is more than rounding did to those.
BELOW = 2.0**-46
STRETCH, LIMB = 2**18, 18  # rows, and bits of a whole number, that are multiplied at once
CAPPED = 1.0 - 1e-9  # of its cap: a row as heavy as that is as heavy as it may be


def playable_nu(nu: float, least: float, whole: float) -> float:
    """nu, or the largest that is the hard margin as well, for the least sample weight and their sum.

    With caps of 2 no cap binds; the sums of far larger ones would drown in rounding.
    """
    return max(nu, least / whole / 2.0)


def cap_units(caps: Floats, members: Indices | int = 0, error: float = 0.0) -> Floats:
    """The caps in whole units, which no rounding lifts above the true ones.

    A row that stands for `members` equal ones gives up a unit for each of them: shares are whole units too.
    `error` is the largest relative error of the sample weights that the caps were made of.
    """
    return np.clip(np.floor(caps * (UNITS * (1.0 - BELOW - 2.0 * error))) - members, 0.0, UNITS)


def dealt(d: Floats, shares: csr_array, caps: Floats, error: float) -> Floats:
    """A distribution on the grid over equal rows that others stand for, each with its share, in whole units.

    `shares` has one row per equal row and one column per row that stands for some; `caps` are of the latter,
    and `error` is that of `cap_units`.
    """
    groups = shares.tocsc()
    first, share, units = groups.indptr[:-1], groups.data, d * UNITS
    group = np.repeat(np.arange(len(d)), np.diff(groups.indptr))
    most = cap_units(caps[group] * share, error=error)
    # A hair less than the share, so that no rounding deals out too much.
    given = np.minimum(np.floor(units[group] * (share * (1.0 - 2.0**-50 - 2.0 * error))), most)
    left = units - np.bincount(group, given, len(d))
    # What is left goes to the first of the equal rows that may take more.
    room = np.minimum(most - given, left[group])
    before = np.cumsum(room) - room
    given += np.clip(left[group] - (before - before[first[group]]), 0.0, room)
    given[first] += units - np.bincount(group, given, len(d))  # nothing, unless nu is next to 1
    spread = np.zeros(shares.shape[0])
    spread[groups.indices] = given / UNITS
    return spread


def magic_for(bound: float) -> float:
    """(x + magic) - magic is x as a multiple of a power of two: sums of these up to `bound` are exact."""
    return math.ldexp(1.5, math.frexp(bound)[1] + 1)


def magics_for(bound: float, count: int) -> tuple[float, float]:
    """What two parts of terms are rounded by, whose sizes add up to at most a bound."""
    coarse = magic_for(bound)
    return coarse, magic_for(count * coarse * 2.0**-52)


def total_parts(weights: Floats, coarse: float, fine: float) -> tuple[float, float]:
    """The sums of two parts of each weight, both exact."""
    high = (weights + coarse) - coarse
    low = weights - high
    return float(high.sum()), float(((low + fine) - fine).sum())


def snapped_weights(weights: Floats) -> Floats:
    """Weights next to `weights`, which sum to about 1, on the grid: they sum to 1 exactly."""
    units = np.rint(weights / weights.sum() * UNITS)
    units[np.argmax(units)] += UNITS - units.sum()
    snapped: Floats = units / UNITS
    return snapped


def power_above(total: Fraction) -> float:
    """A power of two that positive weights with this sum add up to less than."""
    return math.ldexp(1.0, math.frexp(float(total))[1])


def weight_shares(weight: Array, whole: float) -> Array:
    """Weights divided by a power of two that they add up to less than, on the grid: no sum is rounded."""
    return np.rint(weight / whole * UNITS) / UNITS


def rounded_down(exact: Fraction) -> float:
    """The largest double that is not larger."""
    near = float(exact)
    return near if Fraction(near) <= exact else math.nextafter(near, -math.inf)


def exact_sum(weight: Floats) -> Fraction:
    """sum_i weight_i, exactly."""
    return exact_dot(weight, np.ones(len(weight)))


def exact_dot(weight: Floats, units: Floats) -> Fraction:
    """sum_i weight_i units_i, exactly; units are whole numbers from 0 to 2^53."""
    if len(weight) == 0:
        return Fraction(0)
    if weight.min() == weight.max():
        whole = units.astype(np.int64)  # halves of which add up without overflow
        return Fraction(weight[0]) * ((int((whole >> 27).sum()) << 27) + int((whole & (2**27 - 1)).sum()))
    stretches = (slice(at, at + STRETCH) for at in range(0, len(weight), STRETCH))
    return sum((_stretch_dot(weight[some], units[some]) for some in stretches), Fraction(0))


def _stretch_dot(weight: Floats, units: Floats) -> Fraction:
    """The dot product of a stretch of rows; rows with weights between the same powers of two go together."""
    mantissa, exponent = np.frexp(weight)
    whole, counts = (mantissa * 2.0**53).astype(np.int64), units.astype(np.int64)
    order = np.argsort(exponent.astype(np.int16), kind="stable")
    total, least = 0, int(exponent[order[0]])
    for rows in np.split(order, 1 + np.flatnonzero(np.diff(exponent[order]))):
        total += _whole_dot(whole[rows], counts[rows]) << (int(exponent[rows[0]]) - least)
    return total * Fraction(2) ** (least - 53)


def _whole_dot(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    """sum_i one_i other_i of whole numbers from 0 to 2^53, by limbs: their products add up exactly."""
    limbs = [[each >> shift & (2**LIMB - 1) for shift in (0, LIMB, 2 * LIMB)] for each in (one, other)]
    pairs = [(int(a @ b), i + j) for i, a in enumerate(limbs[0]) for j, b in enumerate(limbs[1]) if b.any()]
    return sum(product << (LIMB * place) for product, place in pairs)
