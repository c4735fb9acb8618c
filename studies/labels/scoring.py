"""One trial: change labels of a set, find them by one method, and fit a model to the rows that are left.

The methods are `label_issues`, and cleanlab with the probabilities of a cross-validation.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from frankboost import SoftMarginClassifier, label_issues
from frankboost.datasets import Dataset
from frankboost.typing import Flags, Floats
from studies import sets
from studies.labels.noise import Labels, add_noise
from studies.running.outcome import LabelScore
from studies.running.trial import Trial

TRAINING_SHARE = 0.7  # the largest share of the rows whose labels are searched; the others are test rows
BUILT_IN = ("twonorm", "ringnorm", "waveform", "wisconsin", "digits", "wine")
WARM_UP_ROWS = 60
FOLDS, TREES = 5, 200
OURS = "label_issues"

QualityAndFlags = tuple[Floats, Flags]


@dataclass(frozen=True, eq=False)
class Finder:
    """A method that finds wrong labels.

    `find` returns the quality of each label, and which labels are flagged. `packages` must be importable.
    """

    find: Callable[[Floats, Labels], QualityAndFlags]
    packages: tuple[str, ...]


def _ours(X: Floats, y: Labels) -> QualityAndFlags:
    issues = label_issues(X, y)
    return issues.label_quality, issues.is_label_issue


def _cleanlab(make: Callable[[], Any], X: Floats, y: Labels) -> QualityAndFlags:
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    probabilities = cross_val_predict(make(), X, y, cv=folds, method="predict_proba")
    flags = import_module("cleanlab.filter").find_label_issues(y, probabilities, n_jobs=1)
    return import_module("cleanlab.rank").get_label_quality_scores(y, probabilities), np.asarray(flags)


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


def score_trial(trial: Trial, folder: Path | None) -> LabelScore:
    """Change labels, find them, and drop the flagged rows; all scores are about the true labels."""
    rng = np.random.default_rng([trial.seed, *trial.dataset.encode(), *trial.noise.encode()])
    X, y, X_test, y_test = _split_rows(trial, folder, rng)
    given = add_noise(trial.noise, y, X, (X_test, y_test), rng)
    finder = FINDERS[trial.algorithm]
    # A first call loads the modules that are loaded on first use, so that their time is not measured.
    finder.find(X[:WARM_UP_ROWS], np.arange(WARM_UP_ROWS) % 2)
    start = time.process_time()
    quality, flags = finder.find(X, given)
    seconds = time.process_time() - start
    wrong = given != y
    found, count = int((flags & wrong).sum()), int(wrong.sum())
    right = ~wrong & (bayes_labels(trial.dataset, X) == y)
    cleaned = [
        _error(X[kept], given[kept], X_test, y_test) for kept in (~flags, ~np.zeros_like(flags), ~wrong)
    ]
    return LabelScore(
        m=len(y),
        wrong=count,
        flagged=int(flags.sum()),
        found=found,
        average_precision=float(average_precision_score(wrong, -quality)) if count else None,
        at_k=float(wrong[np.argsort(quality, kind="stable")[:count]].mean()) if count else None,
        flagged_right=float(flags[right].mean()) if right.any() else None,
        cleaned_error=cleaned[0],
        dirty_error=cleaned[1],
        clean_error=cleaned[2],
        seconds=seconds,
    )


def _split_rows(
    trial: Trial, folder: Path | None, rng: np.random.Generator
) -> tuple[Floats, Labels, Floats, Labels]:
    """Training rows and test rows, with labels from 0."""
    train_rows, test_rows = trial.train_rows or 1, trial.test_rows or 1
    X, y = _load_rows(trial, folder, train_rows + test_rows)
    order = rng.permutation(len(y))
    count = min(train_rows, round(TRAINING_SHARE * len(y)))
    train, test = order[:count], order[count : count + test_rows]
    return X[train], y[train], X[test], y[test]


def _load_rows(trial: Trial, folder: Path | None, rows: int) -> tuple[Floats, Labels]:
    """All rows of the data set of a trial; `rows` is the size of a set that is made."""
    if trial.dataset in ("digits", "wine"):
        X, y = {"digits": load_digits, "wine": load_wine}[trial.dataset](return_X_y=True)
        return X.astype(np.float64), y.astype(np.intp)
    if trial.dataset in BUILT_IN:
        found: Dataset | sets.LabelledRows = sets.make_set(trial.dataset, rows, trial.seed)
    elif folder is None:
        raise ValueError(f"{trial.key} needs a folder")
    else:
        found = sets.read(sets.find(folder)[trial.dataset])
    return found.X.astype(np.float64), (found.y > 0).astype(np.intp)


def bayes_labels(name: str, X: Floats) -> Labels:
    """The most probable labels if the distribution of the rows is known, and otherwise -1."""
    a = 2.0 / np.sqrt(X.shape[1])
    if name == "twonorm":
        return np.asarray(X.sum(axis=1) > 0.0, dtype=np.intp)
    if name == "ringnorm":  # N(0, 4I) against N(a, I)
        wide = -(X**2).sum(axis=1) / 8.0 - X.shape[1] * np.log(2.0)
        return np.asarray(wide > -((X - a) ** 2).sum(axis=1) / 2.0, dtype=np.intp)
    return np.full(len(X), -1)


def _error(X: Floats, y: Labels, X_test: Floats, y_test: Labels) -> float:
    clf = HistGradientBoostingClassifier(random_state=0).fit(X, y)
    return float((clf.predict(X_test) != y_test).mean())
