"""The lemmas and bounds of docs/theory/levelboost.md, held round by round on real runs of LevelBoost."""

from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import ceil, inf, log

import numpy as np
import pytest

import reference
from frankboost import Columns, SoftBoostClassifier, SoftMarginClassifier, WorstCase
from frankboost.boosting import rounds
from frankboost.rules.level import Level
from frankboost.rules.level_projection import Projection
from games import LocalRoom, Watched, WatchedRoom, WatchedRule, dense, distribution, problem, scripted_room

M = 20
FRACTIONS = {
    "below one example": 0.4 / M,
    "one example": 1 / M,
    "a tenth": 0.1,
    "half": 0.5,
    "nearly all": 0.97,
}
RULES = {
    "level": Level(0.02),
    "level, coarse": Level(0.3),
    "level, no shrink": Level(0.02, shrink=0.0),
    "level, tight": Level(0.02, slack=0.02, excess=0.02),
    "softboost": Level(0.05, place=1.0, shrink=0.0),
}


@dataclass(frozen=True, eq=False)
class Round:
    """What a round did, seen from outside."""

    edge: float  # of the newest hypothesis, at the distribution that was played
    bound: float
    low: float
    best: np.ndarray
    level: float
    phase: int
    q: float
    multipliers: np.ndarray
    played: np.ndarray
    largest: float  # edge, at the distribution that will be played next
    newton: int  # curvatures so far

    @property
    def gap(self):
        return self.bound - self.low

    @property
    def total(self):
        return self.multipliers.sum()


class Counted(Watched):
    """A point that counts how often a curvature is asked for."""

    count = 0

    def curvature(self, columns, *, rough=False):
        Counted.count += 1
        return self.plain.curvature(columns, rough=rough)


class CountingRoom(WatchedRoom):
    """A room with such points."""

    kind = Counted


class Phases(list):
    """The gaps with which phases began; too many of them would be an endless loop, and are an error."""

    def __init__(self, most):
        super().__init__()
        self.most = most

    def append(self, gap):
        super().append(gap)
        assert len(self) <= self.most, self[-5:]


def note(run, room, at, proposal):
    return Round(
        edge=at.edges[at.newest],
        bound=room.bound,
        low=run.low,
        best=run.best.multipliers,
        level=run.level,
        phase=len(run.began),
        q=run.projection.value,
        multipliers=run.projection.multipliers,
        played=distribution(proposal.ask),
        largest=proposal.ask.edges().max(),
        newton=Counted.count,
    )


class Spy(WatchedRule):
    """The level rule, watched, its phases counted."""

    def begin(self, room):
        run = super().begin(room)
        run.began = self.gaps = Phases(most_phases(self.rule))
        Counted.count = 0
        return run


@dataclass(frozen=True, eq=False)
class Run:
    """A run to the end."""

    room: LocalRoom
    rule: Level
    spy: Spy

    @property
    def log(self):
        return self.spy.log

    @property
    def ends(self):
        """Rounds after which the weak learner was asked again: the phase goes on."""
        return self.log[:-1]

    @property
    def entropy(self):
        return self.room.entropy_range

    @property
    def rounding(self):
        """What q may be off by."""
        return 1e-13 * (1.0 + max(r.total for r in self.log))


def play(room, rule, most=2000):
    spy = Spy(rule, note)
    for state in rounds(room, [spy]):
        if state.gap <= rule.tol:
            return Run(room, rule, spy)
        assert not state.stalled
        assert state.round < most
    raise AssertionError


def trees(data, nu, tol, columns=1):
    """The room of a problem, with several columns per round."""
    return CountingRoom(*data.parts(columns), nu=nu, tol=tol)


def matrix(A, nu, tol, *, weight=None, seen=None, columns=1):
    """The room of a margin matrix; with `seen`, each call searches a random share of the columns only."""
    m, n = A.shape
    rng = np.random.default_rng(0)

    def answer(u):
        edges = u @ A
        if seen is not None:
            edges[rng.random(n) > seen] -= 2.0
        return A.T[np.argsort(-edges, kind="stable")[:columns]]

    return scripted_room(answer, np.ones(m) if weight is None else weight, nu, tol=tol, kind=CountingRoom)


