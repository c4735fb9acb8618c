"""Rounds that bring no new hypothesis: Theorem 4 of docs/theory/repeats.md on real runs."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil
from math import log as ln

import pytest

from frankboost.boosting import rounds
from frankboost.rules.level import Level
from games import WatchedRule, breast_cancer, inexact_room, problem, random_signs

TIES = 2e-7  # edges within 1e-7 count as equal, and rounding
ROOMS = {
    "breast cancer, stumps": lambda nu, tol: breast_cancer(60, 1).room(nu, tol),
    "breast cancer, trees": lambda nu, tol: breast_cancer(60, 2).room(nu, tol),
    "stumps": lambda nu, tol: problem(20, 1, 0).room(nu, tol),
    "weighted trees, two columns": lambda nu, tol: problem(20, 2, 1, weighted=True).room(nu, tol, 2),
    "columns": lambda nu, tol: inexact_room(random_signs(40, 60, 1), 0.0, nu, tol=tol),
    "columns, a few": lambda nu, tol: inexact_room(random_signs(12, 8, 2), 0.0, nu, tol=tol),
}
LEVEL = [Level(tol) for tol in (0.1, 0.01, 0.001)]
SOFT = [Level(tol, place=1.0, shrink=0.0) for tol in (0.1, 0.01)]


@dataclass(frozen=True, eq=False)
class Round:
    """What a round left."""

    bound: float
    low: float
    level: float
    known: int
    met: bool  # the projection ended by its test (3)

    @property
    def gap(self):
        return self.bound - self.low


def note(run, room, at, proposal):
    level = run.level
    highest = level + Level.excess * (room.bound - level)
    return Round(room.bound, run.low, level, len(room), bool(proposal.ask.edges().max() <= highest))


def play(room, rule):
    spy = WatchedRule(rule, note)
    for state in rounds(room, [spy]):
        if state.gap <= rule.tol:
            return spy.log
        assert state.round < 2000
    raise AssertionError


@cache
def runs_of(rule):
    return [play(room(nu, rule.tol), rule) for room in ROOMS.values() for nu in (0.05, 0.1, 0.3)]


def repeats(log):
    """Rounds without a new hypothesis after a projection that ended by its test, each with the one before."""
    return [(before, now) for before, now in pairwise(log) if now.known == before.known and before.met]


def after_open(log):
    """Rounds without a new hypothesis after a projection that ended by no test."""
    return sum(now.known == before.known and not before.met for before, now in pairwise(log))


def share(rule, theta=1.0):
    """What a repeat leaves of the gap, at most."""
    return 1 - (theta - rule.excess) * (1 - rule.place)


def new_ones(log):
    return 1 + sum(now.known > before.known for before, now in pairwise(log))


@pytest.mark.parametrize("rule", LEVEL + SOFT, ids=repr)
def test_a_repeat_lowers_the_bound_to_what_the_projection_left(rule):
    for log in runs_of(rule):
        for before, now in repeats(log):
            assert now.bound <= before.level + rule.excess * (before.bound - before.level) + TIES


@pytest.mark.parametrize("rule", LEVEL, ids=repr)
def test_a_repeat_closes_a_share_of_the_gap(rule):
    for log in runs_of(rule):
        for before, now in repeats(log):
            assert now.gap <= share(rule) * before.gap + TIES


@pytest.mark.parametrize("rule", LEVEL, ids=repr)
def test_levelboost_has_logarithmically_many_repeats(rule):
    for log in runs_of(rule):
        most = ceil(ln(max(log[0].gap / rule.tol, 1.0)) / ln(1 / share(rule)))
        assert len(repeats(log)) <= most
        assert len(log) == new_ones(log) + len(repeats(log)) + after_open(log)


@pytest.mark.parametrize("rule", SOFT, ids=repr)
def test_softboost_has_as_many_repeats_as_steps_of_tol(rule):
    sigma = rule.tol / (1 + rule.slack)
    for log in runs_of(rule):
        for before, now in repeats(log):
            assert now.bound <= before.bound - (1 - rule.excess) * sigma + TIES
        most = 1 + max(log[0].gap - rule.tol, 0.0) / ((1 - rule.excess) * sigma)
        assert len(repeats(log)) <= most


def test_softboosts_bound_falls_slowly_and_levelboosts_does_not():
    # With an exact projection a repeat of SoftBoost lowers the bound by tol / (1 + slack), and no more.
    for rule in SOFT:
        falls = [b.bound - n.bound for log in runs_of(rule) for b, n in repeats(log)]
        assert max(falls) <= 2 * rule.tol / (1 + rule.slack)
    soft, level = ([len(repeats(log)) for log in runs_of(rule)] for rule in (SOFT[1], LEVEL[1]))
    assert max(level) <= 6
    assert max(soft) >= 20


@pytest.mark.parametrize("rule", LEVEL + SOFT, ids=repr)
def test_nearly_every_projection_ends_by_its_test(rule):
    met = [r.met for log in runs_of(rule) for r in log[:-1]]
    assert sum(met) >= 0.99 * len(met)


@pytest.mark.parametrize("theta", [0.8, 0.6])
def test_repeats_with_an_oracle_within_kappa(theta):
    rule = Level(0.02)
    kappa = (1 - theta) * rule.tol / (1 + rule.slack)
    for seed in range(4):
        log = play(inexact_room(random_signs(20, 12, seed), kappa, 0.2, tol=rule.tol), rule)
        for before, now in repeats(log):
            assert now.gap <= share(rule, theta) * before.gap + TIES
