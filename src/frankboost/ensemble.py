"""Hypotheses and their weights: the model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Hypothesis
from frankboost.learners.tree import Tree, vote

Floats = NDArray[np.float64]


def weighted_vote(hypotheses: Sequence[Hypothesis], weights: Floats, X: Floats, threads: int = 1) -> Floats:
    """sum_j w_j h_j(x) for each row of X, in [-1, 1]."""
    if all(isinstance(hypothesis, Tree) for hypothesis in hypotheses):
        total = vote(hypotheses, weights, X, threads)  # type: ignore[arg-type]
    else:
        total = np.zeros(len(X))
        for hypothesis, weight in zip(hypotheses, weights, strict=True):
            total += weight * hypothesis(X)
    return np.clip(total, -1.0, 1.0)