def random_matrix(kind, seed, m=40, n=120):
    rng = np.random.default_rng(seed)
    if kind == "real":
        return rng.uniform(-1.0, 1.0, (m, n))
    if kind == "sparse":
        return np.where(rng.random((m, n)) < 0.15, rng.choice([-1.0, 1.0], (m, n)), 0.0)
    return np.where(rng.random((m, n)) < 0.55, 1.0, -1.0)


@cache
def runs_of(name):
    """Runs of a rule on trees and on matrices, weighted and not, exact and heuristic."""
    rule = RULES[name]
    rooms = [
        trees(problem(M, depth, seed, weighted=weighted), nu, rule.tol, columns)
        for seed, (depth, weighted, columns) in enumerate([(1, False, 1), (2, False, 1), (2, True, 2)])
        for nu in FRACTIONS.values()
    ]
    for seed, kind in enumerate(["signs", "real", "sparse"]):
        A = random_matrix(kind, seed)
        weight = np.random.default_rng(seed).integers(1, 4, len(A)).astype(float)
        rooms += [
            matrix(A, 1 / len(A), rule.tol),
            matrix(A, 0.3, rule.tol, columns=5),
            matrix(A, 0.3, rule.tol, weight=weight, seen=0.1),
        ]
    return [play(room, rule) for room in rooms]


def ratio(rule):
    """The share of the gap that is left after a phase, at most."""
    return max(rule.shrink, (1 + rule.slack) * (1 - rule.place))


def floor(rule):
    """The gap from which on the level is always tol / (1 + slack) below the bound."""
    return inf if rule.place == 1 else rule.tol / ((1 + rule.slack) * (1 - rule.place))


def most_phases(rule):
    r = ratio(rule)
    return 1 + (ceil(log(2 / rule.tol) / log(1 / r)) if r > 0 and rule.tol < 2 else 0)


def constant(rule):
    """C of the theorem."""
    if rule.place == 1:
        return 2 * (1 + rule.slack) ** 2
    r = ratio(rule)
    return 2 * (1 + rule.slack) ** 2 * ((1 if rule.shrink == 0 else 2) + 1 / (1 - r**2))


def test_the_constants_of_the_theorem():
    assert constant(Level(0.01)) == pytest.approx(11.562, abs=1e-3)
    assert constant(Level(0.01, place=1.0, shrink=0.0)) == pytest.approx(2.42)
    assert most_phases(Level(0.01)) == 25


@pytest.mark.parametrize("name", RULES)
def test_q_grows_by_half_the_square_of_the_excess(name):
    for run in runs_of(name):
        for before, now in pairwise(run.log):
            if now.phase > before.phase or now is run.log[-1]:  # the last round needs no growth
                continue
            excess = now.edge - now.level
            assert excess >= now.bound - now.level - 2e-7
            assert now.q >= before.q + excess**2 / 2 - 1e-7 * excess - run.rounding


@pytest.mark.parametrize("name", RULES)
def test_q_and_the_multipliers_stay_under_their_ceilings_while_a_phase_lasts(name):
    for run in runs_of(name):
        rule, L = run.rule, run.entropy
        for r in run.ends:
            assert r.gap > rule.tol - 1e-15  # the loop scales the weights first, which may move the last bit
            assert r.q >= -run.rounding
            below = rule.slack * (r.bound - r.level)
            assert r.q + r.total * below <= L + run.rounding
            assert r.total <= L / below + run.rounding
            assert r.total <= L * (1 + rule.slack) / (rule.slack * rule.tol) + run.rounding


@pytest.mark.parametrize("name", RULES)
def test_steps_of_a_phase_fit_under_the_ceiling(name):
    for run in runs_of(name):
        steps = np.zeros(run.log[-1].phase + 1)
        for before, now in pairwise(run.ends):
            if now.phase == before.phase:
                steps[now.phase] += (now.edge - now.level) ** 2 / 2 - 1e-7
        assert steps.max() < run.entropy + run.rounding


