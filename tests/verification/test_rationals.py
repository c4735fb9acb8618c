"""Doubles as the rational numbers that they are, and shares in whole units."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from frankboost import CertificateError
from frankboost.verification.rationals import integers, rounded_down, rounded_up, whole_units

doubles = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=200, deadline=None)
@given(arrays(np.float64, st.integers(1, 8), elements=doubles))
def test_integers_are_the_values(values):
    numbers, exponent = integers(values)
    assert [n * Fraction(2) ** exponent for n in numbers] == [Fraction(each) for each in values.tolist()]


@settings(max_examples=200, deadline=None)
@given(st.fractions(min_value=-2, max_value=2))
def test_rounding_keeps_to_its_side(exact):
    low, high = rounded_down(exact), rounded_up(exact)
    assert Fraction(low) <= exact <= Fraction(high)
    assert math.nextafter(low, math.inf) >= high


def test_whole_units():
    shares = np.array([2.0**-52, 1.0 - 2.0**-52])
    assert whole_units("shares", shares).tolist() == [1, 2**52 - 1]


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([0.1, 0.9], r"w: claimed multiples of 2\^-52, found 0.1 at 0"),
        ([0.5, 0.25], r"w: claimed sum 1, found 1 -1125899906842624 \* 2\^-52"),
        ([0.5, 0.5, 2.0**-52], r"w: claimed sum 1, found 1 \+1 \* 2\^-52"),
        ([-0.5, 1.0, 0.5], r"w: claimed shares in \[0, 1\], found -0.5"),
        ([math.nan, 1.0], r"w: claimed shares in \[0, 1\], found nan"),
        ([1e300, 0.0], r"w: claimed shares in \[0, 1\], found 1e\+300"),
        ([1.0] * 5000, r"w: claimed sum 1, found 1 \+\d+ \*"),
    ],
)
def test_what_is_no_share(shares, message):
    shares = np.array(shares)
    with pytest.raises(CertificateError, match=message):
        whole_units("w", shares)
