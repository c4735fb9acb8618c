"""The margin matrix against dense NumPy."""

from itertools import pairwise

import numpy as np
import pytest

from frankboost.rooms.margin_matrix import MarginMatrix, copies, whole_roots

rng = np.random.default_rng(0)
M = 60


def signs(rows, columns):
    return list(rng.choice(np.array([-1, 1], dtype=np.int8), (columns, rows)))


def numbers(rows, columns):
    return list(rng.uniform(-1, 1, (columns, rows)).astype(np.float32).astype(np.float64))


@pytest.fixture(params=["signs and numbers", "signs", "numbers"])
def columns(request):
    both = [c for kind in (signs, numbers) if kind.__name__ in request.param for c in kind(M, 11)]
    return [both[k] for k in rng.permutation(len(both))]


def test_it_is_its_columns(columns):
    A, dense = MarginMatrix(M), np.column_stack(columns).astype(np.float64)
    n = len(columns)
    for column in columns:
        A.extend(column[None])
    assert len(A) == n
    w, d = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(M))
    np.testing.assert_allclose(A.margins(w), dense @ w, atol=1e-14)
    np.testing.assert_allclose(A.edges(d), dense.T @ d, atol=1e-14)
    for k in range(n + 1):
        np.testing.assert_array_equal(A.edges(d, k), A.edges(d)[k:])
    for j in range(n):
        np.testing.assert_array_equal(A.column(j), dense[:, j])
    rows, picked, mass = np.array([3, 9, 11]), np.array([0, 7, 4]), np.array([0.2, 0.3, 0.1])
    expected = covariance(dense, picked, rows, mass)
    # The square roots of the masses are rounded to one part in 2^26 and in 2^11.
    np.testing.assert_allclose(A.covariance(picked, rows, mass, np.float64), expected, atol=1e-7)
    np.testing.assert_allclose(A.covariance(picked, rows, mass, np.float32), expected, atol=1e-3)


def covariance(dense, picked, rows, mass):
    entries = dense[np.ix_(rows, picked)].T
    centred = (entries - (entries @ mass / mass.sum())[:, None]) * np.sqrt(mass)
    return centred @ centred.T


def test_it_grows_past_its_first_block():
    A = MarginMatrix(5)
    columns = [np.append(np.where(np.arange(4) & j, 1, -1), (-1) ** j).astype(np.int8) for j in range(4)]
    columns += [np.full(5, j / 100) for j in range(90)]
    for column in columns:
        A.extend(column[None])
    for place, column in enumerate(columns):
        np.testing.assert_allclose(A.column(place), column, atol=1e-8)


def test_threads_change_no_bit():
    rows = 9000
    columns = signs(rows, 70) + numbers(rows, 3)
    one, two = MarginMatrix(rows, 1), MarginMatrix(rows, 2)
    for A in (one, two):
        A.extend(np.array(columns[:70]))
        A.extend(np.array(columns[70:]))
    w, d = rng.dirichlet(np.ones(73)), rng.dirichlet(np.ones(rows))
    np.testing.assert_array_equal(one.margins(w), two.margins(w))
    np.testing.assert_array_equal(one.edges(d), two.edges(d))
    picked, some = np.arange(73), np.flatnonzero(rng.random(rows) < 0.9)
    for dtype in (np.float32, np.float64):
        a, b = (A.covariance(picked, some, d[some], dtype) for A in (one, two))
        np.testing.assert_array_equal(a, b)
        expected = covariance(np.column_stack(columns).astype(float), picked, some, d[some])
        np.testing.assert_allclose(a, expected, atol=1e-3 if dtype == np.float32 else 1e-7)


def test_it_works_where_the_system_grants_no_threads(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    rows, picked = 9000, np.arange(70)
    one, two = MarginMatrix(rows, 1), MarginMatrix(rows, 2)
    columns = np.array(signs(rows, 70))
    one.extend(columns), two.extend(columns)
    monkeypatch.setattr("threading.Thread.start", refuse)
    a, b = (A.covariance(picked, np.arange(rows), np.full(rows, 1 / rows), np.float32) for A in (one, two))
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rows", [20, 900, 9000])
def test_products_of_signs_are_exact(rows, dtype):
    """In each piece, so that no order of summation, and no processor's own product, can change them."""
    columns, mass = signs(rows, 30), rng.dirichlet(np.full(rows, 0.1)) + 1e-9
    A = MarginMatrix(rows)
    for column in columns:
        A.extend(column[None])
    whole, pieces = (copies(mass), [0]) if dtype == np.float32 else squares(mass)
    dense = np.column_stack([*columns, np.ones(rows)]).astype(np.int64)
    gram = np.zeros((31, 31))
    for begin, end in pairwise([*pieces, rows]):  # whole numbers below 2^53, and then floats in this order
        gram += (dense[begin:end] * whole[begin:end, None]).T @ dense[begin:end]
    first, total = gram[-1, :-1], gram[-1, -1]
    expected = (gram[:-1, :-1] - np.outer(first, first / total)) * (mass.sum() / total)
    np.testing.assert_array_equal(A.covariance(np.arange(30), np.arange(rows), mass, dtype), expected)


def squares(mass):
    pieces, root = whole_roots(mass, np.float64)
    assert (root == np.rint(root)).all()
    assert np.add.reduceat(root**2, pieces).max() <= 2.0**53
    return root.astype(np.int64) ** 2, pieces


@pytest.mark.parametrize("rows", [1, 20, 900, 9000])
def test_a_row_stands_in_a_sample_as_often_as_its_mass_says(rows):
    mass = rng.dirichlet(np.full(rows, 0.3))
    often = copies(mass)
    assert often.sum() == max(2 * rows, 4096)
    assert np.abs(np.cumsum(often) - often.sum() * np.cumsum(mass) / mass.sum()).max() <= 1.0


def test_rounding_leaves_no_variance_below_0():
    """Over one row a column is constant; a rule that divides by its variance would fail."""
    A, columns = MarginMatrix(1), [np.array([value]) for value in rng.uniform(-1, 1, 200)]
    for column in columns:
        A.extend(column[None])
    assert A.covariance(np.arange(200), np.arange(1), np.ones(1), np.float32).diagonal().min() >= 0.0
