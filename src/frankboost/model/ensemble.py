"""Hypotheses and their weights: one weighted vote, and what its fit proved about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from frankboost.certificate import Certificate
from frankboost.learners.base import Hypothesis, HypothesisClass, Start
from frankboost.learners.one_per_class import OnePerClass
from frankboost.learners.tree import Tree, vote
from frankboost.trace import Trace
from frankboost.typing import Flags, Floats

MOST = 200  # stages that are kept


class Stages(dict[int, tuple[NDArray[np.int32], Floats]]):
    """The best ensemble known after each round: the numbers of its hypotheses, and their weights.

    Of long fits every second, fourth, ... round is kept, and always the last.
    """

    _every = 1

    def add(self, number: int, weights: Floats) -> None:
        """Note the weights after a round."""
        if self and (last := next(reversed(self))) % self._every:
            del self[last]  # it was kept only as the last
        support = np.flatnonzero(weights).astype(np.int32)
        self[number] = support, weights[support]
        if len(self) > MOST:
            self._every *= 2
            for other in [each for each in self if each % self._every and each != number]:
                del self[other]

    def at(self, number: int) -> tuple[NDArray[np.int32], Floats]:
        """The last stage that was kept up to a round, or the first."""
        return self[max((each for each in self if each <= number), default=min(self))]


@dataclass(frozen=True, eq=False)
class Vote:
    """Hypotheses, largest weight first, and their weights, which sum to 1."""

    hypotheses: Sequence[Hypothesis]
    weights: Floats

    def trees(self) -> list[Tree]:
        """The hypotheses, if they are trees of `BestTree`; a TypeError otherwise."""
        if not _are_trees(self.hypotheses):
            other = next(each for each in self.hypotheses if not isinstance(each, Tree))
            raise TypeError(
                "model must be an ensemble of trees of BestTree (estimator=None or BestTree); "
                f"got one with a {type(other).__name__}"
            )
        return list(self.hypotheses)

    def of_class(self, k: int) -> Self:
        """The vote for one class, where many classes were fitted together."""
        return replace(self, hypotheses=members_of(self.hypotheses, k))

    def voters(self) -> list[Self]:
        """The vote itself or, where classes were fitted together, one for each class."""
        if not are_joint(self.hypotheses):
            return [self]
        return [self.of_class(k) for k in range(len(self.hypotheses[0].members))]


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble(Vote):
    """The result of one fit: the vote for a class, against another class or the rest, and its certificate.

    It is the vote in use. Where that is not the one of largest soft margin, which the certificate encloses,
    the latter is the `optimum`.
    """

    certificate: Certificate
    hypothesis_class: HypothesisClass  # what the certificate refers to
    distribution: Floats  # over the training rows; it attains the bound of the certificate
    trace: Trace
    capped: Flags | None = None  # training rows as heavy as they may be; None: not known of this one alone
    bin_weights: Floats | None = None  # of the training rows, feature by feature; None in a model
    gains: Floats | None = None  # what splits on each feature add to the edge, if trees are deeper than 2
    found: Start | None = None  # all hypotheses met, for a fit that goes on from here; None in a loaded model
    stages: Stages | None = None  # weights for those along the rounds; None in a loaded model
    optimum: Vote | None = None  # None: the vote in use is the optimum

    def __repr__(self) -> str:
        return f"<Ensemble of {len(self.hypotheses)} hypotheses: {self.certificate!r}>"

    def at_optimum(self) -> Ensemble:
        """The ensemble with the optimum as the vote in use."""
        if self.optimum is None:
            return self
        vote, certificate = self.optimum, replace(self.certificate, in_use=None)
        return replace(
            self,
            hypotheses=vote.hypotheses,
            weights=vote.weights,
            certificate=certificate,
            optimum=None,
        )

    def of_class(self, k: int) -> Self:
        """The ensemble for one class, with the certificate that all classes have in common."""
        return replace(super().of_class(k), found=None, stages=None)

    @property
    def mass(self) -> Floats:
        """The distribution over the rows, whose masses may be divided among classes."""
        d = self.distribution
        return d if d.ndim == 1 else d.sum(axis=1)

    def path(self) -> tuple[Sequence[Hypothesis], Stages]:
        """The hypotheses that were met, and the weights for them along the rounds."""
        if self.found is None or self.stages is None:
            raise ValueError(
                "a loaded model has no stages, as a file does not keep them: fit the model again"
            )
        return self.found.hypotheses, self.stages

    def staged_votes(self, X: Floats, threads: int = 1) -> Callable[[int], Floats]:
        """The function from a round to the votes for X of the best ensemble known after it."""
        known, stages = self.path()
        # Trees are faster to walk again than their votes are to keep; others may take long to ask.
        values = (
            None
            if _are_trees(known) or are_joint(known)
            else np.array([h(np.asarray(X)) for h in known], dtype=np.float32)
        )

        def after(number: int) -> Floats:
            support, weights = stages.at(number)
            if values is None:
                return weighted_vote([known[j] for j in support], weights, X, threads)
            return np.clip(weights @ values[support], -1.0, 1.0)

        return after


class LeftOutError(ValueError, AttributeError):
    """A model was saved without this attribute."""


class VoteAlone(Ensemble):
    """Hypotheses and their weights, saved without what their fit proved."""

    def __init__(self, hypotheses: Sequence[Hypothesis], weights: Floats) -> None:
        vars(self).update(hypotheses=hypotheses, weights=weights)  # as a frozen class sets its own

    def __getattr__(self, name: str) -> Any:
        """Raise a LeftOutError for what was not saved, which Python finds nowhere else."""
        raise LeftOutError(f"model has no {name}: it was saved with certificate=False")

    def __repr__(self) -> str:
        return f"<VoteAlone of {len(self.hypotheses)} hypotheses>"

    def of_class(self, k: int) -> Self:
        return type(self)(members_of(self.hypotheses, k), self.weights)


def weighted_vote(hypotheses: Sequence[Hypothesis], weights: Floats, X: Floats, threads: int = 1) -> Floats:
    """sum_j w_j h_j(x) for each row of X, in [-1, 1]; of hypotheses for many classes, a column for each."""
    if are_joint(hypotheses):
        count = len(hypotheses[0].members)
        votes = [weighted_vote(members_of(hypotheses, k), weights, X, threads) for k in range(count)]
        return np.column_stack(votes)
    if _are_trees(hypotheses):
        total = vote(hypotheses, weights, X, threads)
    else:
        X = np.asarray(X)  # it may be sparse
        total = np.zeros(len(X))
        for hypothesis, weight in zip(hypotheses, weights, strict=True):
            total += weight * hypothesis(X)
    return np.clip(total, -1.0, 1.0)


def are_joint(hypotheses: Sequence[Hypothesis]) -> TypeGuard[Sequence[OnePerClass]]:
    """Whether each hypothesis has one member per class."""
    return len(hypotheses) > 0 and isinstance(hypotheses[0], OnePerClass)


def members_of(hypotheses: Sequence[Any], k: int) -> list[Hypothesis]:
    """The members of one class."""
    return [each.members[k] for each in hypotheses]


def _are_trees(hypotheses: Sequence[Hypothesis]) -> TypeGuard[Sequence[Tree]]:
    return all(isinstance(hypothesis, Tree) for hypothesis in hypotheses)
