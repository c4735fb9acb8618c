"""What finds wrong labels: ours, and cleanlab with the probabilities of a cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from frankboost import SoftMarginClassifier, label_issues
from frankboost.typing import Flags, Floats
from studies.labels.noise import Labels

FOLDS, TREES = 5, 200
OURS = "label_issues"

Found = tuple[Floats, Flags]
"""How good each label is, and which are flagged."""


@dataclass(frozen=True, eq=False)
class Finder:
    """Something that finds wrong labels; `packages` must be importable."""

    find: Callable[[Floats, Labels], Found]
    packages: tuple[str, ...]


def _ours(X: Floats, y: Labels) -> Found:
    issues = label_issues(X, y)
    return issues.label_quality, issues.is_label_issue


def _cleanlab(make: Callable[[], Any], X: Floats, y: Labels) -> Found:
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    chances = cross_val_predict(make(), X, y, cv=folds, method="predict_proba")
    flags = import_module("cleanlab.filter").find_label_issues(y, chances, n_jobs=1)
    return import_module("cleanlab.rank").get_label_quality_scores(y, chances), np.asarray(flags)


def _catboost() -> Any:
    make = import_module("catboost").CatBoostClassifier
    return make(thread_count=1, random_seed=0, verbose=False, allow_writing_files=False)


FINDERS = {
    OURS: Finder(_ours, ()),
    "cleanlab, random forest": Finder(
        partial(_cleanlab, partial(RandomForestClassifier, TREES, random_state=0)), ("cleanlab",)
    ),
    "cleanlab, HistGradientBoosting": Finder(
        partial(_cleanlab, partial(HistGradientBoostingClassifier, random_state=0)), ("cleanlab",)
    ),
    "cleanlab, CatBoost": Finder(partial(_cleanlab, _catboost), ("cleanlab", "catboost")),
    "cleanlab, SoftMarginClassifier": Finder(partial(_cleanlab, SoftMarginClassifier), ("cleanlab",)),
}
