"""Laws that every room obeys."""

import numpy as np
import pytest

import reference
from frankboost.learners.base import Start
from frankboost.rooms.point import same_point

M, K = 60, 40
TOL = 0.02


def sample(seed=0, m=M, *, signs=False):
    """Noisy columns, labels and weights; single precision, as the local room keeps them, and without ties."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], m)
    right = np.where(rng.random((m, K)) < 0.6, 1.0, -1.0)
    size = 1.0 if signs else rng.uniform(0.3, 1.0, (m, K))
    H = (right * size).astype(np.float32) * y[:, None]
    return H, y, rng.uniform(0.5, 2.0, m)


def smoothed(margins, prior, caps, eta):
    """By an independent solver: bisection on the threshold."""
    d = reference.project(margins, prior, caps, eta)
    return d @ margins + d[d > 0] @ np.log(d[d > 0] / prior[d > 0]) / eta, d


class RoomLaws:
    """A subclass tells by its fixture `opened` how a room is made of columns, labels and weights."""

    signs = False  # whether columns are of -1 and 1 only
    recalls = True  # whether a room knows the hypotheses of another

    def sample(self, seed=0):
        return sample(seed, signs=self.signs)

    @pytest.fixture
    def make(self, opened):
        """A room in which all columns are known, and its margin matrix in their order."""

        def room(nu=0.3, tol=TOL, seed=0):
            H, y, weight = self.sample(seed)
            made = opened(H, y, weight, nu=nu, tol=tol, columns=K)
            order = np.argsort(-((weight / weight.sum() * y) @ H), kind="stable")
            made.ask()
            return made, (H * y[:, None])[:, order], weight / weight.sum()

        return room

    @pytest.mark.parametrize("nu", [0.005, 0.1, 0.5, 0.95])
    @pytest.mark.parametrize("eta", [1.0, 30.0, None])
    def test_a_point_is_the_minimum_it_says(self, make, nu, eta):
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

    def test_the_soft_margin_is_positively_homogeneous(self, make):
        room, _, _ = make()
        w = np.random.default_rng(2).dirichlet(np.ones(K))
        assert room.at(7.0 * w).soft_margin() == pytest.approx(7.0 * room.at(w).soft_margin(), abs=1e-12)

    def test_the_curvature_is_the_hessian(self, make):
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

    def test_a_rough_curvature_is_near_the_precise_one(self, make):
        room, _, _ = make(tol=0.2)
        point = room.at(np.random.default_rng(3).dirichlet(np.ones(K)))
        columns = np.arange(K)
        np.testing.assert_allclose(
            point.curvature(columns, rough=True), point.curvature(columns), atol=0.02, rtol=0.02
        )

    def test_a_line_is_the_objective(self, make):
        room, A, _ = make()
        rng = np.random.default_rng(4)
        w, v = rng.dirichlet(np.ones(K), 2)
        line = room.line(w, v - w)
        for step in (0.0, 0.25, 1.0):
            point = room.at((1 - step) * w + step * v)
            assert line.at(step).value == pytest.approx(point.value, abs=1e-12)
            assert line.at(step).slope() == pytest.approx(point.edges() @ (v - w), abs=1e-12)
        assert line.length() == pytest.approx(np.abs(A @ (v - w)).max())

    def test_asking_grows_the_room_and_lowers_the_bound(self, opened):
        H, y, weight = self.sample()
        room = opened(H, y, weight, nu=0.3, tol=TOL, columns=3)
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

    def test_a_point_does_not_change_when_the_room_grows(self, opened):
        H, y, weight = self.sample()
        room = opened(H, y, weight, nu=0.3, tol=TOL, columns=3)
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
    def test_another_nu_leaves_the_hypotheses_and_nothing_else(self, make, nu):
        """With more room or less, a restricted room is a fresh one that knows the same columns.

        With more room it knows the bound, too, and does not ask for it again.
        """
        room, A, prior = make(0.3)
        w = np.random.default_rng(5).dirichlet(np.ones(K))
        room.ask(room.at(20.0 * w))
        where, bound = np.asarray(room.outcome(w).distribution), room.bound
        room.restrict(nu, 0.05)
        fresh, _, _ = make(nu, 0.05)
        assert room.bound == (bound if nu < 0.3 else np.inf)
        assert len(room) == K
        assert room.eta == pytest.approx(fresh.eta)
        for lam in (w, 12.0 * w):
            assert room.at(lam).value == pytest.approx(fresh.at(lam).value, abs=1e-13)
            assert room.at(lam).soft_margin() == pytest.approx(fresh.at(lam).soft_margin(), abs=1e-13)
        room.oracle_watch.lap()
        found = room.ask()
        assert (room.oracle_watch.lap() > 0.0) == (nu > 0.3)
        d = np.asarray(room.outcome(w).distribution)
        assert (d <= prior / nu + 1e-15).all()
        assert d.sum() == pytest.approx(1.0, abs=1e-12)
        if nu == 0.1:  # it was allowed before and is allowed now
            np.testing.assert_allclose(d, where, atol=1e-12)
        assert found.edges.max() == pytest.approx((A.T @ d).max(), abs=1e-13)

    def test_the_outcome_is_the_ensemble_and_where_the_bound_was(self, make):
        room, A, prior = make(0.3)
        weights = np.zeros(K)
        weights[[4, 2, 9]] = 0.125, 0.5, 0.375
        room.ask(room.at(30.0 * weights))
        outcome = room.outcome(weights)
        assert outcome.hypotheses == [room.hypotheses[j] for j in (2, 9, 4)]
        np.testing.assert_array_equal(outcome.weights, [0.5, 0.375, 0.125])
        assert outcome.soft_margin == pytest.approx(room.at(weights).soft_margin(), abs=1e-13)
        d = np.asarray(outcome.distribution)
        assert outcome.bound == room.bound == pytest.approx((A.T @ d).max(), abs=1e-13)
        np.testing.assert_array_equal(np.asarray(outcome.capped), d > prior / 0.3 - 1e-12)

    def test_the_soft_margin_of_a_vote_is_proved_without_its_columns(self, make):
        room, _, _ = make(0.3)
        weights = np.zeros(K)
        weights[[4, 2, 9]] = 0.125, 0.5, 0.375
        hypotheses, known = [room.hypotheses[j] for j in (2, 9, 4)], len(room)
        found = room.proved_soft_margin_of(hypotheses, weights[[2, 9, 4]])
        assert len(room) == known
        assert found <= room.at(weights).soft_margin() + 1e-14
        assert found == pytest.approx(
            room.proved_soft_margin(weights), abs=1e-7
        )  # single precision rounds numbers down

    def test_what_is_known_beforehand_is_taken_in(self, opened):
        H, y, weight = self.sample()
        first, second = (opened(H, y, weight, nu=0.3, tol=TOL, columns=4) for _ in range(2))
        first.ask()
        d = np.random.default_rng(6).dirichlet(np.full(M, 50.0))
        weights = np.array([0.4, 0.0, 0.6, 0.0])
        if not self.recalls:
            second = first
        known = second.recall(Start(first.hypotheses, weights, d))
        np.testing.assert_allclose(known, weights)
        assert second.at(known).soft_margin() == pytest.approx(first.at(weights).soft_margin(), abs=1e-14)
        second.ask()
        np.testing.assert_allclose(np.asarray(second.outcome(known).distribution), d, atol=1e-12)
