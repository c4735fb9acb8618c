"""The ensembles that a fit went through, thinned so that long fits stay small."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from frankboost.typing import Floats

MOST = 200


@dataclass(frozen=True, eq=False)
class Stage:
    """The best weights known after a round: `weights` for the hypotheses numbered `support`."""

    round: int
    support: NDArray[np.int32]
    weights: Floats


@dataclass(eq=False)
class Stages:
    """Stages in the order of their rounds; of long fits every second, fourth, ... and always the last."""

    kept: list[Stage] = field(default_factory=list)
    _every: int = 1

    def add(self, number: int, weights: Floats) -> None:
        """Note the weights after a round."""
        if self.kept and self.kept[-1].round % self._every:
            self.kept.pop()  # it was only there for being the last
        support = np.flatnonzero(weights).astype(np.int32)
        self.kept.append(Stage(number, support, weights[support]))
        if len(self.kept) > MOST:
            self._every *= 2
            self.kept = [s for s in self.kept if s.round % self._every == 0 or s.round == number]

    def at(self, number: int) -> Stage:
        """The last stage that was kept up to a round, or the first."""
        return next((stage for stage in reversed(self.kept) if stage.round <= number), self.kept[0])
