"""The room of many classes: its points are the minima that they claim to be, over rows and classes."""

import numpy as np
import pytest

from frankboost import BestTree
from frankboost.learners.base import Start
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local import local_room
from frankboost.rooms.margins import JointMargins
from games import distribution

M, K = 50, 4
RNG = np.random.default_rng(0)
X = RNG.normal(size=(M, 3)).round(1)
CODE = np.concatenate([np.arange(K), RNG.integers(0, K, M - K)])
WEIGHT = RNG.uniform(0.5, 2.0, M)
PRIOR = WEIGHT / WEIGHT.sum()


def opened(nu=0.3, tol=0.1, columns=5):
    oracle = BestTree(2, columns_per_round=columns).prepare(X, CODE.astype(float), WEIGHT)
    return local_room(Examples(X, JointMargins(CODE, K), WEIGHT), oracle, nu=nu, tol=tol)


def grown(nu=0.3, tol=0.1):
    """A room that knows some hypotheses, and A with one row per row and class, 0 for the own class."""
    room = opened(nu, tol)
    room.ask()
    room.ask(room.at(np.full(len(room), 4.0)))
    values = np.array([together(X) for together in room.hypotheses])  # hypotheses, rows, classes
    own = values[:, np.arange(M), CODE]
    return room, (own[:, :, None] - values) / 2


def smallest(cost, caps):
    """min over P of d . cost: the cheapest class of each row, and the cheapest rows up to their caps."""
    row = np.where(np.eye(K, dtype=bool)[CODE], np.inf, cost).min(axis=1)
    left, value = 1.0, 0.0
    for i in np.argsort(row):
        value, left = value + min(left, caps[i]) * row[i], left - min(left, caps[i])
    return value


@pytest.mark.parametrize("nu", [0.005, 0.1, 0.5, 0.95])
@pytest.mark.parametrize("eta", [1.0, 30.0])
def test_a_point_is_the_minimum_it_says(nu, eta):
    """No direction from it lowers the convex objective: its linear part has its minimum there."""
    room, A = grown(nu)
    for scale in (1.0, 25.0):
        lam = scale * np.random.default_rng(1).dirichlet(np.ones(len(room)))
        point = room.at(lam, eta)
        d, z = distribution(point), np.tensordot(lam, A, 1)
        assert d.sum() == pytest.approx(1.0, abs=1e-12)
        assert (d.sum(axis=1) <= PRIOR / nu + 1e-12).all()
        assert (d[np.arange(M), CODE] == 0.0).all()
        q = np.where(np.eye(K, dtype=bool)[CODE], np.nan, PRIOR[:, None] / (K - 1))
        logs = np.where(d > 0.0, np.log(np.maximum(d, 1e-300) / q), 0.0)
        value = (d * z).sum() + np.nansum(d * logs) / eta
        assert point.value == pytest.approx(value, abs=1e-9 * scale)
        # Where d is next to nothing the slope is less than that of a part of 1e-9.
        slope = z + (np.log(np.maximum(d, 1e-9) / q) + 1.0) / eta
        assert np.nansum(d * slope) - smallest(slope, PRIOR / nu) < 1e-6 * scale
        np.testing.assert_allclose(point.edges(), (A * d).sum(axis=(1, 2)), atol=1e-12)
        assert point.soft_margin() == pytest.approx(smallest(z, PRIOR / nu), abs=1e-12 * scale)


def test_edges_are_exact_sums():
    """Masses and their parts are whole units of the grid."""
    room, _ = grown()
    d = distribution(room.at(np.full(len(room), 2.0)))
    units = d * 2.0**52
    assert (units == np.floor(units)).all()
    assert int(units.astype(np.int64).sum()) == 2**52


@pytest.mark.parametrize(("nu", "close"), [(0.005, 1e-4), (0.3, 0.01), (0.95, 0.05)])
def test_the_curvature_is_the_hessian_or_close(nu, close):
    """With rows at their caps it is close: within them only differences from the first class count."""
    room, _ = grown(nu, tol=0.5)
    lam, columns = np.random.default_rng(3).dirichlet(np.ones(len(room))), np.arange(len(room))
    H = room.eta * room.at(lam).curvature(columns)
    found = np.empty_like(H)
    for j in columns:
        ahead, behind = lam.copy(), lam.copy()
        ahead[j] += 1e-6
        behind[j] -= 1e-6
        found[:, j] = (room.at(behind).edges() - room.at(ahead).edges()) / 2e-6
    size = np.abs(found).max()
    np.testing.assert_allclose(H, found, atol=close * size)
    assert np.trace(H) == pytest.approx(np.trace(found), rel=0.05)
    rough = room.eta * room.at(lam).curvature(columns, rough=True)
    np.testing.assert_allclose(rough, H, atol=0.15 * size)


