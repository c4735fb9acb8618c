"""The interface of a room: what the loop and the rules see of the training set.

Everything with one entry per example lives in a room: rows, labels, margins, distributions. Rules, loop,
stopping and trace see scalars, vectors with one entry per hypothesis, and points: handles of distributions
that the room keeps wherever its rows are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from frankboost.learners.base import Answer, Hypothesis, HypothesisClass, Need, Start
from frankboost.rooms.questions import Number
from frankboost.typing import Flags, Floats, Indices


@dataclass(frozen=True, eq=False)
class Found:
    """The result of a question to the weak learner."""

    edges: Floats  # of all hypotheses, at the point that was asked about
    newest: int  # the hypothesis of largest edge
    grew: bool  # whether a hypothesis is new
    driven: bool = False  # whether no bound was asked for, so that there may be a hypothesis of larger edge


@dataclass(frozen=True, eq=False)
class Solution:
    """The result of a game, which leaves the room at its end."""

    hypotheses: list[Hypothesis]  # of the ensemble, largest weight first
    weights: Floats  # they lie on the grid (see `grid`) and sum to 1
    soft_margin: float  # of the ensemble, rounded down
    bound: float  # the least best edge over the points asked about, rounded up
    distribution: Floats  # where that was
    capped: Flags  # which examples are as heavy there as they may be
    bin_weights: Floats | None  # of the rows in each bin, if hypotheses are trees of depth 1 or 2
    gains: Floats | None  # what each feature adds to the edge of the ensemble there, if they are deeper


class Search(Protocol):
    """A weak learner over parts of the rows, at distributions that the parts know by numbers.

    `exact`, `hypothesis_class` and `drives` are those of `Oracle`.
    """

    @property
    def exact(self) -> bool: ...

    @property
    def hypothesis_class(self) -> HypothesisClass: ...

    @property
    def drives(self) -> bool: ...

    def begin(self, stop: Callable[[], bool], kappa: float) -> None:
        """Take what `Oracle` has under these names, before the first question of a fit."""

    def __call__(self, number: Number, need: Callable[[], Need]) -> Answer:
        """The hypotheses of largest edge; `need` tells what they are for."""

    def told(self, hypotheses: Sequence[Any]) -> Any:
        """Hypotheses in the form that `Part.take` takes."""

    def recall(self, hypothesis: Hypothesis, /) -> Hypothesis | None:
        """A hypothesis of another fit as this class has it; None if the class is not known to have it."""

    def bin_weights(self, number: Number) -> Floats | None:
        """Sums of d by the bins of each feature, if hypotheses are trees of depth 1 or 2."""

    def gains(self, hypotheses: Sequence[Hypothesis], number: Number) -> Floats | None:
        """What each feature adds to the edge of each hypothesis, one row per hypothesis, if that is known."""


def padded(vector: Floats, size: int) -> Floats:
    """A copy of the vector with zeros for hypotheses found after it was made."""
    return vector.copy() if len(vector) == size else np.concatenate([vector, np.zeros(size - len(vector))])


def vertex(j: int, size: int) -> Floats:
    """All weight on a hypothesis."""
    weights = np.zeros(size)
    weights[j] = 1.0
    return weights


def recalled(start: Start, recall: Callable[[Any], Hypothesis | None]) -> tuple[list[Hypothesis], Floats]:
    """The hypotheses of a start that belong to a class, as its members, and their weights."""
    known = [(recall(h), w) for h, w in zip(start.hypotheses, start.weights, strict=True)]
    kept = [(hypothesis, weight) for hypothesis, weight in known if hypothesis is not None]
    return [hypothesis for hypothesis, _ in kept], np.array([weight for _, weight in kept])


def spread(weights: Floats, places: Sequence[int], size: int) -> Floats:
    """Weights of sum 1 for `count` hypotheses, from weights of some; weights for the same hypothesis are
    added."""
    total = np.zeros(size)
    np.add.at(total, places, weights / weights.sum())
    return total


def largest_first(weights: Floats) -> Indices:
    """The hypotheses that have weight, largest first."""
    used: Indices = np.flatnonzero(weights)
    return used[np.argsort(-weights[used], kind="stable")]


def dot(one: Floats, other: Floats) -> float:
    """The scalar product, the same on every machine; that of a BLAS depends on the processor."""
    return float((one * other).sum())
