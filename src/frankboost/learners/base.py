"""What the booster asks of a weak learner.

A learner is settings; `prepare` does everything costly once and returns an oracle, which is called once
a round. The first hypothesis an oracle returns maximises the edge sum_i d_i y_i h(x_i) if it is `exact`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Hypothesis(Protocol):
    """A function from rows to [-1, 1]."""

    def __call__(self, X: Floats, /) -> NDArray[Any]: ...


H = TypeVar("H", bound=Hypothesis)


class Found(list[H]):
    """Hypotheses, best first, and an edge that none in the class exceeds if it is not the first one's."""

    def __init__(self, hypotheses: Iterable[H], largest_edge: float = -np.inf) -> None:
        super().__init__(hypotheses)
        self.largest_edge = largest_edge


@dataclass(frozen=True, eq=False)
class Start:
    """Hypotheses known beforehand, weights for them, and a distribution to ask about first."""

    hypotheses: Sequence[Hypothesis]
    weights: Floats
    distribution: Floats


class HypothesisClass(Protocol):
    """What an oracle searches; printed in the certificate."""

    def __str__(self) -> str: ...


class Oracle(Protocol):
    """A weak learner at work on one training set."""

    @property
    def exact(self) -> bool: ...
    @property
    def hypothesis_class(self) -> HypothesisClass: ...

    def __call__(self, d: Floats, /) -> Sequence[Hypothesis]: ...


@runtime_checkable
class TrainingValues(Protocol):
    """An oracle that knows, better than by calling them, what its hypotheses say of the training rows."""

    def values(self, hypotheses: Sequence[Any], /) -> Sequence[NDArray[Any]]: ...


@runtime_checkable
class OwnClass(Protocol):
    """An oracle that can say what a hypothesis is in its class, or None if the class lacks it."""

    def recall(self, hypothesis: Any, /) -> Hypothesis | None: ...


@runtime_checkable
class FeatureGains(Protocol):
    """An oracle that can say what each feature adds to the edge of hypotheses, one row each."""

    def gains(self, hypotheses: Sequence[Any], d: Floats, /) -> Floats: ...


@runtime_checkable
class WeakLearner(Protocol):
    """Settings from which an oracle is prepared; `y` holds -1 and +1."""

    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> Oracle: ...