@pytest.mark.parametrize("name", RULES)
def test_every_distribution_is_in_the_capped_simplex(name):
    for run in runs_of(name):
        for r in run.log:
            assert r.played.min() >= 0.0
            assert (r.played <= run.room.caps * (1 + 1e-12)).all()
            assert r.played.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", RULES)
def test_the_level_never_rises_inside_a_phase_and_stays_below_the_bound(name):
    for run in runs_of(name):
        below = run.rule.aim / (1 + run.rule.slack)
        for r in run.log:
            assert r.bound - r.level >= below * (1 - 1e-9)
        for before, now in pairwise(run.log):
            assert now.level <= before.level or now.phase > before.phase


@pytest.mark.parametrize("name", RULES)
def test_near_the_end_phases_lose_nothing(name):
    for run in runs_of(name):
        rule = run.rule
        first = next((k for k, gap in enumerate(run.spy.gaps, 1) if gap <= floor(rule)), inf)
        last = [r for r in run.log if r.phase >= first]
        for r in last:
            assert r.level == pytest.approx(r.bound - rule.aim / (1 + rule.slack), abs=1e-9 * rule.tol)
        for before, now in pairwise([r for r in last if r is not run.log[-1]]):  # the last needs no growth
            excess = now.edge - now.level
            assert now.q >= before.q + excess**2 / 2 - 1e-7 * excess - run.rounding


@pytest.mark.parametrize("name", RULES)
def test_phases_shrink_the_gap(name):
    for run in runs_of(name):
        gaps = np.array(run.spy.gaps)
        assert len(gaps) == run.log[-1].phase <= most_phases(run.rule)
        assert gaps[0] <= 2.0
        assert (gaps[1:] <= ratio(run.rule) * gaps[:-1] * (1 + 1e-12)).all()
        assert (gaps[:-1] > run.rule.tol).all()


@pytest.mark.parametrize("name", RULES)
def test_rounds_obey_the_theorem(name):
    for run in runs_of(name):
        early = sum(gap > floor(run.rule) for gap in run.spy.gaps)
        assert len(run.log) < constant(run.rule) * run.entropy / run.rule.tol**2 + early + 2


def soft_margin(margins, caps):
    """max over t of t - sum_i c_i (t - margin_i)_+, at one of the margins: the dual of the definition."""
    return max(t - caps @ np.maximum(t - margins, 0.0) for t in margins)


