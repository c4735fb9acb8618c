"""Laws that every room obeys, and that one loop plays the same game in all of them."""

from itertools import islice

import numpy as np
import pytest

import reference
from frankboost import MLPBoostClassifier
from frankboost.boosting import rounds
from frankboost.learners.base import Start
from frankboost.learners.columns import Columns
from frankboost.rooms.base import same_point
from frankboost.rooms.local import Examples, LocalRoom
from frankboost.rooms.margins import BinaryMargins
from frankboost.rules.corrective import AdaBoostStar, ArcGV
from frankboost.rules.level import Level
from frankboost.rules.margin_distribution import MDBoost
from games import Watched, WatchedRoom
from rooms.halves import HalvesRoom

M, K = 60, 40
TOL = 0.02


def sample(seed=0, m=M):
    """Noisy columns, labels and weights; single precision, as the local room keeps them, and without ties."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], m)
    right = np.where(rng.random((m, K)) < 0.6, 1.0, -1.0)
    H = (right * rng.uniform(0.3, 1.0, (m, K))).astype(np.float32) * y[:, None]
    return H, y, rng.uniform(0.5, 2.0, m)


class PrecisePoint(Watched):
    """A point whose curvature is neither rough nor of rounded masses: rooms agree to the last digits."""

    def curvature(self, columns, *, rough=False):
        point = self.plain
        free = point._simplex.free(point.distribution, 1e-7)
        A, d = np.column_stack([point._matrix.column(j) for j in columns])[free], point.distribution[free]
        second, first = (A * d[:, None]).T @ A, A.T @ d
        return second - np.outer(first, first) / d.sum() if len(d) else second


class PreciseRoom(WatchedRoom):
    """The local room, in double precision throughout."""

    kind = PrecisePoint


def local(H, y, weight, *, nu, tol, columns=1, kind=LocalRoom):
    X = np.arange(float(len(y)))[:, None]
    oracle = Columns(H, columns).prepare(X, y, weight)
    return kind(Examples(X, BinaryMargins(y), weight), oracle, nu=nu, tol=tol)


def precise(*args, **kwargs):
    return local(*args, **kwargs, kind=PreciseRoom)


ROOMS = {"local": local, "halves": HalvesRoom}


@pytest.fixture(params=ROOMS)
def make(request):
    """A room in which all columns are known, and its margin matrix in their order."""

    def room(nu=0.3, tol=TOL, seed=0):
        H, y, weight = sample(seed)
        made = ROOMS[request.param](H, y, weight, nu=nu, tol=tol, columns=K)
        order = np.argsort(-((weight / weight.sum() * y) @ H), kind="stable")
        made.ask()
        return made, (H * y[:, None])[:, order], weight / weight.sum()

    return room


def smoothed(margins, prior, caps, eta):
    """By an independent solver: bisection on the threshold."""
    d = reference.project(margins, prior, caps, eta)
    return d @ margins + d[d > 0] @ np.log(d[d > 0] / prior[d > 0]) / eta, d


@pytest.mark.parametrize("nu", [0.005, 0.1, 0.5, 0.95])
@pytest.mark.parametrize("eta", [1.0, 30.0, None])
def test_a_point_is_the_minimum_it_says(make, nu, eta):
    room, A, prior = make(nu)
    rng = np.random.default_rng(1)
    for scale in (1.0, 25.0):
        lam = scale * rng.dirichlet(np.ones(K))
        point = room.at(lam, eta)
        value, d = smoothed(A @ lam, prior, prior / nu, point.eta)
        assert point.value == pytest.approx(value, abs=1e-12 * scale)
        np.testing.assert_allclose(point.edges(), A.T @ d, atol=1e-12)
        margins = A @ lam
        exact = max(t - (prior / nu) @ np.maximum(t - margins, 0.0) for t in margins)
        assert point.soft_margin() == pytest.approx(exact, abs=1e-12 * scale)


def test_the_soft_margin_is_positively_homogeneous(make):
    room, _, _ = make()
    w = np.random.default_rng(2).dirichlet(np.ones(K))
    assert room.at(7.0 * w).soft_margin() == pytest.approx(7.0 * room.at(w).soft_margin(), abs=1e-12)


def test_the_curvature_is_the_hessian(make):
    room, _, _ = make(tol=0.2)
    rng = np.random.default_rng(3)
    w, columns = rng.dirichlet(np.ones(K)), np.arange(0, K, 5)
    H = room.eta * room.at(w).curvature(columns)
    for i, j in enumerate(columns):
        ahead, behind = w.copy(), w.copy()
        ahead[j] += 1e-6
        behind[j] -= 1e-6
        slope = (room.at(behind).edges() - room.at(ahead).edges())[columns] / 2e-6
        np.testing.assert_allclose(slope, H[:, i], atol=1e-4)


def test_a_rough_curvature_is_near_the_precise_one(make):
    room, _, _ = make(tol=0.2)
    point = room.at(np.random.default_rng(3).dirichlet(np.ones(K)))
    columns = np.arange(K)
    np.testing.assert_allclose(
        point.curvature(columns, rough=True), point.curvature(columns), atol=0.02, rtol=0.02
    )


def test_a_line_is_the_objective(make):
    room, A, _ = make()
    rng = np.random.default_rng(4)
    w, v = rng.dirichlet(np.ones(K), 2)
    line = room.line(w, v - w)
    for step in (0.0, 0.25, 1.0):
        point = room.at((1 - step) * w + step * v)
        assert line.at(step).value == pytest.approx(point.value, abs=1e-12)
        assert line.at(step).slope() == pytest.approx(point.edges() @ (v - w), abs=1e-12)
    assert line.length() == pytest.approx(np.abs(A @ (v - w)).max())


@pytest.mark.parametrize("name", ROOMS)
def test_asking_grows_the_room_and_lowers_the_bound(name):
    H, y, weight = sample()
    room = ROOMS[name](H, y, weight, nu=0.3, tol=TOL, columns=3)
    prior = weight / weight.sum()
    assert room.bound == np.inf
    found = room.ask()
    edges = np.sort((prior * y) @ H)[::-1]
    np.testing.assert_allclose(found.edges, edges[:3], atol=1e-13)
    assert (found.newest, found.grew, len(room)) == (0, True, 3)
    assert room.bound == pytest.approx(edges[0], abs=1e-13)
    assert not room.ask().grew
    assert room.oracle_watch.lap() > 0.0
    least = room.bound
    for scale in (1.0, 10.0, 100.0):
        point = room.at(np.full(len(room), scale))
        found = room.ask(point)
        assert found.edges[found.newest] == found.edges.max()
        np.testing.assert_allclose(found.edges, point.edges(), atol=1e-13)
        least = min(least, found.edges.max())
        assert room.bound == pytest.approx(least, abs=1e-13)


@pytest.mark.parametrize("name", ROOMS)
def test_a_point_does_not_change_when_the_room_grows(name):
    H, y, weight = sample()
    room = ROOMS[name](H, y, weight, nu=0.3, tol=TOL, columns=3)
    room.ask()
    early, late = room.at(np.full(3, 5.0)), room.at(np.full(3, 5.0))
    before = early.value, early.soft_margin(), early.edges()
    room.ask(room.at(np.full(3, 50.0)))
    assert len(room) > 3
    for point in (early, late):  # one was looked at before, the other was not
        assert point.value == pytest.approx(before[0], abs=1e-14)
        assert point.soft_margin() == pytest.approx(before[1], abs=1e-14)
        assert len(point.edges()) == len(room)
        np.testing.assert_allclose(point.edges()[:3], before[2], atol=1e-14)
    assert same_point(early, room.at(np.append(np.full(3, 5.0), np.zeros(len(room) - 3))))
    assert not same_point(early, room.at(np.full(3, 5.0), 1.0))
    early.edges()[:] = 7.0  # a copy
    np.testing.assert_allclose(early.edges()[:3], before[2], atol=1e-14)


@pytest.mark.parametrize("nu", [0.1, 0.6])
def test_another_nu_leaves_the_hypotheses_and_nothing_else(make, nu):
    """With more room or less, a restricted room is a fresh one that knows the same columns."""
    room, A, prior = make(0.3)
    w = np.random.default_rng(5).dirichlet(np.ones(K))
    room.ask(room.at(20.0 * w))
    where = room.outcome(w).distribution
    room.restrict(nu, 0.05)
    fresh, _, _ = make(nu, 0.05)
    assert room.bound == np.inf
    assert len(room) == K
    assert room.eta == pytest.approx(fresh.eta)
    for lam in (w, 12.0 * w):
        assert room.at(lam).value == pytest.approx(fresh.at(lam).value, abs=1e-13)
        assert room.at(lam).soft_margin() == pytest.approx(fresh.at(lam).soft_margin(), abs=1e-13)
    found = room.ask()
    d = room.outcome(w).distribution
    assert (d <= prior / nu + 1e-15).all()
    assert d.sum() == pytest.approx(1.0, abs=1e-12)
    if nu == 0.1:  # it was allowed before and is allowed now
        np.testing.assert_allclose(d, where, atol=1e-12)
    assert found.edges.max() == pytest.approx((A.T @ d).max(), abs=1e-13)


def test_the_outcome_is_the_ensemble_and_where_the_bound_was(make):
    room, A, prior = make(0.3)
    weights = np.zeros(K)
    weights[[4, 2, 9]] = 0.125, 0.5, 0.375
    room.ask(room.at(30.0 * weights))
    outcome = room.outcome(weights)
    assert outcome.hypotheses == [room.hypotheses[j] for j in (2, 9, 4)]
    np.testing.assert_array_equal(outcome.weights, [0.5, 0.375, 0.125])
    assert outcome.soft_margin == pytest.approx(room.at(weights).soft_margin(), abs=1e-13)
    assert outcome.bound == room.bound == pytest.approx((A.T @ outcome.distribution).max(), abs=1e-13)
    np.testing.assert_array_equal(outcome.capped, outcome.distribution > prior / 0.3 - 1e-12)


@pytest.mark.parametrize("name", ROOMS)
def test_what_is_known_beforehand_is_taken_in(name):
    H, y, weight = sample()
    first, second = (ROOMS[name](H, y, weight, nu=0.3, tol=TOL, columns=4) for _ in range(2))
    first.ask()
    d = np.random.default_rng(6).dirichlet(np.full(M, 50.0))
    weights = np.array([0.4, 0.0, 0.6, 0.0])
    if name == "local":  # columns of a given matrix are known in their own room only
        second = first
    known = second.recall(Start(first.hypotheses, weights, d))
    np.testing.assert_allclose(known, weights)
    assert second.at(known).soft_margin() == pytest.approx(first.at(weights).soft_margin(), abs=1e-14)
    second.ask()
    np.testing.assert_allclose(second.outcome(known).distribution, d, atol=1e-12)


LOOPS = {
    "LevelBoost": [Level(TOL)],
    "ERLPBoost": MLPBoostClassifier(tol=TOL, fw_rule=None, secondary="erlp").rules(),
    "AdaBoost*": [AdaBoostStar(TOL)],
    "arc-gv": [ArcGV()],
    "MDBoost": [MDBoost()],
    "MLPBoost(pairwise, level)": MLPBoostClassifier(tol=TOL, fw_rule="pairwise", secondary="level").rules(),
}


@pytest.mark.parametrize("nu", [0.1, 0.3])
@pytest.mark.parametrize("columns", [1, 4])
@pytest.mark.parametrize("name", LOOPS)
def test_the_loop_plays_the_same_game_in_every_room(name, columns, nu):
    """Within 1e-11 at every round, although no sum is taken in the same order.

    The local room alone puts its distributions on the grid, which moves them by up to 3e-14. Where an exact
    line search ends, edges tie, and rounding may tell two rooms apart, as with seed 0; the samples here are
    in general position.
    """
    for seed in range(1, 5):
        games = [
            rounds(kind(*sample(seed, 150), nu=nu, tol=TOL, columns=columns), LOOPS[name])
            for kind in (precise, HalvesRoom)
        ]
        for one, other in islice(zip(*games, strict=False), 40):
            np.testing.assert_allclose(one.weights, other.weights, atol=1e-11)
            np.testing.assert_allclose(one.best_weights, other.best_weights, atol=1e-11)
            for part in ("smoothed", "soft_margin", "bound"):
                assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-11)
            if one.gap <= TOL:
                break
        assert one.gap <= TOL or one.round == 40
