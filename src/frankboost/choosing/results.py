"""What a search over depths and values of nu tells, as GridSearchCV does."""

from __future__ import annotations

from typing import Any

import numpy as np

from frankboost.choosing.choice import Choice
from frankboost.typing import Floats


def results_of(choice: Choice) -> dict[str, Any]:
    """`cv_results_`, one entry per depth and nu that was tried."""
    tried = [(depth, each) for depth, path in choice.paths.items() for each in path]
    params = [({} if depth is None else {"max_depth": depth}) | {"nu": each.nu} for depth, each in tried]
    scores: Floats = -np.array([each.losses for _, each in tried])
    mean = -np.array([each.loss for _, each in tried])
    return {
        **{f"param_{name}": np.array([each[name] for each in params]) for name in params[0]},
        "params": params,
        **{f"split{k}_test_score": fold for k, fold in enumerate(scores.T)},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1),
        "rank_test_score": (mean[:, None] < mean[None, :]).sum(axis=1) + 1,
        "mean_fit_time": np.array([each.seconds for _, each in tried]),
        "mean_n_iter": np.array([each.rounds for _, each in tried]),
    }
