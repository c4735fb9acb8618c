"""The linear program and the fully corrective rule, against independent solvers."""

import highspy
import numpy as np
import pytest
from scipy.optimize import linprog, minimize

import reference
from frankboost import BestTree, LPBoostClassifier
from frankboost.rooms.host_part import Examples
from frankboost.rooms.local import local_room
from frankboost.rooms.margins import JointMargins
from frankboost.rules.base import Position
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.linear_program import LinearProgram, LinearProgramError
from frankboost.rules.quadratic import maximise_on_simplex
from games import distribution, scripted_room
from joint_games import JointProblem
from rooms.laws import sample
from rooms.stumps import in_parts

M, T = 40, 15


def started(rule, seed, nu=0.25, eta=80.0):
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((M, T)) < 0.6, 1.0, -1.0) * rng.choice([1.0, 0.5], (1, T))
    room = scripted_room(lambda u: A.T, rng.integers(1, 4, M).astype(float), nu, eta=eta)
    at = Position(1, np.eye(T)[0], None, room.ask().edges, 0)
    return room, A, rule.start(room), at


@pytest.mark.parametrize("nu", [0.01, 0.25, 0.9, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_linear_program_is_solved(seed, nu):
    room, A, step, at = started(LinearProgram(), seed, nu)
    proposal = step(at)
    optimum = reference.game_value(A, room.caps)
    assert proposal.at.soft_margin() == pytest.approx(optimum, abs=1e-7)
    d = distribution(proposal.ask)
    assert (A.T @ d).max() == pytest.approx(optimum, abs=1e-7)
    assert (d >= 0).all()
    assert (d <= room.caps * (1 + 1e-12)).all()
    assert d.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_the_linear_program_of_many_classes_is_solved(seed):
    """Over the known hypotheses: 3 to 5 classes, with caps on the sums of the entries of an example."""
    problem = JointProblem.random(seed)
    classes, m = int(problem.y.max()) + 1, len(problem.y)
    weight, code = problem.weight, problem.y.astype(np.int64)
    oracle = BestTree(problem.depth, columns_per_round=3).prepare(problem.X, problem.y, weight)
    room = local_room(
        Examples(problem.X, JointMargins(code, classes), weight), oracle, nu=problem.nu, tol=0.01
    )
    rule = LinearProgram().start(room)
    proposal = None
    for t in range(1, 6):
        found = room.ask(None if proposal is None else proposal.ask)
        proposal = rule(Position(t, np.zeros(len(room)), None, found.edges, found.newest))
        A = np.array([room.whole().column(j) for j in range(len(room))])
        optimum, caps = grouped_game_value(A, room.whole().caps), weight / weight.sum() / room.nu
        d, weights = distribution(proposal.ask), proposal.at.multipliers
        edges = (A * d).sum(axis=(1, 2))
        assert edges.max() == pytest.approx(optimum, abs=1e-7)
        assert edges @ weights == pytest.approx(optimum, abs=1e-7)  # weight on hypotheses of largest edge
        assert proposal.at.soft_margin() == pytest.approx(optimum, abs=1e-7)
        np.testing.assert_allclose(proposal.ask.edges(), edges, atol=1e-12)
        assert (d >= 0.0).all()
        assert (d[np.arange(m), code] == 0.0).all()
        assert (d.sum(axis=1) <= caps * (1 + 1e-12)).all()
        assert d.sum() == pytest.approx(1.0, abs=1e-12)


def grouped_game_value(A, caps):
    """min over d of the largest edge, where the entries of an example together have at most its cap."""
    hypotheses, m, classes = A.shape
    rows = np.repeat(np.eye(m), classes, axis=1)
    result = linprog(
        np.append(np.zeros(m * classes), 1.0),
        A_ub=np.vstack(
            [
                np.column_stack([A.reshape(hypotheses, -1), -np.ones(hypotheses)]),
                np.column_stack([rows, np.zeros(m)]),
            ]
        ),
        b_ub=np.concatenate([np.zeros(hypotheses), caps.max(axis=1)]),
        A_eq=np.append(np.ones(m * classes), 0.0)[None],
        b_eq=[1.0],
        bounds=[*((0.0, None if cap > 0.0 else 0.0) for cap in caps.ravel()), (None, None)],
    )
    assert result.status == 0
    return result.fun


def test_the_model_grows_with_the_game():
    rng = np.random.default_rng(0)
    script = [rng.choice([-1.0, 1.0], M) for _ in range(10)]
    turn = iter(script)
    room = scripted_room(lambda u: [next(turn)], np.ones(M), 0.3, eta=50.0)
    step = LinearProgram().start(room)
    for t in range(1, 11):
        found = room.ask()
        proposal = step(Position(t, np.zeros(t), None, found.edges, found.newest))
        A = np.column_stack(script[:t])
        assert proposal.at.soft_margin() == pytest.approx(reference.game_value(A, room.caps), abs=1e-7)


def test_a_room_without_whole_columns_is_refused_with_a_sentence():
    room = in_parts(*sample(signs=True), nu=0.3, tol=0.01, columns=1)
    with pytest.raises(TypeError, match="the rule needs whole columns of the margin matrix"):
        LinearProgram().start(room)


def flaky(monkeypatch, failures):
    """Let HiGHS give up the given number of times; count its cold starts."""
    count = {"failures": failures, "cold": 0}
    status, clear = highspy.Highs.getModelStatus, highspy.Highs.clearSolver

    def fail(self):
        if count["failures"] > 0:
            count["failures"] -= 1
            return highspy.HighsModelStatus.kUnknown
        return status(self)

    def counted(self):
        count["cold"] += 1
        return clear(self)

    monkeypatch.setattr(highspy.Highs, "getModelStatus", fail)
    monkeypatch.setattr(highspy.Highs, "clearSolver", counted)
    return count


def test_a_failed_solve_is_tried_again_from_nothing(monkeypatch):
    room, A, step, at = started(LinearProgram(), 1)
    count = flaky(monkeypatch, failures=1)
    proposal = step(at)
    assert count["cold"] == 1
    assert proposal.at.soft_margin() == pytest.approx(reference.game_value(A, room.caps), abs=1e-7)


def test_an_error_names_the_status_if_that_fails_too(monkeypatch):
    flaky(monkeypatch, failures=2)
    clf = LPBoostClassifier()
    with pytest.raises(LinearProgramError, match="status 'Unknown' on a linear program of 1 hypotheses"):
        clf.fit(np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 0])
    assert not hasattr(clf, "certificate_")


@pytest.mark.parametrize("eta", [1.0, 80.0, 2000.0])
@pytest.mark.parametrize("nu", [0.01, 0.25, 0.9])
@pytest.mark.parametrize("seed", range(5))
def test_the_fully_corrective_step_meets_its_tolerance(seed, nu, eta):
    rule = FullyCorrective(tolerance=1e-9)
    _, _, step, at = started(rule, seed, nu, eta)
    point = step(at).at
    w, edges = point.multipliers, point.edges()
    assert edges.max() - edges @ w <= 1e-9
    assert w.min() >= 0.0
    assert w.sum() == pytest.approx(1.0, abs=1e-12)


def test_the_fully_corrective_step_agrees_with_a_general_solver():
    room, _, step, at = started(FullyCorrective(), 3)
    ours = step(at).at.value
    general = minimize(
        lambda w: -room.at(w).value,
        np.full(T, 1 / T),
        method="SLSQP",
        bounds=[(0, 1)] * T,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert ours == pytest.approx(-general.fun, abs=1e-6)
    assert ours >= -general.fun - 1e-9


@pytest.mark.parametrize("rank", [1, 5, 20])
@pytest.mark.parametrize("seed", range(10))
def test_the_quadratic_program_satisfies_kkt(seed, rank):
    rng = np.random.default_rng(seed)
    n = 20
    B = rng.normal(size=(n, rank))
    H, c = B @ B.T, rng.normal(size=n)
    start = np.eye(n)[0]
    v = maximise_on_simplex(c - H @ start, H, start, 1e-10)
    gradient = c - H @ v
    assert v.min() >= 0.0
    assert v.sum() == pytest.approx(1.0, abs=1e-12)
    price = gradient @ v
    assert gradient.max() <= price + 1e-7
    np.testing.assert_allclose(gradient[v > 1e-9], price, atol=1e-7)
    again = maximise_on_simplex(gradient, H, v, 1e-10)
    assert c @ again - again @ H @ again / 2 == pytest.approx(c @ v - v @ H @ v / 2, abs=1e-9)