@pytest.mark.parametrize("name", RULES)
def test_low_is_the_soft_margin_of_best(name):
    for run in runs_of(name):
        A = dense(run.room)
        for r in run.log[:: max(1, len(run.log) // 4)]:
            assert r.best.min() >= 0.0
            assert r.best.sum() == pytest.approx(1.0, abs=1e-12)
            margins = A[:, : len(r.best)] @ r.best
            assert r.low == pytest.approx(soft_margin(margins, run.room.caps), abs=1e-12)
        lows = [r.low for r in run.log]
        assert lows == sorted(lows)


@pytest.mark.parametrize("name", [name for name in RULES if name != "level, coarse"])  # which ends before
def test_a_repeated_hypothesis_lowers_the_bound(name):
    # Where the projection met its test, only a new hypothesis has an edge above the level and its slack.
    repeated = 0
    for run in runs_of(name):
        for before, now in pairwise(run.log):
            slack = run.rule.excess * (before.bound - before.level)
            met = before.largest <= before.level + slack
            if met and len(now.multipliers) == len(before.multipliers):
                repeated += 1
                assert now.bound <= before.level + slack + 2e-7
    assert repeated > 0


def test_newton_meets_the_projections_test_in_a_few_steps():
    # The theorem does without; the speed does not.
    for run in runs_of("level") + runs_of("level, no shrink"):
        assert run.log[-1].newton <= 6 * len(run.log) + 30


def test_a_coordinate_step_is_doubled_while_q_grows():
    """Beside a row whose density is far from its weight, one of the size of the theorem would hardly move."""
    A, weight = np.array([[-1.0], [1.0]]), np.array([1e-12, 1.0])
    room = matrix(A, 1e-30, 0.01, weight=weight)
    room.ask()
    projection = Projection(room)
    projection.level = 0.5
    size = float(projection.point.edges()[0]) - 0.5
    projection.step(0, size)
    (reached,) = projection.multipliers
    assert reached >= 16.0 * size
    values = [
        room.at(np.array([each]), 1.0).value - 0.5 * each for each in (reached / 2, reached, 2 * reached)
    ]
    assert values[1] == projection.value >= size**2 / 2
    assert values[0] < values[1] >= values[2]


def test_softboost_is_one_phase():
    for run in runs_of("softboost"):
        assert len(run.spy.gaps) == 1
        assert len(run.log) < 2.42 * run.entropy / run.rule.tol**2 + 2


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("nu", [*FRACTIONS.values(), 1.0], ids=[*FRACTIONS, "all"])
def test_agrees_with_the_enumerated_optimum(nu, weighted):
    for depth in (1, 2):
        data = problem(M, depth, seed=30 + depth, weighted=weighted)
        optimum = data.optimum(nu)
        for booster in (SoftMarginClassifier(nu, 0.005), SoftBoostClassifier(nu, 0.02)):
            booster.set_params(max_depth=depth)
            certificate = booster.fit(data.X, data.y, data.weight).certificate_
            assert certificate.status == "optimal"
            assert certificate.soft_margin - 1e-9 <= optimum <= certificate.bound + 1e-9
            assert certificate.gap <= booster.tol


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("nu", [0.01, 0.1, 0.3, 0.9])
def test_small_tolerances_are_reached(nu, tol):
    for depth in (1, 2):
        for seed in range(3):
            data = problem(M + 10, depth, seed, weighted=seed == 1)
            clf = SoftMarginClassifier(nu, tol, max_depth=depth, columns_per_round=1, max_iter=60)
            certificate = clf.fit(data.X, data.y, data.weight).certificate_
            assert certificate.status == "optimal"
            assert certificate.gap <= tol
            optimum = data.optimum(nu)
            assert certificate.soft_margin - 1e-9 <= optimum <= certificate.bound + 1e-9


# Levels next to the least that the hypotheses found so far allow: the level set is empty, or all but.
HARD = {
    "trees, one example": lambda: (partial(trees, problem(30, 2, 1, weighted=True)), 1 / 30),
    "stumps, three tenths": lambda: (partial(trees, problem(20, 1, 12, weighted=True)), 0.3),
    "stumps, below one example": lambda: (partial(trees, problem(30, 1, 13, weighted=True)), 0.4 / 30),
    "real columns": lambda: (partial(matrix, random_matrix("real", 5, 60, 200)), 0.8),
}


@pytest.mark.parametrize("name", HARD)
def test_small_tolerances_are_reached_where_the_level_set_is_all_but_empty(name):
    room, nu = HARD[name]()
    run = play(room(nu, 1e-4), Level(1e-4), most=100)
    assert run.log[-1].newton <= 20 * len(run.log)


@pytest.mark.parametrize(
    ("errors", "rows", "nu", "tol"), [(1, 100, 0.5, 0.02), (1, 200, 0.5, 0.01), (1, 40, 0.5, 0.05)]
)
def test_a_gap_that_is_the_tolerance_but_for_rounding(errors, rows, nu, tol):
    # One hypothesis, wrong about some rows: the first gap is 2 errors / rows * (1 / nu - 1) = tol.
    A = np.ones((rows, 1))
    A[:errors] = -1.0
    run = play(matrix(A, nu, tol), Level(tol), most=10)
    assert run.spy.gaps[0] == pytest.approx(tol, rel=1e-12)


@pytest.mark.parametrize("booster", [SoftMarginClassifier, SoftBoostClassifier])
@pytest.mark.parametrize("N", [16, 64, 400])
def test_lpboosts_worst_case_takes_few_rounds(N, booster):
    X, y = np.arange(float(N))[:, None], np.where(np.arange(N) % 2, 1, -1)
    clf = booster(1 / N, 0.01, estimator=WorstCase()).fit(X, y)
    assert clf.certificate_.status == "optimal"
    assert clf.n_iter_ <= 4


def ends_well(X, y, nu, optimum, tol=0.01, **settings):
    clf = SoftMarginClassifier(nu, tol, max_iter=200, **settings).fit(X, y)
    certificate = clf.certificate_
    assert certificate.status == "optimal"
    assert certificate.soft_margin - 1e-9 <= optimum <= certificate.bound + 1e-9
    return clf


@pytest.mark.parametrize("tol", [0.05, 1e-4])
def test_nu_of_all_examples_ends_with_the_best_hypothesis(tol):
    data = problem(M, 2, 3)
    clf = ends_well(data.X, data.y, 1.0, data.optimum(1.0), tol)
    assert clf.n_iter_ == 1
    assert len(clf.estimators_) == 1


@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize("tol", [0.05, 1e-3])
def test_nu_of_at_most_one_example(share, tol):
    data = problem(M, 1, 3, noise=0.0)
    ends_well(data.X, data.y, share / M, data.optimum(share / M), tol, max_depth=1)


@pytest.mark.parametrize("nu", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("tol", [0.05, 1e-3])
def test_contradictory_labels(nu, tol):
    X, y = np.repeat(np.arange(8.0), 2)[:, None], np.tile([-1, 1], 8)
    ends_well(X, y, nu, 0.0, tol)


@pytest.mark.parametrize("nu", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("tol", [0.05, 1e-4])
def test_one_perfect_tree(nu, tol):
    X = np.random.default_rng(0).normal(size=(50, 3))
    clf = ends_well(X, X[:, 0] * X[:, 1] > 0, nu, 1.0, tol)
    assert clf.n_iter_ == 1


@pytest.mark.parametrize("nu", [0.1, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("same", [False, True])
def test_two_rows(nu, same):
    ends_well([[0.0], [0.0 if same else 1.0]], [0, 1], nu, 0.0 if same else 1.0, 1e-3)


@pytest.mark.parametrize("nu", [0.05, 0.3, 0.8])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_weight_of_two_is_the_row_twice(depth, nu):
    data = problem(M, depth, 5, weighted=True)
    count = data.weight.astype(int)
    once, twice = (SoftMarginClassifier(nu, 0.01, max_depth=depth) for _ in range(2))
    once.fit(data.X, data.y, data.weight)
    twice.fit(np.repeat(data.X, count, axis=0), np.repeat(data.y, count))
    one, two = once.certificate_, twice.certificate_
    assert one.soft_margin - 1e-9 <= two.bound
    assert two.soft_margin - 1e-9 <= one.bound
    # The path is the same but for what the approximate Newton steps make of another order of the sums.
    assert once.n_iter_ == twice.n_iter_
    assert one.soft_margin == pytest.approx(two.soft_margin, abs=1e-3)
    assert one.bound == pytest.approx(two.bound, abs=1e-3)


def test_real_columns_through_the_estimator():
    A = random_matrix("real", 7)
    y = np.where(np.arange(len(A)) % 2, 1.0, -1.0)
    X = np.arange(float(len(A)))[:, None]
    optimum = reference.game_value(A, np.full(len(A), 1 / (0.2 * len(A))))
    ends_well(X, y, 0.2, optimum, 1e-3, estimator=Columns(A * y[:, None]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tol": 0.0}, "tol must be a finite number > 0; got 0.0"),
        ({"tol": 0.01, "slack": 0.0}, "slack must be a finite number > 0; got 0.0"),
        ({"tol": 0.01, "excess": -1.0}, "excess must be a finite number > 0; got -1.0"),
        ({"tol": 0.01, "place": 0.05}, "place must be in .*0.0909091, 1]; got 0.05"),
        ({"tol": 0.01, "place": 1.5}, "place must be in .* got 1.5"),
        ({"tol": 0.01, "shrink": 1.0}, "shrink must be in .* got 1.0"),
    ],
)
def test_settings_that_would_never_end_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Level(**settings)
