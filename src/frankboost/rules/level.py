"""LevelBoost's rule: the entropy projection onto a level set.

With the bound (the least best edge) above the optimum and the largest soft margin `low` below it, the next
distribution is the one nearest to the prior at which no hypothesis found so far has an edge above a level
between the two,

    d = argmin KL(d || prior)   over   d in P   with   A_j^T d <= level for every hypothesis j.

Its dual has one multiplier a hypothesis: max over lam >= 0 of

    q(lam) = min over d in P of [KL(d || prior) + sum_j lam_j (A_j^T d - level)],

smooth and concave, with gradient A^T d - level. The multipliers, scaled to sum 1, are weights. A phase
keeps its level, or lowers it with the bound, until the soft margin reaches it. docs/theory.md proves that q
grows by (edge - level)^2 / 2 a round and is below ln(m/nu) while a phase lasts, which bounds the rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from frankboost.game import Game
from frankboost.rules.base import Position, Proposal, Step
from frankboost.rules.level_projection import Projection
from frankboost.validation import check_positive

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Level:
    """The level rule. Alone, it brings its own distribution.

    Parameters
    ----------
    tol : float
        The gap at which the algorithm will stop.
    place : float in (slack / (1 + slack), 1], default=0.5
        Where between `low` and the bound a phase puts its level; never above bound - tol / (1 + slack). At
        1 the level is always there, and the algorithm is SoftBoost.
    shrink : float in [0, 1), default=0.8
        A new phase begins as soon as the gap is this share of what it was; at 0 only when `low` reaches
        the level.
    slack : float, default=0.1
        The soft margin that ends a phase may stay below the level by this share of bound - level.
    excess : float, default=0.3
        The projection may leave edges above the level by this share of bound - level. No guarantee hangs on
        it: less means fewer rounds and longer ones.
    """

    tol: float
    place: float = 0.5
    shrink: float = 0.8
    slack: float = 0.1
    excess: float = 0.3
    kind: ClassVar[Literal["fw", "secondary"]] = "secondary"

    def __post_init__(self) -> None:
        """Refuse what the theorem does not allow: phases that shrink nothing would never end."""
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

    def start(self, game: Game) -> Step:
        """A run before its first phase."""
        return Run(self, game)


class Run:
    """The bookkeeping of phases (docs/theory.md, Algorithm L).

    Attributes
    ----------
    level : float
    phases : int
        How many have begun.
    low, best : float, array
        The largest soft margin of the multipliers tried, and those multipliers scaled to sum 1.
    projection : Projection
        The multipliers and the dual value q.
    """

    def __init__(self, rule: Level, game: Game) -> None:
        self._rule = rule
        self._game = game
        self._low0 = self._gap0 = np.inf
        self._played: Floats | None = None
        self.phases = 0
        self.level = np.inf
        self.low, self.best = -np.inf, np.zeros(0)
        self.projection = Projection(game)

    def __call__(self, at: Position) -> Proposal:
        """Take in the newest hypotheses, and project until a distribution is left to ask about."""
        bound = self._game.least.edge
        self.projection.extend()
        known = self.phases == 0 and np.count_nonzero(at.weights) > 1  # weights from an earlier run
        if self.phases == 0:
            self.low, self.best = self._game.soft_margin(at.weights), at.weights
        self._begin_round(bound)
        if known and bound - self.low > self._rule.tol:
            self.projection.scale(at.weights)
        self._settle(bound, at)
        self._played = self._game.distribution
        return Proposal(np.concatenate([self.best, np.zeros(len(self._game) - len(self.best))]), self._played)

    def _settle(self, bound: float, at: Position) -> None:
        """Project; q grows by what a single step of the theorem would earn, or the step is taken."""
        phase, before, value = self.phases, self.projection.multipliers, self.projection.value
        step = max(at.edges[at.newest] - self.level, 0.0) if self._game.distribution is self._played else 0.0
        self._project_over_phases(bound)
        if self.phases > phase or bound - self.low <= self._rule.tol:
            return
        if self.projection.value < value + step**2 / 2.0:
            self.projection.restart(before)
            self.projection.step(at.newest, step)
            self._project_over_phases(bound)

    def _project_over_phases(self, bound: float) -> None:
        while not self._project(bound):
            self._new_phase(bound)

    def _begin_round(self, bound: float) -> None:
        if self.phases == 0 or bound - self.low <= self._rule.shrink * self._gap0:
            self._new_phase(bound)
        else:
            self.level = min(self.level, self._place(bound))
            self.projection.move(self.level)

    def _new_phase(self, bound: float) -> None:
        self.phases += 1
        self._low0, self._gap0 = self.low, bound - self.low
        self.level = self._place(bound)
        self.projection.move(self.level)
        if self.projection.value < 0.0:  # a phase starts with q >= 0, and zero multipliers have q = 0
            self.projection.clear()

    def _place(self, bound: float) -> float:
        level = self._low0 + self._rule.place * (bound - self._low0)
        # A hair closer to the bound than the theorem has it: a soft margin that reaches the level must leave
        # a gap below the tolerance after rounding too, or phases would follow one another for ever.
        return min(level, bound - (1.0 - 1e-9) * self._rule.tol / (1.0 + self._rule.slack))

    def _project(self, bound: float) -> bool:
        """Raise q until edges are near the level (True), or until the soft margin is (False)."""
        slack = self._rule.slack * (bound - self.level)
        highest = self.level + self._rule.excess * (bound - self.level)
        for edges in self.projection.newton_steps(slack):
            self._keep_better()
            if bound - self.low <= self._rule.tol:
                return True
            if self.low >= self.level - slack:
                return False
            if edges.max() <= highest:
                return True
        return True  # not quite there: the distribution is one all the same, and q has grown enough

    def _keep_better(self) -> None:
        soft_margin = self.projection.soft_margin()
        if soft_margin > self.low:
            self.low, self.best = soft_margin, self.projection.weights()
