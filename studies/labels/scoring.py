"""One trial: labels of a set turned wrong, found by one finder, and a model fitted to what is left.

The finders are ours, and cleanlab with the probabilities of a cross-validation.
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
from studies.labels.noise import Labels, turned
from studies.running.outcome import LabelScore
from studies.running.trial import Trial

SHARE = 0.7  # of the rows of a set, at most, that are looked at; the others test
MADE = ("twonorm", "ringnorm", "waveform", "wisconsin", "digits", "wine")
TINY = 60
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


def scored(trial: Trial, folder: Path | None) -> LabelScore:
    """Turn labels wrong, find them, and clean; all numbers are about the true labels."""
    rng = np.random.default_rng([trial.seed, *trial.dataset.encode(), *trial.noise.encode()])
    X, y, X_test, y_test = _rows(trial, folder, rng)
    given = turned(trial.noise, y, X, (X_test, y_test), rng)
    finder = FINDERS[trial.algorithm]
    finder.find(X[:TINY], np.arange(TINY) % 2)  # so that nobody is charged for loading
    start = time.process_time()
    quality, flags = finder.find(X, given)
    seconds = time.process_time() - start
    wrong = given != y
    found, count = int((flags & wrong).sum()), int(wrong.sum())
    right = ~wrong & (_bayes(trial.dataset, X) == y)
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


def _rows(
    trial: Trial, folder: Path | None, rng: np.random.Generator
) -> tuple[Floats, Labels, Floats, Labels]:
    """Rows to look at and rows to test on, with labels from 0."""
    most, aside = trial.train_rows or 1, trial.test_rows or 1
    X, y = _whole(trial, folder, most + aside)
    order = rng.permutation(len(y))
    count = min(most, round(SHARE * len(y)))
    rows, test = order[:count], order[count : count + aside]
    return X[rows], y[rows], X[test], y[test]


def _whole(trial: Trial, folder: Path | None, rows: int) -> tuple[Floats, Labels]:
    if trial.dataset in ("digits", "wine"):
        X, y = {"digits": load_digits, "wine": load_wine}[trial.dataset](return_X_y=True)
        return X.astype(np.float64), y.astype(np.intp)
    if trial.dataset in MADE:
        found: Dataset | sets.LabelledRows = sets.made_set(trial.dataset, rows, trial.seed)
    elif folder is None:
        raise ValueError(f"{trial.key} needs a folder")
    else:
        found = sets.read(sets.find(folder)[trial.dataset])
    return found.X.astype(np.float64), (found.y > 0).astype(np.intp)


def _bayes(name: str, X: Floats) -> Labels:
    """What the best of all rules says of rows whose distribution is known; else no label."""
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
