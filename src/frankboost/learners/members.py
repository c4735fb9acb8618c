"""The members of an ensemble that is already there, as a weak learner: the finite class that they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from frankboost.learners.base import Hypothesis, Start, WeakLearner
from frankboost.learners.finite import FiniteOracle
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class Members(WeakLearner):
    """Weak learner: the best of given hypotheses.

    Parameters
    ----------
    hypotheses : sequence of functions from rows to [-1, 1]
    weights : array with one entry per hypothesis
        Where the fit starts, so that it ends no worse.
    """

    hypotheses: Sequence[Hypothesis]
    weights: Floats

    def __repr__(self) -> str:
        return f"<{len(self.hypotheses)} members of an ensemble>"

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> FiniteOracle:
        """Ask every member about every row, once."""
        values = np.column_stack([hypothesis(X) for hypothesis in self.hypotheses])
        signs = bool((np.abs(values) == 1).all())
        entries = values.astype(np.int8 if signs else np.float64)
        return FiniteOracle(entries, self.hypotheses, "members of an ensemble")

    def start(self, sample_weight: Floats) -> Start:
        """The ensemble as it is."""
        return Start(self.hypotheses, self.weights, sample_weight / sample_weight.sum())
