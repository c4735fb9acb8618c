"""LevelBoost's rule, and SoftBoost's: the entropy projection onto a level set.

The optimum lies between the largest soft margin so far, `low`, and the bound. The next distribution is the
one nearest to the prior under which no hypothesis found so far has an edge above a level between the two,

    d = argmin KL(d || prior)   over   d in P   with   A_j^T d <= level for every hypothesis j.

Its dual has one multiplier per hypothesis: max over lam >= 0 of

    q(lam) = min over d in P of [KL(d || prior) + sum_j lam_j (A_j^T d - level)],

smooth and concave, with gradient A^T d - level. The multipliers, scaled to sum 1, are weights. A phase keeps
its level, or lowers it with the bound, until the soft margin reaches the level. In every round of a phase q
grows by (edge - level)^2 / 2, and q stays below ln(m/nu), which bounds the number of rounds
(docs/theory/levelboost.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.rooms.point import Point, same_point
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, SecondaryRule, Step
from frankboost.rules.level_projection import Projection
from frankboost.validation import check_positive


@dataclass(frozen=True)
class Level(SecondaryRule):
    """The level rule. If there is no other rule, it chooses the next distribution.

    Parameters
    ----------
    tol : float
        The gap at which the algorithm will stop.
    place : float in (slack / (1 + slack), 1], default=0.5
        The place between `low` (0) and the bound (1) at which a phase puts its level, but never above
        bound - tol / (1 + slack). With 1 the level is always bound - tol / (1 + slack): SoftBoost.
    shrink : float in [0, 1), default=0.8
        A new phase begins as soon as the gap is at most this share of the gap at the beginning of the phase.
        0: only when `low` reaches the level.
    slack : float, default=0.1
        The soft margin that ends a phase may be below the level by this share of bound - level.
    excess : float, default=0.3
        The projection may end with edges above the level by this share of bound - level. No guarantee depends
        on it: a smaller share means fewer rounds, which take longer.
    """

    tol: float
    place: float = 0.5
    shrink: float = 0.8
    slack: float = 0.1
    excess: float = 0.3

    def __post_init__(self) -> None:
        """Refuse settings that the theorem does not allow, as phases might not end."""
        check_positive("tol", self.tol)
        check_positive("slack", self.slack)
        check_positive("excess", self.excess)
        least = self.slack / (1.0 + self.slack)
        if not least < self.place <= 1.0:
            raise ValueError(
                f"place must be in (slack / (1 + slack), 1] = ({least:g}, 1]; got {self.place!r}"
            )
        if not 0.0 <= self.shrink < 1.0:
            raise ValueError(f"shrink must be in [0, 1); got {self.shrink!r}")

    @property
    def aim(self) -> float:
        """The gap at which the rule stops: a hair below the tolerance, lest rounding keep the gap above
        it."""
        return (1.0 - 1e-6) * self.tol

    def start(self, room: Room) -> Step:
        return LevelRun(self, room)


@dataclass(frozen=True)
class SoftBoost(Level):
    """The level rule with the level always `tol` below the bound, in one phase.

    d = argmin KL(d || prior) over d in P with A_j^T d <= bound - tol for every hypothesis j (up to the slack
    and excess of `Level`). The rule ends after at most about 2.5 ln(1/nu) / tol^2 rounds. If no cap can bind
    (nu of at most one example) it is TotalBoost, which aims at the hard margin.

    References
    ----------
    Warmuth, Glocer, Raetsch: Boosting algorithms for maximizing the soft margin, 2007.
    Warmuth, Liao, Raetsch: Totally corrective boosting algorithms that maximize the margin, 2006.
    """

    place: float = 1.0
    shrink: float = 0.0


class LevelRun:
    """A run of the level rule: the phases of Algorithm L in docs/theory/levelboost.md.

    Attributes
    ----------
    level : float
        The level of the phase.
    began : list of float
        The gap with which each phase began.
    low, best : float, Point
        The largest soft margin of all multipliers so far, and the point of these multipliers, scaled to sum
        1.
    projection : Projection
        The multipliers and the dual value q.
    """

    def __init__(self, rule: Level, room: Room) -> None:
        self._rule = rule
        self._room = room
        self._low0 = np.inf  # `low` when the phase began
        self._proposed: Point | None = None
        self._last_bound = np.inf
        self.began: list[float] = []
        self.level = np.inf
        self.low, self.best = -np.inf, room.at(np.zeros(0))
        self.projection = Projection(room)

    def __call__(self, at: Position) -> Proposal:
        """Begin a phase if it is time, and project; proposes the best weights and the projected
        distribution."""
        bound = self._room.estimated_bound
        first = not self.began
        if first:
            self.best = self._room.at(at.weights)
            self.low = self.best.soft_margin()
        kept = self._begin_round(bound)
        # Beside another rule the weak learner may have been asked at another distribution than the proposed.
        was_asked = at.asked is not None and same_point(at.asked, self._proposed)
        if not was_asked:
            # Compute the margins again, over all columns: the last bits of a sum depend on the number of
            # terms.
            self.projection.restart(self.projection.multipliers)
        if first and np.count_nonzero(at.weights) > 1 and bound - self.low > self._rule.aim:
            self.projection.start_along(at.weights)  # weights from an earlier run
        # The theorem has this step only if the weak learner was asked at the distribution of these
        # multipliers.
        step = max(at.edges[at.newest] - self.level, 0.0) if kept and was_asked else 0.0
        self._project_and_grow(bound, at.newest, step)
        self._proposed = self.projection.point
        return Proposal(self.best, self._proposed, self.level)

    def _project_and_grow(self, bound: float, newest: int, step: float) -> None:
        """Project. If q grows less than by the single step of the theorem, take that step and project
        again."""
        phases, before, value = len(self.began), self.projection.multipliers, self.projection.value
        self._project_over_phases(bound)
        if len(self.began) > phases or bound - self.low <= self._rule.aim:
            return
        if self.projection.value < value + step**2 / 2.0:
            self.projection.restart(before)
            self.projection.step(newest, step)
            self._project_over_phases(bound)

    def _project_over_phases(self, bound: float) -> None:
        # `low` must have risen: a soft margin within rounding of the level may end a phase without raising
        # it, and the next phases would do the same for ever.
        while not self._project(bound) and self.low > self._low0:
            self._new_phase(bound)

    def _begin_round(self, bound: float) -> bool:
        """Begin a phase, or lower the level with the bound; returns whether the multipliers are kept."""
        before, self._last_bound = self._last_bound, bound
        if not self.began or bound > before or bound - self.low <= self._rule.shrink * self.began[-1]:
            return self._new_phase(bound)
        self.level = min(self.level, self._level_for(bound))
        self.projection.level = self.level
        return True

    def _new_phase(self, bound: float) -> bool:
        self.began.append(bound - self.low)
        self._low0 = self.low
        self.level = self._level_for(bound)
        self.projection.level = self.level
        if self.projection.value < 0.0:  # a phase starts with q >= 0, and zero multipliers have q = 0
            self.projection.clear()
            return False
        return True

    def _level_for(self, bound: float) -> float:
        """The level of the phase for a bound."""
        level = self._low0 + self._rule.place * (bound - self._low0)
        return min(level, bound - self._rule.aim / (1.0 + self._rule.slack))

    def _project(self, bound: float) -> bool:
        """Take Newton steps, which raise q. Returns False when the soft margin has reached the level, up to
        the slack, and True when the edges have, up to the excess, or when the gap is closed."""
        slack = self._rule.slack * (bound - self.level)
        highest = self.level + self._rule.excess * (bound - self.level)
        for edges in self.projection.newton_steps(slack):
            soft_margin = self.projection.soft_margin()
            if soft_margin > self.low:
                self.low, self.best = soft_margin, self._room.at(self.projection.weights())
            if bound - self.low <= self._rule.aim:
                return True
            if self.low >= self.level - slack:
                return False
            if edges.max() <= highest:
                return True
        return True  # the edges are still higher, but the distribution is valid, and q has grown
