"""The members of an ensemble that is already there, as a weak learner: the finite class that they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Hypothesis, Start
from frankboost.learners.columns import FiniteClass

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Members:
    """Weak learner: the best of given hypotheses.

    Parameters
    ----------
    hypotheses : sequence of functions from rows to [-1, 1]
    weights : array with one entry a hypothesis
        Where the fit starts, so that it ends no worse.
    """

    hypotheses: Sequence[Hypothesis]
    weights: Floats

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> MemberOracle:
        """Ask every member about every row, once."""
        values = np.column_stack([hypothesis(X) for hypothesis in self.hypotheses])
        signs = bool((np.abs(values) == 1).all())
        return MemberOracle(self.hypotheses, values.astype(np.int8 if signs else np.float64))

    def start(self, sample_weight: Floats) -> Start:
        """The ensemble as it is."""
        return Start(self.hypotheses, self.weights, sample_weight / sample_weight.sum())


class MemberOracle:
    """The members at work. All are known to the game from the start, which looks at all it knows."""

    exact = True

    def __init__(self, hypotheses: Sequence[Hypothesis], values: NDArray[Any]) -> None:
        self._hypotheses = hypotheses
        self._values = values
        self._number = {id(hypothesis): j for j, hypothesis in enumerate(hypotheses)}
        self.hypothesis_class = FiniteClass(values, f"the {len(hypotheses)} members of an ensemble")

    def __call__(self, d: Floats, /) -> list[Hypothesis]:
        """Any of them."""
        return [self._hypotheses[0]]

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """The hypothesis, if it is a member."""
        return hypothesis if id(hypothesis) in self._number else None

    def values(self, hypotheses: Sequence[Hypothesis], /) -> list[NDArray[Any]]:
        """What members say of the training rows, which is known."""
        return [self._values[:, self._number[id(hypothesis)]] for hypothesis in hypotheses]
