"""What a search over depths and values of nu tells, as GridSearchCV does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from frankboost.typing import Floats


@dataclass(frozen=True)
class Candidate:
    """A nu and a depth, its score in each fold, and the mean seconds and rounds of a fit."""

    max_depth: int | None  # of a weak learner that has none
    nu: float
    scores: Sequence[float]
    mean: float
    seconds: float
    rounds: float


def results_of(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """`cv_results_`, one entry per candidate."""
    scores: Floats = np.array([each.scores for each in candidates])
    mean = np.array([each.mean for each in candidates])
    params = [{"max_depth": each.max_depth, "nu": each.nu} for each in candidates]
    if candidates[0].max_depth is None:
        params = [{"nu": each.nu} for each in candidates]
    return {
        **{f"param_{name}": np.array([each[name] for each in params]) for name in params[0]},
        "params": params,
        **{f"split{k}_test_score": fold for k, fold in enumerate(scores.T)},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1),
        "rank_test_score": (mean[:, None] < mean[None, :]).sum(axis=1) + 1,
        "mean_fit_time": np.array([each.seconds for each in candidates]),
        "mean_n_iter": np.array([each.rounds for each in candidates]),
    }
