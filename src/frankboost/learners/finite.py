"""The search over a finite class whose values on the training rows are all known."""

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
    """A finite class, as the matrix of its votes for the training rows; `kind` is the text for its
    members."""

    predictions: NDArray[Any]
    kind: str
    searched_as: ClassVar[Literal["trees", "columns", "joint"] | None] = "columns"

    def __str__(self) -> str:
        return finite_text(self.predictions.shape[1], self.kind)


class FiniteOracle(Oracle):
    """The search over a finite class: one product with its matrix.

    H[i, j] is what hypothesis j says of training row i, in float64, or in int8 if all entries are -1 and +1.
    `kind` says what the hypotheses are, such as "columns of X"; an answer has at most `columns` of them.
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
        rounding = 0.0 if self._signs else len(u) * 2.0**-52  # of an edge, at most
        return Answer([self._hypotheses[j] for j in best], float(edges[best[0]]) + rounding)

    def _edges(self, u: Floats) -> Floats:
        # A product with int8 makes float64 of all columns: some at a time.
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
    """Weak learner: the best of given hypotheses.

    The fit starts from their weights, so that it ends no worse.
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
        """The ensemble as it is."""
        return Start(self.hypotheses, self.weights, sample_weight / sample_weight.sum())
