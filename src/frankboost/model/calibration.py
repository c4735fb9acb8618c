"""Probabilities from votes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class Sigmoids:
    """p = 1 / (1 + exp(-(slope vote + intercept))), one per ensemble (Platt's scaling)."""

    slope: Floats
    intercept: Floats

    def __call__(self, votes: Floats) -> Floats:
        """Probabilities for votes of shape (m, k), one column per ensemble."""
        return 1.0 / (1.0 + np.exp(-(votes * self.slope + self.intercept)))


def class_probabilities(votes: Floats, sigmoids: Sigmoids | None) -> Floats:
    """Rows that sum to 1, from votes of shape (m, 1) for the second of two classes, or (m, k) for each of k.

    Without sigmoids a vote counts as the share (1 + vote) / 2 of the weight that is for the class.
    """
    positive = (1.0 + votes) / 2.0 if sigmoids is None else sigmoids(votes)
    if positive.shape[1] == 1:
        return np.hstack([1.0 - positive, positive])
    total = positive.sum(axis=1, keepdims=True)
    even = np.full_like(positive, 1.0 / positive.shape[1])
    shares: Floats = np.divide(positive, total, out=even, where=total > 0.0)
    return shares
