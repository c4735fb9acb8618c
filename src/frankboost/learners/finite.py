"""The search over a finite class of hypotheses, whose votes for the training rows are given as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Answer, Hypothesis, HypothesisClass, Oracle, Start, WeakLearner
from frankboost.scope import finite_text
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class FiniteClass(HypothesisClass):
    """A finite class as the matrix of its votes for the training rows; `kind` names its members in texts."""

    predictions: NDArray[Any]
    kind: str
    searched_as: ClassVar[Literal["trees", "columns", "joint"] | None] = "columns"

    def __str__(self) -> str:
        return finite_text(self.predictions.shape[1], self.kind)


class FiniteOracle(Oracle):
    """The search over a finite class: one product with its matrix.

    H[i, j] is the vote of hypothesis j for training row i, in float64, or in int8 if all votes are -1 and +1.
    `kind` names the hypotheses in texts, such as "columns of X". An answer has at most `columns` of them.
    """

    exact = True

    def __init__(
        self, H: NDArray[Any], hypotheses: Sequence[Hypothesis], kind: str, columns: int = 1
    ) -> None:
        self._H = H
        self._signs = bool((np.abs(H) == 1).all())
        self._hypotheses = hypotheses
        self._number = {hypothesis: j for j, hypothesis in enumerate(hypotheses)}
        self._columns = columns
        self.hypothesis_class = FiniteClass(H, kind)

    def __call__(self, u: Floats, /) -> Answer:
        """The hypotheses of largest edge, best first."""
        edges = self._edges(u)
        best = np.argsort(-edges, kind="stable")[: self._columns].tolist()
        rounding = 0.0 if self._signs else len(u) * 2.0**-52  # the largest rounding error of an edge
        return Answer([self._hypotheses[j] for j in best], float(edges[best[0]]) + rounding)

    def _edges(self, u: Floats) -> Floats:
        # NumPy converts an int8 factor to float64: only 64 columns at a time, to save memory.
        few = self._H.shape[1] if self._H.dtype == np.float64 else 64
        parts = [u @ self._H[:, first : first + few] for first in range(0, self._H.shape[1], few)]
        return np.concatenate(parts)

    def values(self, hypotheses: Sequence[Hypothesis], X: Floats, /) -> list[NDArray[Any]]:
        return [self._H[:, self._number[hypothesis]] for hypothesis in hypotheses]

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """The hypothesis, if it is one of the given ones."""
        return hypothesis if hypothesis in self._number else None


@dataclass(frozen=True, eq=False)
class Members(WeakLearner):
    """Weak learner: the best of given hypotheses, such as those of an ensemble.

    The fit starts from their weights, so that it never ends with a smaller soft margin.
    """

    hypotheses: Sequence[Hypothesis]
    weights: Floats

    def __repr__(self) -> str:
        return f"<{len(self.hypotheses)} members of an ensemble>"

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> FiniteOracle:
        """Compute the votes of every member for every row, once."""
        values = np.column_stack([hypothesis(X) for hypothesis in self.hypotheses])
        signs = bool((np.abs(values) == 1).all())
        entries = values.astype(np.int8 if signs else np.float64)
        return FiniteOracle(entries, self.hypotheses, "members of an ensemble")

    def start(self, sample_weight: Floats) -> Start:
        """The given hypotheses with their weights, and the prior as the first distribution."""
        return Start(self.hypotheses, self.weights, sample_weight / sample_weight.sum())
