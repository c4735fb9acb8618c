"""The generators have the moments of their definitions; scikit-learn's sets have two classes."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from frankboost.datasets import NAMES, breast_cancer, digits, ringnorm, twonorm, waveform, worst_case

M = 40_000
NEAR = 0.05  # about five standard errors of a mean, or of a variance, of half the rows
A = 2 / np.sqrt(20)


@pytest.mark.parametrize("make", [twonorm, ringnorm, waveform])
def test_generated_sets_are_deterministic_and_well_formed(make):
    one, same, other = make(300, 7), make(300, 7), make(300, 8)
    assert one.name == make.__name__
    assert one.X.dtype == np.float64
    assert one.X.shape == (300, 21 if make is waveform else 20)
    assert np.issubdtype(one.y.dtype, np.integer)
    assert set(one.y) == {-1, 1}
    np.testing.assert_array_equal(one.X, same.X)
    np.testing.assert_array_equal(one.y, same.y)
    assert not np.array_equal(one.X, other.X)
    with pytest.raises(ValueError, match="m must be an integer >= 1; got 0"):
        make(0, 7)


def test_twonorm_is_two_unit_gaussians():
    data = twonorm(M, 0)
    assert np.mean(data.y == 1) == pytest.approx(0.5, abs=0.02)
    for label in (-1, 1):
        X = data.X[data.y == label]
        np.testing.assert_allclose(X.mean(axis=0), label * A, atol=NEAR)
        np.testing.assert_allclose(np.cov(X.T), np.eye(20), atol=NEAR)


def test_ringnorm_is_a_gaussian_within_a_wider_one():
    data = ringnorm(M, 0)
    assert np.mean(data.y == 1) == pytest.approx(0.5, abs=0.02)
    wide, narrow = data.X[data.y == 1], data.X[data.y == -1]
    np.testing.assert_allclose(wide.mean(axis=0), 0, atol=2 * NEAR)
    np.testing.assert_allclose(np.cov(wide.T), 4 * np.eye(20), atol=4 * NEAR)
    np.testing.assert_allclose(narrow.mean(axis=0), A, atol=NEAR)
    np.testing.assert_allclose(np.cov(narrow.T), np.eye(20), atol=NEAR)


def test_waveform_mixes_two_of_three_triangles():
    data = waveform(M, 0)
    i = np.arange(1, 22)
    h1, h2, h3 = (np.maximum(6 - np.abs(i - peak), 0) for peak in (11, 15, 7))
    first, others = data.X[data.y == 1], data.X[data.y == -1]
    assert len(first) / M == pytest.approx(1 / 3, abs=0.015)
    np.testing.assert_allclose(first.mean(axis=0), (h1 + h2) / 2, atol=2 * NEAR)
    np.testing.assert_allclose(others.mean(axis=0), (h1 + h2 + 2 * h3) / 4, atol=2 * NEAR)
    # u is uniform: it adds (h1 - h2)^2 / 12 to the variance of the noise
    np.testing.assert_allclose(first.var(axis=0), 1 + (h1 - h2) ** 2 / 12, atol=2 * NEAR)


def test_worst_case_alternates():
    data = worst_case(8)
    assert data.X.tolist() == [[k] for k in range(8)]
    assert data.y.tolist() == [-1, 1] * 4
    with pytest.raises(ValueError, match="n must be an integer >= 4; got 2"):
        worst_case(2)


@pytest.mark.parametrize(
    ("make", "name", "shape", "positive"),
    [(breast_cancer, "wisconsin", (569, 30), 357), (digits, "digits", (1797, 64), 896)],
)
def test_bundled_sets(make, name, shape, positive):
    data = make()
    assert data.name == name
    assert data.name not in NAMES
    assert (data.X.dtype, data.y.dtype) == (np.float64, np.int64)
    assert data.X.shape == shape
    assert set(data.y) == {-1, 1}
    assert (data.y == 1).sum() == positive


def test_digits_are_five_and_above_or_below():
    assert digits().y[load_digits().target == 5].tolist() == [1] * 182
    assert digits().y[load_digits().target == 4].tolist() == [-1] * 181
