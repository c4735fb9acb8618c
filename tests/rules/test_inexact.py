"""LevelBoost with an inexact oracle: Lemma 5 and Theorem 2 of docs/theory/levelboost.md, with their kappa."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, log

import numpy as np
import pytest

import reference
from frankboost.boosting import rounds
from frankboost.rules.level import Level
from games import (
    LocalRoom,
    Watched,
    WatchedRoom,
    WatchedRule,
    dense,
    distribution,
    inexact_room,
    random_signs,
)

RULES = {"level": Level(0.05), "softboost": Level(0.05, place=1.0, shrink=0.0)}
CONSTANT = {"level": 11.57, "softboost": 2.42}
NU = (0.05, 0.3)


@dataclass(frozen=True, eq=False)
class Round:
    """What a round did, seen from outside."""

    edge: float  # of the newest hypothesis, where the oracle was asked
    off: float  # how far that is from where the rule wanted it, in the sum of absolute differences
    bound: float
    low: float
    level: float
    phase: int
    q: float


def note(run, room, at, proposal):
    edge, off = at.edges[at.newest], getattr(at.asked, "off", 0.0)
    return Round(edge, off, room.bound, run.low, run.level, len(run.began), run.projection.value)


def play(room, rule):
    spy = WatchedRule(rule, note)
    for state in rounds(room, [spy]):
        if state.gap <= rule.tol:
            return spy.log
        assert state.round < 5000
    raise AssertionError


def most_rounds(name, theta, room):
    """The theorem's count; a first gap is at most 2 + kappa."""
    rule = RULES[name]
    rho = (1 + rule.slack) * (1 - rule.place)
    phases = 0 if rho == 0 else ceil(log((2 + rule.tol) * rho / rule.tol) / log(1 / 0.8))
    return CONSTANT[name] * room.entropy_range / (theta * rule.tol) ** 2 + phases + 2


def sigma(rule):
    return rule.tol / (1 + rule.slack)


@pytest.mark.parametrize("theta", [0.9, 0.5, 0.25])
@pytest.mark.parametrize("name", RULES)
def test_the_theorem_with_kappa(name, theta):
    rule, kappa = RULES[name], (1 - theta) * sigma(RULES[name])
    for nu in NU:
        for seed in range(3):
            A = random_signs(40, 200, seed)
            room = inexact_room(A, kappa, nu, tol=rule.tol)
            log = play(room, rule)
            optimum = reference.game_value(A, np.full(len(A), 1 / (nu * len(A))))
            assert log[-1].low - 1e-9 <= optimum <= log[-1].bound + 1e-9
            assert len(log) < most_rounds(name, theta, room)
            for before, now in pairwise(log[:-1]):
                step = now.edge - now.level
                assert step >= now.bound - now.level - kappa - 1e-9  # Lemma 5
                assert step >= theta * (now.bound - now.level) - 1e-9
                if now.phase == before.phase:
                    assert now.q >= before.q + step**2 / 2 - 1e-9


def test_an_oracle_beyond_kappa_breaks_lemma_5():
    rule, theta = RULES["level"], 0.9
    room = inexact_room(random_signs(40, 200, 0), 2.0 * sigma(rule), 0.3, tol=rule.tol)
    spy = WatchedRule(rule, note)
    for state in rounds(room, [spy]):
        if state.round == 60 or state.gap <= rule.tol:
            break
    assert any(r.edge - r.level < theta * (r.bound - r.level) - 1e-9 for r in spy.log[1:])


def test_with_a_larger_kappa_the_gap_still_falls_to_a_multiple_of_it():
    # While the gap exceeds kappa / ((1 - theta)(1 - place)) every step is at least theta (bound - level).
    rule, theta = RULES["level"], 0.5
    for seed in range(3):
        kappa = 2.0 * sigma(rule)
        least = kappa / ((1 - theta) * (1 - rule.place))
        room = inexact_room(random_signs(40, 200, seed), kappa, 0.3, tol=rule.tol)
        spy = WatchedRule(rule, note)
        state = next(state for state in rounds(room, [spy]) if state.gap <= least)
        step = theta * (1 - rule.place) * least
        assert state.round < 2 * room.entropy_range / step**2 * (1 + 1 / (1 - 0.8**2)) + 25
        for r in spy.log[1:-1]:
            assert r.edge - r.level >= theta * (r.bound - r.level) - 1e-9


def snapped(d, caps, units):
    """A distribution next to d, of multiples of 1/units and within its caps."""
    whole, most = np.floor(d * units), np.floor(caps * units + 1e-9)
    whole = np.minimum(whole, most)
    for i in np.argsort(whole - d * units, kind="stable"):
        more = min(units - whole.sum(), most[i] - whole[i], 1.0)
        whole[i] += max(more, 0.0)
    return whole / units


class Coarse(Watched):
    """A point that is asked about on a coarse grid, beside where its multipliers have it."""

    units, room = 2048, None

    @cached_property
    def distribution(self):
        return snapped(distribution(self.plain), self.room.caps, self.units)

    @property
    def off(self):
        return float(np.abs(self.distribution - distribution(self.plain)).sum())

    def edges(self):
        return self.distribution @ dense(self.room)


class CoarseRoom(WatchedRoom):
    """A room with such points."""

    def at(self, multipliers, eta=None):
        point = Coarse(LocalRoom.at(self, multipliers, eta))
        point.room = self
        return point

    def ask(self, point=None, low=-np.inf, level=-np.inf):
        return LocalRoom.ask(self, point and self.point(point.multipliers, point.distribution), low, level)


@pytest.mark.parametrize("name", RULES)
def test_the_theorem_beside_its_own_point(name):
    # The rule's multipliers are of d, the edges of a snapped d: as if kappa were 2 ||snapped d - d||_1.
    rule, far = RULES[name], 0.0
    for nu in (0.125, 0.5):
        for seed in range(2):
            A = random_signs(32, 100, seed)
            room = inexact_room(A, 0.0, nu, tol=rule.tol, kind=CoarseRoom)
            log = play(room, rule)
            off = max(r.off for r in log)
            theta, far = 1 - 2 * off / sigma(rule), max(far, off)
            assert theta > 0.2
            assert len(log) < most_rounds(name, theta, room)
            optimum = reference.game_value(A, np.full(len(A), 1 / (nu * len(A))))
            assert log[-1].low - 1e-9 <= optimum <= log[-1].bound + 1e-9
            for before, now in pairwise(log[:-1]):
                step = now.edge - now.level
                if now.phase == before.phase and step >= 2 * now.off:
                    assert now.q >= before.q + (step - 2 * now.off) ** 2 / 2 - 1e-9
    assert far > 0.1 * sigma(rule)
