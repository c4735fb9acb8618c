"""The grid, in rational arithmetic."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array

from frankboost import grid, native
from frankboost.grid import (
    UNITS,
    cap_units,
    dealt,
    exact_dot,
    exact_sum,
    power_above,
    rounded_down,
    snapped_weights,
    weight_shares,
)
from simplex import CappedSimplex

rng = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def _same_numbers_whatever_ran_before():
    rng.bit_generator.state = np.random.default_rng(0).bit_generator.state


def units_of(values):
    units = values * UNITS
    assert (units == np.floor(units)).all()
    return [int(unit) for unit in units]


@pytest.mark.parametrize("nu", [1e-9, 0.01, 0.3, 0.999, 1.0])
@pytest.mark.parametrize("m", [1, 2, 7, 5000])
@pytest.mark.parametrize("spread", [0, 5, 200])
def test_a_snapped_distribution_sums_to_one_and_keeps_to_its_caps(m, nu, spread):
    weight = 10.0 ** rng.uniform(-spread, 0, m)
    simplex = CappedSimplex(weight, nu)
    for _ in range(5):
        margins, eta = rng.uniform(-1, 1, m), 10.0 ** rng.uniform(-3, 5)
        d, snapped = simplex.smoothed(margins, eta)[1], simplex.snapped(margins, eta)
        units = units_of(snapped)
        assert sum(units) == 2**52
        total = sum(map(Fraction, weight))
        above = [
            Fraction(unit, 2**52) - Fraction(s) / (total * Fraction(nu))
            for unit, s in zip(units, weight, strict=True)
        ]
        assert sum(max(each, Fraction(0)) for each in above) <= Fraction(simplex.excess)
        if nu < 0.9999:
            assert simplex.excess == 0.0
        assert np.abs(snapped - d).sum() < m * 2.0**-50 + 1e-12


def test_a_sum_that_is_too_large_is_taken_back():
    d = np.full(1000, 1e-3) * (1 + 1e-13)
    assert sum(units_of(native.snap(d, np.full(1000, UNITS)))) == 2**52


def test_rows_without_weight_stay_so():
    d = np.where(np.arange(3000) % 3, 1 / 2000, 0.0)
    assert (native.snap(d, np.full(3000, UNITS))[::3] == 0.0).all()


def test_snapping_refuses():
    with pytest.raises(ValueError, match="differ in length"):
        native.snap(np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match="whole numbers"):
        native.snap(np.ones(2) / 2, np.full(2, 0.5))
    with pytest.raises(ValueError, match="d must be finite"):
        native.snap(np.array([np.nan, 1.0]), np.ones(2))


def test_weights_on_the_grid():
    for size in (1, 3, 1000):
        w = rng.dirichlet(np.full(size, 0.1))
        snapped = snapped_weights(w * (1 + 1e-9))
        assert sum(units_of(snapped)) == 2**52
        np.testing.assert_allclose(snapped, w, atol=1e-12)


WEIGHTS = {
    "equal": np.ones,
    "equal fractions": lambda m: np.full(m, 0.1),
    "counts": lambda m: rng.integers(1, 9, m).astype(float),
    "numbers": lambda m: rng.uniform(0.5, 2.0, m),
    "far apart": lambda m: 10.0 ** rng.uniform(-200, 200, m),
}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("nu", [1e-6, 0.1, 0.37, 1.0])
def test_the_soft_margin_is_that_of_rational_arithmetic_rounded_down(kind, nu):
    for m in (1, 4, 30):
        margins = np.floor(rng.uniform(-1, 1, m) * UNITS) / UNITS
        weight = WEIGHTS[kind](m)
        exact = soft_margin(margins, weight, nu)
        simplex = CappedSimplex(weight, nu)
        below = simplex.below(margins, nu)
        assert Fraction(below) <= exact
        assert exact - Fraction(below) <= Fraction(2.0**-53)
        assert Fraction(simplex.below(margins, nu, error=1e-12, weight_error=1e-13)) <= exact - Fraction(
            1e-12
        )


def test_the_least_margin_is_a_soft_margin_whatever_the_quantile_is():
    """At a margin above it the rest would be 2^-1074 times too small to divide by."""
    margins, weight = np.array([0.5, -0.25, 0.75]), np.array([1e8, 1e-9, 1e-7])
    simplex = CappedSimplex(weight, 5e-324)
    for t in margins:
        assert simplex.below(margins, 5e-324, t) == -0.25
        assert simplex.below(margins, 5e-324, t, error=0.25) == -0.5


def soft_margin(margins, weight, nu):
    """The lowest margins, as much of each as its cap allows."""
    total = Fraction(nu) * sum(map(Fraction, weight))
    left, paid = Fraction(1), Fraction(0)
    for i in np.argsort(margins):
        share = min(Fraction(weight[i]) / total, left)
        left -= share
        paid += share * Fraction(margins[i])
    return paid


def test_rounding_goes_one_way():
    for exact in (Fraction(1, 3), Fraction(-1, 3), Fraction(1, 2), Fraction(0)):
        low = rounded_down(exact)
        assert Fraction(low) <= exact < Fraction(np.nextafter(low, 1.0))


@pytest.mark.parametrize("nu", [0.01, 0.5, 0.99])
@pytest.mark.parametrize("kind", ["equal", "counts", "numbers"])
def test_shares_of_equal_rows_are_whole_units_within_their_caps(kind, nu):
    group = rng.integers(0, 40, 2000)
    group[:40] = np.arange(40)
    weight = WEIGHTS[kind](2000)
    together = np.bincount(group, weight)
    members = np.bincount(group)
    shares = csr_array((weight / together[group], (np.arange(2000), group)))
    error = 0.0 if kind != "numbers" else members.max() * 2.0**-53
    simplex = CappedSimplex(together, nu, members=members, error=error)
    for _ in range(5):
        d = simplex.snapped(rng.uniform(-1, 1, 40), 10.0 ** rng.uniform(-2, 4))
        spread = dealt(d, shares, simplex.caps, error)
        units = units_of(spread)
        assert [sum(units[i] for i in np.flatnonzero(group == g)) for g in range(40)] == units_of(d)
        total = sum(map(Fraction, weight)) * Fraction(nu)
        assert all(Fraction(u, 2**52) <= Fraction(s) / total for u, s in zip(units, weight, strict=True))


@pytest.mark.parametrize("power", range(-70, -50, 2))
def test_of_many_light_weights_nothing_is_lost(power):
    """Caps of the others were above the true ones by more than the grid stays below them."""
    rows = 2**19
    weight = np.full(rows, 0.999 * 2.0**power)
    weight[:2] = 1.0
    exact = 2 + (rows - 2) * Fraction(weight[-1])
    assert exact_sum(weight) == exact
    units = CappedSimplex(weight, 0.6).units
    assert Fraction(int(units[0]), 2**52) <= 1 / (exact * Fraction(0.6))


@pytest.mark.parametrize("kind", WEIGHTS)
def test_sums_of_products_are_exact(kind, monkeypatch):
    monkeypatch.setattr(grid, "STRETCH", 40)
    weight, units = WEIGHTS[kind](100), np.floor(rng.uniform(0, 2, 100) * UNITS)
    units[:3] = 0.0, 1.0, 2.0**53
    assert exact_dot(weight, units) == sum(Fraction(s) * int(n) for s, n in zip(weight, units, strict=True))


def test_caps_in_units_are_never_above_the_true_ones():
    weight = rng.uniform(0.1, 3.0, 500)
    for nu in (0.003, 0.7):
        units = cap_units(weight / weight.sum() / nu)
        total = sum(map(Fraction, weight)) * Fraction(nu)
        whole = units_of(units / UNITS)
        assert all(Fraction(u, 2**52) <= Fraction(s) / total for u, s in zip(whole, weight, strict=True))


@pytest.mark.parametrize("kind", ["tenths", "any", "far apart", "whole"])
def test_shares_of_weights_add_up_in_any_order(kind):
    rng = np.random.default_rng(0)
    weight = {
        "tenths": np.full(1000, 0.1),
        "any": rng.uniform(0.1, 2.0, 1000),
        "far apart": 10.0 ** rng.uniform(-6.0, 200.0, 1000),
        "whole": rng.integers(1, 9, 1000).astype(float),
    }[kind]
    total = exact_sum(weight)
    whole = power_above(total)
    shares = weight_shares(weight, whole)
    assert total < whole <= 2 * total
    assert np.cumsum(shares)[-1] == np.cumsum(rng.permutation(shares))[-1] == math.fsum(shares) <= 1.0
    assert np.abs(shares - weight / whole).max() <= (0.0 if kind == "whole" else 2.0**-53)
