"""Scores of votes for a class against the rest, or for each of many classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from frankboost.typing import Floats

Scoring = Callable[[Floats, Any], float]
"""From votes, and which rows are of the class voted for, to a number: larger is better.

Of votes for all classes, one per column, the second has the number of each row's class.
"""


def accuracy(votes: Floats, target: Any) -> float:
    """The share of the rows whose vote has the right sign, or whose own class has the largest vote."""
    right = (votes > 0.0) == target if votes.ndim == 1 else votes.argmax(axis=1) == target
    return float(np.mean(right))


def vote_score(scoring: str | Scoring | None) -> Scoring:
    """The score that a name or a function stands for; None: accuracy."""
    if scoring is None:
        return accuracy
    if callable(scoring):
        return scoring
    if not isinstance(scoring, str):
        allowed = "the name of a score, a function of votes and target, or None"
        raise TypeError(f"scoring must be {allowed}; got {scoring!r}")
    from sklearn.metrics import get_scorer  # noqa: PLC0415  (heavy)

    scorer = get_scorer(scoring)  # its error lists the names
    return lambda votes, target: float(scorer(_Voter(), votes[:, None], target))


class _Voter(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that is given votes as its only feature."""

    classes_ = np.array([False, True])

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def decision_function(self, votes: Any) -> Any:
        return votes[:, 0]

    def predict(self, votes: Any) -> Any:
        return votes[:, 0] > 0.0

    def predict_proba(self, votes: Any) -> Any:
        return np.hstack([1.0 - votes, 1.0 + votes]) / 2.0
