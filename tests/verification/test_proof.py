"""The ends of a certificate in rational arithmetic, against its literal definition."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frankboost.verification.rationals import Caps, are_signs, exact_votes, largest_column_edge


def snapped(shares):
    units = np.floor(shares / shares.sum() * 2.0**52)
    units[0] += 2.0**52 - units.sum()
    return units


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-(2**60), 2**60), st.floats(1e-300, 1e300)), min_size=1, max_size=8),
    st.floats(1e-9, 1.0),
)
def test_the_soft_margin_is_the_largest_lower_bound(pairs, nu):
    margins, weight = [m for m, _ in pairs], [w for _, w in pairs]
    total = sum(map(Fraction, weight))
    # max over t of t - sum_i s_i (t - margin_i)_+ / (nu sum s), attained at a margin
    bounds = [
        t - sum(Fraction(w) * max(t - m, 0) for m, w in pairs) / (Fraction(nu) * total) for t in margins
    ]
    assert Caps(np.array(weight), nu).soft_margin(margins) == max(bounds)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.floats(1e-6, 1.0), st.floats(1e-300, 1e300)), min_size=2, max_size=8))
def test_the_excess_is_what_lies_above_the_caps(pairs):
    units, weight, nu = snapped(np.array([d for d, _ in pairs])), [w for _, w in pairs], 0.7
    total = sum(map(Fraction, weight))
    expected = sum(
        max(Fraction(int(n), 2**52) - Fraction(w) / (Fraction(nu) * total), 0)
        for n, w in zip(units, weight, strict=True)
    )
    assert Caps(np.array(weight), nu).excess(units) == expected


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_votes_and_edges_are_exact_for_any_entries(seed, signs):
    rng = np.random.default_rng(seed)
    H = rng.choice([-1.0, 0.0, 1.0], size=(7, 5))
    if not signs:
        H *= rng.uniform(-1.0, 1.0, H.shape) * 10.0 ** rng.integers(-40, 1, H.shape)
        H[:, -1] = H[:, -2] * (1.0 + 2.0**-52)  # which rounding cannot tell
    y, weights, units = rng.choice([-1.0, 1.0], 7), snapped(rng.random(5)), snapped(rng.random(7))
    numbers, exponent = exact_votes(zip(weights.tolist(), H.T, strict=True), 7)
    entries = [[Fraction(entry) for entry in row] for row in H.tolist()]
    expected = [sum(int(w) * entry for w, entry in zip(weights, row, strict=True)) for row in entries]
    assert [n * Fraction(2) ** exponent for n in numbers] == expected
    edges = [
        sum(int(n * label) * entry for n, label, entry in zip(units, y, column, strict=True))
        for column in zip(*entries, strict=True)
    ]
    assert largest_column_edge(H, units * y) == max(edges)


def test_many_columns_of_any_entries():
    rng = np.random.default_rng(0)
    H, units = rng.uniform(-1.0, 1.0, (1000, 100)), snapped(rng.random(1000))
    found = largest_column_edge(H, units)
    assert float(found) == pytest.approx((units @ H).max(), rel=1e-12)
    numbers, exponent = exact_votes([(2.0**45, column) for column in H.T], 1000)
    assert float(numbers[0] * Fraction(2) ** exponent) == pytest.approx(2.0**45 * H[0].sum(), rel=1e-9)


def test_signs():
    assert are_signs(np.array([-1.0, 0.0, 1.0, -0.0]))
    assert not are_signs(np.array([0.5]))
    assert not are_signs(np.array([np.nan]))


def test_a_smaller_nu_has_a_smaller_soft_margin():
    caps = [Caps(np.ones(4), nu).soft_margin([1, 2, 3, 4]) for nu in (0.25, 0.5, 0.75, 1.0)]
    assert caps[0] == 1
    assert caps[-1] == Fraction(5, 2)
    assert all(low < high for low, high in pairwise(caps))
