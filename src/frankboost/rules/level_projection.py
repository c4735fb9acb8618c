"""The entropy projection onto a level set, through its dual: Newton's method on the multipliers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from frankboost.game import Game
from frankboost.rules.quadratic import maximise_on_orthant

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class Projection:
    """Multipliers lam >= 0, the level, and the dual value q(lam), which no method here lowers.

    The game always plays the distribution that belongs to the multipliers.
    """

    MAX_STEPS = 50  # Newton steps before the weak learner is asked all the same

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lam = np.zeros(0)
        self._level = 0.0
        self._tilted = 0.0  # min over d of KL(d || prior) + lam . A^T d
        self._played: Floats | None = None
        self._soft_margin: float | None = None
        self._rough = True
        self.newton_count = 0

    @property
    def value(self) -> float:
        """q(lam)."""
        return self._tilted - self._level * float(self._lam.sum())

    @property
    def multipliers(self) -> Floats:
        """lam, not to be changed."""
        return self._lam

    def weights(self) -> Floats:
        """The multipliers, scaled to sum 1."""
        return self._lam / float(self._lam.sum())

    def soft_margin(self) -> float:
        """The soft margin of the weights, if there are any."""
        if self._soft_margin is None:
            total = float(self._lam.sum())
            self._soft_margin = self._game.tilted_soft_margin() / total if total > 0.0 else -np.inf
        return self._soft_margin

    def extend(self) -> None:
        """New hypotheses start with multiplier 0."""
        self._lam = np.concatenate([self._lam, np.zeros(len(self._game) - len(self._lam))])

    def move(self, level: float) -> None:
        """Another level; one that falls does not lower q."""
        self._level = level

    def clear(self) -> None:
        """No multipliers: q = 0 at the prior."""
        self._set(np.zeros(len(self._lam)))

    def restart(self, multipliers: Floats) -> None:
        """Back to multipliers that were there before."""
        self._set(multipliers)

    def step(self, j: int, size: float) -> None:
        """Raise a multiplier by its edge's excess over the level: q grows by size^2 / 2."""
        if size > 0.0:
            lam = self._lam.copy()
            lam[j] += size
            self._set(lam)

    def scale(self, weights: Floats) -> None:
        """Multipliers along known weights, as far as q grows: a better start than none."""
        lam, total = self._lam, 1.0
        value = self.value
        while total < 1e9:
            self._set(total * weights)
            if self.value <= value:
                break
            lam, value, total = self._lam, self.value, 2.0 * total
        self._set(lam)

    def newton_steps(self, slack: float) -> Iterator[Floats]:
        """The edges at the multipliers as they are, and after each Newton step."""
        self._rough = True
        if self._game.distribution is not self._played:
            self._set(self._lam)
        for _ in range(self.MAX_STEPS):
            edges = self._game.edges()
            yield edges
            self._newton(edges - self._level, slack)
        yield self._game.edges()

    def _set(self, lam: Floats) -> None:
        self._lam = lam
        self._soft_margin = None
        self._tilted = self._game.tilt(lam)
        self._played = self._game.distribution

    def _newton(self, slope: Floats, slack: float) -> None:
        """One step on the hypotheses that have a multiplier or are above the level."""
        self.newton_count += 1
        working = np.flatnonzero((self._lam > 0.0) | (slope > 0.0))
        if self._rough:
            H = self._game.curvature(working, rough=True)
            if self._ascend(slope, slack, working, H, pull=1e-6):
                return
            # Where few rows are free the rough curvature misses what holds the multipliers back.
            self._rough = False
        H = self._game.curvature(working)
        # Nor does the precise one see rows at their caps, which a long step would free: shorter ones, then.
        if not any(self._ascend(slope, slack, working, H, pull=pull) for pull in (1e-10, 1e-6, 1e-4, 1e-2)):
            worst = int(np.argmax(slope))
            self.step(worst, float(slope[worst]))

    def _ascend(self, slope: Floats, slack: float, working: Indices, H: Floats, *, pull: float) -> bool:
        """A line search along Newton's direction; False, and nothing changed, if it does not rise enough."""
        before, value = self._lam, self.value
        target = maximise_on_orthant(slope[working], H, before[working], pull)
        # While a phase lasts the multipliers sum to less than this (docs/theory.md); near an empty level set
        # the quadratic model would send them to infinity.
        most = self._game.simplex.entropy_range() / slack
        direction = np.zeros(len(before))
        direction[working] = (
            target * min(1.0, 2.0 * most / max(float(target.sum()), 1e-300)) - before[working]
        )
        promise = float(slope @ direction)
        for step in 0.5 ** np.arange(6.0):
            self._set(before + step * direction)
            if self.value - value >= 1e-4 * step * promise > 0.0:
                return True
        self._set(before)
        return False
