"""Probabilities from votes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sigmoids:
    """p = 1 / (1 + exp(-(slope vote + intercept))), one a column of votes (Platt's scaling)."""

    slope: Floats
    intercept: Floats

    @classmethod
    def fit(cls, votes: Floats, targets: NDArray[np.bool_], sample_weight: Floats) -> Sigmoids:
        """Maximum likelihood on votes that the fit has not seen: (m, k) votes and targets."""
        models = [
            LogisticRegression(C=1e6).fit(votes[:, [k]], targets[:, k], sample_weight)
            for k in range(votes.shape[1])
        ]
        return cls(
            slope=np.array([model.coef_[0, 0] for model in models]),
            intercept=np.array([model.intercept_[0] for model in models]),
        )

    def __call__(self, votes: Floats) -> Floats:
        """Probabilities, one a vote."""
        return 1.0 / (1.0 + np.exp(-(votes * self.slope + self.intercept)))


def vote_share(votes: Floats) -> Floats:
    """The weight of the trees that vote for a class, in [0, 1]."""
    return (1.0 + votes) / 2.0


def class_probabilities(positive: Floats) -> Floats:
    """Rows that sum to 1, from a share or probability of each class, or of the second of two."""
    if positive.shape[1] == 1:
        return np.hstack([1.0 - positive, positive])
    total = positive.sum(axis=1, keepdims=True)
    even = np.full_like(positive, 1.0 / positive.shape[1])
    shares: Floats = np.divide(positive, total, out=even, where=total > 0.0)
    return shares
