"""Hypotheses and their weights: the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Hypothesis
from frankboost.learners.tree import Tree, vote
from frankboost.trace import Record, Trace

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Round(Record):
    """What a callback is given after a round: its record, and the best ensemble known by then.

    Attributes
    ----------
    known : list of hypotheses
        Every one found so far.
    weights : array with one entry a hypothesis
    label : object
        The class that a positive vote is for.
    classes : array
        All of them; with more than two, each is fitted against the rest, in this order.
    encode : function or None
        From rows such as those of the fit to numbers, checked as in `predict`; None: rows are numbers.
    """

    known: Sequence[Hypothesis]
    weights: Floats
    label: Any
    classes: NDArray[Any]
    encode: Callable[[Any], Floats] | None = None

    def decision_function(self, X: Any) -> Floats:
        """The vote of the best ensemble known, for rows such as those of the fit."""
        return self.votes(self.numbers(X))

    def numbers(self, X: Any) -> Floats:
        """Rows such as those of the fit as numbers, the same in every round."""
        return np.asarray(X, dtype=np.float64) if self.encode is None else self.encode(X)

    def votes(self, rows: Floats) -> Floats:
        """The vote of the best ensemble known, for rows that are numbers already."""
        used = np.flatnonzero(self.weights).tolist()
        return weighted_vote([self.known[j] for j in used], self.weights[used], rows)

    def record(self) -> Record:
        """The facts alone, as the trace keeps them."""
        return Record(**{name: getattr(self, name) for name in Trace.columns})


def weighted_vote(hypotheses: Sequence[Hypothesis], weights: Floats, X: Floats, threads: int = 1) -> Floats:
    """sum_j w_j h_j(x) for each row of X, in [-1, 1]."""
    if all(isinstance(hypothesis, Tree) for hypothesis in hypotheses):
        total = vote(hypotheses, weights, X, threads)  # type: ignore[arg-type]
    else:
        total = np.zeros(len(X))
        for hypothesis, weight in zip(hypotheses, weights, strict=True):
            total += weight * hypothesis(X)
    return np.clip(total, -1.0, 1.0)


class StagedVote:
    """Votes of many ensembles of the same hypotheses on the same rows."""

    def __init__(self, hypotheses: Sequence[Hypothesis], X: Floats, threads: int = 1) -> None:
        self._hypotheses = hypotheses
        self._X = X
        self._threads = threads
        # Trees are faster to walk again than their votes are to keep; others may take long to ask.
        trees = all(isinstance(hypothesis, Tree) for hypothesis in hypotheses)
        self._values = None if trees else np.array([h(X) for h in hypotheses], dtype=np.float32)

    def __call__(self, support: NDArray[np.int32], weights: Floats) -> Floats:
        """The vote of the hypotheses numbered `support`."""
        if self._values is None:
            return weighted_vote([self._hypotheses[j] for j in support], weights, self._X, self._threads)
        return np.clip(weights @ self._values[support], -1.0, 1.0)
