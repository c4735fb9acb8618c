"""What a callback is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.learners.base import Hypothesis
from frankboost.model import weighted_vote
from frankboost.trace import Record, Trace
from frankboost.typing import Floats


@dataclass(frozen=True, eq=False)
class Round(Record):
    """What a callback is given after a round: its record, and the best ensemble known by then.

    Attributes
    ----------
    known : list of hypotheses
        All that were found so far.
    weights : array with one entry per hypothesis
    label : object
        The class that a positive vote is for.
    classes : array
        All classes of the fit; with more than two, each is fitted against the rest, in this order.
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
        return weighted_vote(*self.ensemble(), rows)

    def ensemble(self) -> tuple[list[Hypothesis], Floats]:
        """The hypotheses that have a weight, and their weights."""
        used = np.flatnonzero(self.weights).tolist()
        return [self.known[j] for j in used], self.weights[used]

    def record(self) -> Record:
        """The facts alone, as the trace keeps them."""
        return Record(**{name: getattr(self, name) for name in Trace.columns})


Observer = Callable[[Round], object]
