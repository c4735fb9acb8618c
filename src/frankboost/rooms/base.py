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

from frankboost.learners.base import Answer, Hypothesis, HypothesisClass, Need
from frankboost.rooms.questions import Number
from frankboost.typing import Flags, Floats


@dataclass(frozen=True, eq=False)
class Found:
    """The result of `Room.ask`: the edges at the point, and whether the weak learner found anything new."""

    edges: Floats  # of all hypotheses, old and new, at the point
    newest: int  # the hypothesis of largest edge
    grew: bool  # whether the weak learner found a new hypothesis
    driven: bool = False  # whether no bound was asked for, so that the class may have a larger edge


@dataclass(frozen=True, eq=False)
class Solution:
    """The result of a game: the ensemble, the two numbers of its certificate, and what explains it."""

    hypotheses: list[Hypothesis]  # of the ensemble, largest weight first
    weights: Floats  # of these hypotheses, on the grid (see `grid`), with sum 1
    soft_margin: float  # of the ensemble, rounded down
    bound: float  # the least, over the points asked about, of the largest edge, rounded up
    distribution: Floats  # the distribution that attains the bound
    capped: Flags  # which examples have their largest weight in this distribution
    bin_weights: Floats | None  # the share of the rows in each bin, if hypotheses are trees of depth 1 or 2
    gains: (
        Floats | None
    )  # if they are deeper: what each feature adds to the ensemble's edge at `distribution`


class Search(Protocol):
    """A weak learner over parts of the rows. It names a distribution by the number that the parts keep it
    under.

    `exact`, `hypothesis_class` and `drives` mean what they mean for `Oracle`.
    """

    @property
    def exact(self) -> bool: ...

    @property
    def hypothesis_class(self) -> HypothesisClass: ...

    @property
    def drives(self) -> bool: ...

    def begin(self, stop: Callable[[], bool], kappa: float) -> None:
        """Set `stop` and `kappa`, see `Oracle`, before the first call of a fit."""

    def __call__(self, number: Number, need: Callable[[], Need]) -> Answer:
        """The hypotheses of largest edge at a distribution; `need()` says what the round needs from them."""

    def encode(self, hypotheses: Sequence[Any]) -> Any:
        """Hypotheses in the form that `Part.take` and `Part.vote` take."""

    def recall(self, hypothesis: Hypothesis, /) -> Hypothesis | None:
        """A hypothesis of another fit as a member of this class; None unless it is known to be one."""

    def bin_weights(self, number: Number) -> Floats | None:
        """Sums of d by the bins of each feature, if hypotheses are trees of depth 1 or 2."""

    def gains(self, hypotheses: Sequence[Hypothesis], number: Number) -> Floats | None:
        """What each feature adds to the edge of each hypothesis, one row per hypothesis; None if not
        known."""


def padded(vector: Floats, size: int) -> Floats:
    """A copy of the vector with a 0 for each hypothesis that was found after it was made."""
    return vector.copy() if len(vector) == size else np.concatenate([vector, np.zeros(size - len(vector))])


def vertex(j: int, size: int) -> Floats:
    """The weights that are 1 for hypothesis j and 0 for all others."""
    weights = np.zeros(size)
    weights[j] = 1.0
    return weights


def dot(one: Floats, other: Floats) -> float:
    """The scalar product, with the same bits on every machine; a BLAS sums in an order of its own."""
    return float((one * other).sum())
