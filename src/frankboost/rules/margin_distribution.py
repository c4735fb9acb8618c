"""MDBoost's rule: a large mean of the margins, and a small variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.rooms.base import padded
from frankboost.rooms.room import Room
from frankboost.rules.base import Position, Proposal, SecondaryRule, Step
from frankboost.rules.quadratic import maximise_on_simplex
from frankboost.typing import Floats
from frankboost.validation import check_positive


@dataclass(frozen=True)
class MDBoost(SecondaryRule):
    """MDBoost: weights of margins z = Aw with a large mean and a small variance, under the prior.

    The weights maximise mean(z) - D/2 variance(z) over the hypotheses found so far, a quadratic program on
    the simplex. Up to terms of order D^2 this is the smoothed soft margin without caps,
    -ln(mean of exp(-D z)) / D: to second order MDBoost is ERLPBoost with eta = D.

    The multipliers of the quadratic program are d_i = q_i (1 - D (z_i - mean(z))), which may be negative. The
    weak learner is asked at q_i exp(-D z_i) instead, scaled to sum 1 and with caps: the same to first order.
    The rule does not aim at the soft margin, and no bound on its rounds is known.

    Parameters
    ----------
    D : float, default=10
        The weight of the variance.

    References
    ----------
    Shen, Li: Boosting through optimization of margin distributions, 2010.
    """

    D: float = 10.0

    def __post_init__(self) -> None:
        check_positive("D", self.D)

    def start(self, room: Room) -> Step:
        """The step, which keeps the weights as the start of the next quadratic program."""
        weights = np.zeros(0)

        def step(at: Position) -> Proposal:
            nonlocal weights
            weights = self._best(room, padded(weights, len(room)) if len(weights) else at.weights)
            return Proposal(room.at(weights), room.at(weights, self.D))

        return step

    def _best(self, room: Room, start: Floats) -> Floats:
        prior = room.at(np.zeros(0), 1.0)
        H = self.D * prior.curvature(np.arange(len(room)))
        return maximise_on_simplex(prior.edges() - (H * start).sum(axis=1), H, start, 1e-10)