def test_a_line_is_the_objective():
    room, A = grown()
    w, v = np.random.default_rng(4).dirichlet(np.ones(len(room)), 2)
    line = room.line(w, v - w)
    for step in (0.0, 0.25, 1.0):
        point = room.at((1 - step) * w + step * v)
        assert line.at(step).value == pytest.approx(point.value, abs=1e-12)
        assert line.at(step).slope() == pytest.approx(point.edges() @ (v - w), abs=1e-12)
    assert line.length() == pytest.approx(np.abs(np.tensordot(v - w, A, 1)).max())


def test_asking_finds_the_largest_edge_of_each_class():
    room, _ = grown()
    point = room.at(np.full(len(room), 3.0))
    d = distribution(point)
    best = 0.0
    for c in range(K):
        u = np.where(c == CODE, d.sum(axis=1), -d[:, c])
        [tree] = BestTree(2).prepare(X, CODE, WEIGHT)(u).hypotheses
        best += u @ tree(X) / 2
    found = room.ask(point)
    assert found.edges.max() == pytest.approx(best, abs=1e-15)
    assert room.bound <= best + 1e-15


def test_another_nu_leaves_the_hypotheses_and_nothing_else():
    room, _ = grown(0.3)
    w = np.random.default_rng(5).dirichlet(np.ones(len(room)))
    room.ask(room.at(20.0 * np.pad(w, (0, len(room) - len(w)))))
    count, bound = len(room), room.bound
    room.restrict(0.1, 0.05)
    assert (len(room), room.bound) == (count, bound)
    room.ask()
    d = room.outcome(np.pad(w, (0, len(room) - len(w)))).distribution
    assert (d.sum(axis=1) <= PRIOR / 0.1 + 1e-15).all()
    assert d.sum() == pytest.approx(1.0, abs=1e-12)


def test_what_is_known_beforehand_is_taken_in():
    first, second = opened(), opened()
    first.ask()
    weights = np.full(len(first), 1.0 / len(first))
    d = first.outcome(weights).distribution
    known = second.recall(Start(first.hypotheses, weights, d))
    np.testing.assert_allclose(known, weights)
    assert second.at(known).soft_margin() == pytest.approx(first.at(weights).soft_margin(), abs=1e-14)
    second.ask()
    np.testing.assert_allclose(
        second.outcome(np.pad(known, (0, len(second) - len(known)))).distribution, d, atol=1e-12
    )
    strangers = [lambda rows: rows[:, 0]]
    assert opened().recall(Start(strangers, np.ones(1), None)) is None


def test_whole_columns_are_tables():
    room, A = grown(nu=0.3)
    whole = room.whole()
    for j, table in enumerate(A):
        np.testing.assert_array_equal(whole.column(j), table)
    own = np.eye(K, dtype=bool)[CODE]
    np.testing.assert_allclose(whole.caps, np.where(own, 0.0, PRIOR[:, None] / 0.3), rtol=1e-14)


def test_a_distribution_of_a_solver_becomes_a_point():
    """Where it is within the caps but for rounding it stays, and caps hold for the sum of a row."""
    room, A = grown(nu=0.3)
    whole, weights = room.whole(), np.full(len(room), 1.0 / len(room))
    d = distribution(room.at(25.0 * weights))
    noisy = d + np.random.default_rng(7).uniform(-1e-16, 1e-16, d.shape) * (d > 0.0)
    point = whole.point(weights, noisy)
    np.testing.assert_allclose(distribution(point), d, atol=1e-14)
    np.testing.assert_allclose(point.edges(), (A * d).sum(axis=(1, 2)), atol=1e-13)
    assert whole.reaches_caps(np.where(whole.caps > 0.0, whole.caps / (K - 1), 0.0) * (1.0 + 1e-12))
    assert not whole.reaches_caps(np.where(whole.caps > 0.0, whole.caps / (K - 1), 0.0) * 0.999)


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_are_dealt_out_in_whole_units(threads):
    rng = np.random.default_rng(6)
    code, masses = rng.integers(0, K, 3000), rng.integers(0, 2**40, 3000) / 2.0**52
    margins = JointMargins(code, K)
    shares = rng.uniform(size=(K, 3000)) ** 20
    halves = margins.signed(masses, shares.ravel(), threads)
    d = margins.masses(halves)
    np.testing.assert_array_equal(d.sum(axis=0), masses)
    np.testing.assert_array_equal(2.0 * halves.reshape(K, -1)[code, np.arange(3000)], masses)
    others = np.where(np.arange(K)[:, None] == code, 0.0, shares)
    np.testing.assert_allclose(d, masses * others / others.sum(axis=0), atol=K * 2.0**-52)
    votes = rng.normal(size=(K, 3000))
    pairs = margins.pairs(votes.ravel())
    pairs[code, np.arange(3000)] = np.inf
    np.testing.assert_array_equal(margins.least(votes.ravel(), threads), pairs.min(axis=0))
    soft, weights = margins.soft(votes.ravel(), 5.0, threads)
    np.testing.assert_allclose(soft, -np.log(np.exp(-5.0 * pairs).sum(axis=0) / (K - 1)) / 5.0, atol=1e-12)
    np.testing.assert_allclose(weights.reshape(K, -1), np.exp(-5.0 * (pairs - pairs.min(axis=0))), atol=1e-12)
