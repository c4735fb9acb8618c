"""From votes to probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.typing import Floats

LEAST = 1e-3  # a share is taken for no smaller, so that its logarithm exists


def log_shares(votes: Floats) -> tuple[Floats, Floats]:
    """ln of the shares (1 + vote) / 2 and (1 - vote) / 2 of the weight that is for a class and against it."""
    return np.log((1.0 + votes) / 2.0 + LEAST), np.log((1.0 - votes) / 2.0 + LEAST)


@dataclass(frozen=True, eq=False)
class Calibration:
    """p = 1 / (1 + exp(-z)) with z = a ln((1 + v) / 2) - b ln((1 - v) / 2) + intercept of a vote v.

    One entry per ensemble. It is beta calibration (Kull, Silva Filho, Flach: Beta calibration, 2017).
    """

    a: Floats
    b: Floats
    intercept: Floats

    def __call__(self, votes: Floats) -> Floats:
        """Probabilities for votes of shape (m, k), one column per ensemble."""
        share, other = log_shares(votes)
        log_odds = self.a * share - self.b * other + self.intercept
        # exp of a large number would warn; the probability is 0 long before.
        return 1.0 / (1.0 + np.exp(np.minimum(-log_odds, 700.0)))
