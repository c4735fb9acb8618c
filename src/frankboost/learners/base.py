"""The interface of a weak learner.

A learner is settings; `prepare` does everything costly once and returns an oracle, which is called once per
round with signed example weights u, where u_i = d_i y_i. The edge of a hypothesis h is sum_i u_i h(x_i).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from numpy.typing import NDArray

from frankboost.typing import Floats


class Hypothesis(Protocol):
    """A function from rows to [-1, 1]."""

    def __call__(self, X: Floats, /) -> NDArray[Any]: ...


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer of an oracle: hypotheses and an upper bound.

    Attributes
    ----------
    hypotheses : sequence of hypotheses
        At least one, best first.
    bound : float or None
        No hypothesis of the class has a larger edge. None: the edge of the first hypothesis.
    """

    hypotheses: Sequence[Hypothesis]
    bound: float | None = None


@dataclass(frozen=True, eq=False)
class Start:
    """The start of a fit: known hypotheses, their weights, and the distribution of the first round.

    If `distribution` is None, the fit begins at a distribution that follows from the weights.
    """

    hypotheses: Sequence[Hypothesis]
    weights: Floats
    distribution: Floats | None = None


@dataclass(frozen=True)
class Need:
    """What a round needs from an answer: an edge well above all known edges, or a bound below the last one.

    A learner whose searches are long may end a search as soon as its answer has one of the two. Otherwise the
    edge of its first hypothesis must be within kappa of the largest. `Need()` always demands the latter.

    Attributes
    ----------
    known : float
        The largest edge of the known hypotheses, or the level that an edge has to exceed to be of use.
    bound : float
        The least bound so far, or -inf if a bound is of no use yet.
    close : float
        A bound of at most this ends the game.
    """

    known: float = 1.0
    bound: float = math.inf
    close: float = -1.0


class HypothesisClass(ABC):
    """The class of hypotheses that an oracle searches; certificates print it as text.

    `searched_as` says how `verify` can search the class again. "trees": trees of depth `max_depth` over
    `thresholds` and `categories`. "columns": the columns of the matrix `predictions`. "joint": tuples of
    `classes` hypotheses of the class `each`. None: `verify` cannot search the class.
    """

    searched_as: ClassVar[Literal["trees", "columns", "joint"] | None] = None

    @abstractmethod
    def __str__(self) -> str: ...

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


class Oracle(ABC):
    """A weak learner that is prepared for one training set.

    Attributes
    ----------
    exact : bool
        Whether the bound of every answer holds.
    hypothesis_class : HypothesisClass
    drives : bool
        Whether the oracle finds nearly the best hypotheses even in rounds that need no bound, and faster
        then.
    kappa : float
        How far the edge of the first hypothesis may be below the bound (docs/theory/inexact.md).
    need : Need
        What the round needs from the next answer. The default asks for the best hypothesis.
    stop : function or None
        A long search calls this function now and then, on the thread of the caller. The function may raise
        an error. If it returns True, the oracle answers with what it has found so far, and with a bound that
        still holds: at worst the sum of `|u|`. None: no search is ended.
    """

    exact: bool
    hypothesis_class: HypothesisClass
    drives: bool = False
    kappa: float = 0.0
    need: Need = Need()
    stop: Callable[[], bool] | None = None

    @abstractmethod
    def __call__(self, u: Floats, /) -> Answer:
        """The hypotheses of largest edge under signed example weights."""

    def values(self, hypotheses: Sequence[Any], X: Floats, /) -> Iterable[NDArray[Any]]:
        """The votes of each hypothesis for the training rows X."""
        return (hypothesis(X) for hypothesis in hypotheses)

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """A hypothesis of another fit as a member of this class; None unless it is known to be one."""
        return None

    def bin_weights(self, d: Floats, /) -> Floats | None:
        """Sums of d by the bins of each feature, if hypotheses are trees of depth 1 or 2."""
        return None

    def gains(self, hypotheses: Sequence[Any], u: Floats, /) -> Floats | None:
        """The amount that each feature adds to the edge of each hypothesis, one row per hypothesis; None if
        not known."""
        return None


class WeakLearner(ABC):
    """Base class of weak learners: settings, from which `prepare` makes an oracle."""

    splits_features: ClassVar[bool] = False
    """Whether hypotheses depend on features alone: equal rows may be merged, and columns be categorical."""

    categorical: tuple[int, ...] = ()
    """The columns that hold categories, as integers."""

    @property
    def generalises(self) -> bool:
        """Whether the hypotheses can vote on rows that were not in the fit."""
        return True

    @abstractmethod
    def prepare(self, X: Floats, y: Floats, sample_weight: Floats) -> Oracle:
        """Do all costly work once, and return the oracle; y holds -1 and +1."""

    def with_defaults(
        self, *, columns_per_round: int, n_jobs: int | None, categorical: tuple[int, ...]
    ) -> WeakLearner:
        """The learner, whose settings that are None become those of the estimator."""
        return self

    def with_names(self, names: Sequence[str] | None, features: int) -> WeakLearner:
        """The learner with the numbers of columns in place of their names."""
        return self

    def fixed(self, X: Floats, sample_weight: Floats) -> WeakLearner:
        """A copy whose settings that depend on data, such as thresholds, are fixed on these rows.

        Fits to parts of the rows then search the same class.
        """
        return self

    def coarse(self) -> WeakLearner:
        """A cheaper learner over a part of the class, for the choice of nu; or the learner itself.

        The learner must be `fixed`.
        """
        return self

    def start(self, sample_weight: Floats) -> Start | None:
        """The start of a fit with hypotheses that are known before the first round; None if there are
        none."""
        return None
