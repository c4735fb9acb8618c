"""Laws of the capped simplex, the soft margin and its smoothing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import reference
from simplex import CappedSimplex

ETAS = [1e-3, 1e-1, 1.0, 30.0, 461.0, 1e4, 1e6]


@st.composite
def positions(draw):
    """Margins, sample weights and nu."""
    m = draw(st.integers(1, 40))
    entry = st.one_of(st.floats(-1.0, 1.0), st.sampled_from([-1.0, 0.0, 0.5, 1.0]))
    margins = draw(arrays(np.float64, m, elements=entry))
    weights = draw(arrays(np.float64, m, elements=st.sampled_from([0.5, 1.0, 1.0, 2.0, 7.0])))
    nu = draw(
        st.one_of(st.floats(1e-3, 1.0), st.sampled_from([0.1, 0.5, 1.0, 1.0 / m, 0.5 / m, 1e-30, 5e-324]))
    )
    return margins, weights, nu


def kl(d, prior):
    return np.sum(d * np.log(np.where(d > 0, d, 1.0) / prior))


@pytest.mark.parametrize("eta", ETAS)
@settings(max_examples=60, deadline=None)
@given(positions())
@example((np.array([-0.59375, 1.0, -0.25]), np.full(3, 0.5), 0.5))  # capped rows far above tiny free ones
def test_projection_satisfies_kkt(eta, position):
    margins, weights, nu = position
    simplex = CappedSimplex(weights, nu)
    value, d = simplex.smoothed(margins, eta)
    assert (d >= 0.0).all()
    assert (d <= simplex.caps).all()
    assert d.sum() == pytest.approx(1.0, abs=1e-10)
    # Stationarity: margin + ln(d/q)/eta is one price on the free rows, no more than it on capped ones.
    free = (d < simplex.caps) & (d > 1e-300)
    capped = d == simplex.caps
    price = margins + np.log(np.maximum(d, 1e-300) / simplex.prior) / eta
    if free.any():
        assert np.ptp(price[free]) <= 1e-10
        assert (price[capped] <= price[free].min() + 1e-10).all()
    assert value == pytest.approx(d @ margins + kl(d, simplex.prior) / eta, abs=1e-10 / min(eta, 1.0))


@pytest.mark.parametrize("eta", ETAS)
@settings(max_examples=40, deadline=None)
@given(positions())
def test_projection_equals_the_sorting_reference(eta, position):
    margins, weights, nu = position
    simplex = CappedSimplex(weights, nu)
    _, d = simplex.smoothed(margins, eta)
    expected = reference.project(margins, simplex.prior, simplex.caps, eta)
    # Keys of size eta are rounded; beyond that the two agree.
    np.testing.assert_allclose(d, expected, atol=1e-10 + 1e-15 * eta)


@pytest.mark.parametrize("eta", [1.0, 30.0, 461.0])
def test_gradient_matches_finite_differences(eta):
    rng = np.random.default_rng(0)
    margins = rng.uniform(-1, 1, 25)
    simplex = CappedSimplex(rng.integers(1, 4, 25).astype(float), 0.3)
    _, d = simplex.smoothed(margins, eta)
    step = 1e-6 / max(1.0, eta / 30)
    for i in range(25):
        ahead, behind = margins.copy(), margins.copy()
        ahead[i] += step
        behind[i] -= step
        slope = (simplex.smoothed(ahead, eta)[0] - simplex.smoothed(behind, eta)[0]) / (2 * step)
        assert slope == pytest.approx(d[i], abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(positions())
def test_soft_margin_equals_the_linear_program(position):
    margins, weights, nu = position
    simplex = CappedSimplex(weights, nu)
    assert simplex.soft_margin(margins) == pytest.approx(
        reference.soft_margin(margins, simplex.caps), abs=1e-7
    )


@settings(max_examples=60, deadline=None)
@given(positions(), st.sampled_from([0.5, 0.01, 1e-4]))
@example((np.zeros(5), np.full(5, 0.5), 1.0 - 1e-16), 0.5)
@example((np.zeros(5), np.full(5, 0.5), 1.0 - 1e-9), 0.5)
def test_smoothing_is_within_half_the_tolerance(position, tol):
    margins, weights, nu = position
    simplex = CappedSimplex(weights, nu)
    value, _ = simplex.smoothed(margins, simplex.eta(tol))
    soft = simplex.soft_margin(margins)
    assert soft - 1e-12 <= value <= soft + tol / 2 + 1e-12


@settings(max_examples=60, deadline=None)
@given(positions())
def test_a_weight_of_two_is_the_row_twice(position):
    margins, _, nu = position
    weights = np.where(np.arange(len(margins)) % 3 == 0, 2, 1)
    one = CappedSimplex(weights.astype(float), nu)
    twice = CappedSimplex(np.ones(weights.sum()), nu)
    repeated = np.repeat(margins, weights)
    assert one.soft_margin(margins) == pytest.approx(twice.soft_margin(repeated), abs=1e-12)
    (value, d), (value2, d2) = one.smoothed(margins, 50.0), twice.smoothed(repeated, 50.0)
    assert value == pytest.approx(value2, abs=1e-12)
    np.testing.assert_allclose(np.repeat(d / weights, weights), d2, atol=1e-12)


def test_entropy_range_is_the_papers():
    assert CappedSimplex(np.ones(100), 0.1).entropy_range() == pytest.approx(np.log(10))
    assert CappedSimplex(np.ones(100), 1e-9).entropy_range() == pytest.approx(np.log(100))
    assert CappedSimplex(np.ones(100), 1.0).entropy_range() == pytest.approx(0.0)


@settings(max_examples=60, deadline=None)
@given(positions(), st.floats(1e-12, 1e-3))
@example((np.where(np.arange(12) == 0, -1.0, 0.0), np.full(12, 0.5), 1.0), 0.0009946994381817963)
def test_nearest_repairs_a_solvers_rounding(position, error):
    margins, weights, nu = position
    simplex = CappedSimplex(weights, nu)
    _, d = simplex.smoothed(margins, 10.0)
    repaired = simplex.nearest(d + error * np.sign(margins) * simplex.caps)
    assert (repaired >= 0.0).all()
    assert simplex.above(repaired) <= simplex.excess + 1e-15
    assert repaired.sum() == pytest.approx(1.0, abs=1e-12)


def test_extremes_stay_finite():
    simplex = CappedSimplex(np.ones(1000), 0.3)
    margins = np.linspace(-1, 1, 1000)
    value, d = simplex.smoothed(margins, 1e6)
    assert np.isfinite(value)
    assert d.sum() == pytest.approx(1.0, abs=1e-12)
    assert d[:299] == pytest.approx(simplex.caps[:299])
    assert value == pytest.approx(simplex.soft_margin(margins), abs=1e-5)


@pytest.mark.parametrize("shape", ["normal", "heavy", "ties", "every third is hard", "one of many"])
@pytest.mark.parametrize("eta", [0.1, 1.0, 300.0, 1e5])
@pytest.mark.parametrize("nu", [1e-4, 0.2, 0.9])
def test_many_rows(shape, eta, nu):
    """Past a few thousand rows a sample of them starts the projection, which a pattern can mislead."""
    m = 10_000
    rng = np.random.default_rng(0)
    margins = {
        "normal": rng.normal(size=m),
        "heavy": rng.standard_cauchy(size=m).clip(-1e4, 1e4),
        "ties": rng.choice([-1.0, 0.0, 1.0], m),
        "every third is hard": np.where(np.arange(m) % 3 == 0, -1.0, 1.0) + 0.01 * rng.normal(size=m),
        "one of many": np.where(np.arange(m) == 1, -50.0, 0.5),
    }[shape]
    simplex = CappedSimplex(rng.choice([1.0, 2.0, 5.0], m), nu)
    value, d = simplex.smoothed(margins, eta)
    expected = reference.project(margins, simplex.prior, simplex.caps, eta)
    assert d.sum() == pytest.approx(1.0, abs=1e-10)
    np.testing.assert_allclose(d, expected, atol=1e-10, rtol=1e-10 + 1e-14 * eta * np.abs(margins).max())
    assert value == pytest.approx(d @ margins + kl(d, simplex.prior) / eta, rel=1e-9, abs=1e-9)
    order = np.argsort(margins, kind="stable")
    caps = simplex.caps[order]
    worst = np.clip(1.0 - (np.cumsum(caps) - caps), 0.0, caps)
    assert simplex.soft_margin(margins) == pytest.approx(worst @ margins[order], rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("stride", [1, 3])
@pytest.mark.parametrize("decades", [0.5, 12.0])
def test_free_rows(stride, decades):
    """Below their cap, and neither of little density nor of little weight beside the rows looked at."""
    rng = np.random.default_rng(0)
    simplex = CappedSimplex(10.0 ** rng.uniform(-decades, 0.0, 200), 0.1)
    d = np.minimum(rng.dirichlet(np.full(200, 0.1)), simplex.caps)
    looked_at = range(0, 200, stride)
    density = d / simplex.prior
    densest, heaviest = (max(each[i] for i in looked_at) for each in (density, d))
    free = [
        i
        for i in looked_at
        if d[i] < simplex.caps[i] and (density[i] > 1e-3 * densest or d[i] > 1e-3 * heaviest)
    ]
    np.testing.assert_array_equal(simplex.free(d, 1e-3, stride), free)
    assert 0 < len(free) < len(looked_at)


@pytest.mark.parametrize("decades", [5, 15, 20, 60])
@pytest.mark.parametrize("nu", [1e-200, 1e-18, 1e-6, 0.1, 1.0])
@pytest.mark.parametrize("rows", [7, 300])
def test_light_rows_do_not_drown_beside_heavy_ones(decades, nu, rows):
    rng = np.random.default_rng(rows + decades)
    for weight in (10.0 ** rng.uniform(-decades, 0.0, rows), 10.0 ** (-decades * rng.integers(0, 2, rows))):
        simplex = CappedSimplex(weight, nu)
        margins = np.floor(rng.uniform(-1.0, 1.0, rows) * 2.0**52) / 2.0**52
        assert simplex.soft_margin(margins) == pytest.approx(
            exact_soft_margin(margins, weight, nu), abs=1e-12
        )
        for eta in (1e-2, 1.0, 300.0, 1e5):
            value, d = simplex.smoothed(margins, eta)
            assert d.sum() == pytest.approx(1.0, abs=1e-12)
            assert (d <= simplex.caps).all()
            # Logarithms of caps as large as that are rounded, and so are keys of size eta.
            assert value == pytest.approx(
                d @ margins + kl(d, simplex.prior) / eta, abs=1e-13 * decades / eta + 1e-12
            )
            free = (d < 0.9 * simplex.caps) & (d > 1e-300)
            price = margins + np.log(np.maximum(d, 1e-300) / simplex.prior) / eta
            assert np.ptp(price[free]) <= 1e-10 + 1e-12 * decades / eta if free.any() else True
        near = simplex.nearest(d * rng.uniform(0.9, 1.1, rows))
        assert near.sum() == pytest.approx(1.0, abs=1e-12)
        assert simplex.above(near) <= simplex.excess + 1e-15


def exact_soft_margin(margins, weight, nu):
    """The lowest margins, as much of each as its cap allows, in rational arithmetic."""
    whole = Fraction(nu) * sum(map(Fraction, weight))
    left, paid = whole, Fraction(0)
    for i in np.argsort(margins):
        spent = min(Fraction(weight[i]), left)
        left, paid = left - spent, paid + spent * Fraction(margins[i])
    return float(paid / whole)
