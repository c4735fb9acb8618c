"""One trial of a contestant: fitted to the training rows of a split, and tested on the others."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

from frankboost.typing import Floats
from studies import sets
from studies.accuracy.contestants import RIVALS, Contestant, Training, formed, ours
from studies.running.outcome import Score
from studies.running.trial import Trial

TINY = 60  # rows of the fit that is not timed
BINS = 10
Labels = NDArray[np.intp]  # from 0


def scored(trial: Trial, folder: Path | None) -> Score:
    """Fit and test."""
    if folder is None or trial.train_rows is None or trial.test_rows is None or trial.split is None:
        raise ValueError(f"{trial.key} needs a folder, a split and its numbers of rows")
    model = RIVALS.get(trial.algorithm) or ours(trial.algorithm)
    data = sets.read(sets.find(folder)[trial.dataset])
    rows, aside = sets.split_rows(data, trial.split, trial.train_rows, trial.test_rows)
    _warm_up(model, trial.threads)
    training, X_test = (formed(data, part, model.form) for part in (rows, aside))
    classes, codes = np.unique(data.y, return_inverse=True)
    y, y_test = codes[rows], codes[aside]
    given = Training(training, y.astype(np.int64), list(data.categorical), trial.threads, trial.split)
    start = time.perf_counter()
    clf = model.fit(given)
    fitted = time.perf_counter()
    labels = np.asarray(clf.predict(X_test)).ravel()  # CatBoost's are a column where classes are many
    predicted = time.perf_counter()
    chances = np.zeros((len(aside), len(classes)))  # 0 for a class that no training row has
    chances[:, np.asarray(clf.classes_, dtype=np.intp)] = clf.predict_proba(X_test)
    shares = np.bincount(y, minlength=len(classes)) / len(y)
    return Score(
        m=len(rows),
        n_features=data.X.shape[1],
        m_test=len(aside),
        test_error=float(np.mean(labels != y_test)),
        fit_seconds=fitted - start,
        predict_seconds=predicted - fitted,
        trees=model.trees(clf) if len(classes) == 2 else None,
        classes=len(classes),
        rarest=float(shares.min()),
        **probability_scores(y_test, chances, rare=int(shares.argmin())),
    )


def probability_scores(y: Labels, chances: Floats, rare: int) -> dict[str, Any]:
    """Scores of the probabilities, a column for each class; the average precision is that of `rare`.

    The Brier score is the mean over the rows of half the squared distance between the probabilities and 1 for
    the class of the row and 0 for the others. For two classes it is the mean of (p - y)^2.
    """
    count = chances.shape[1]
    ranked = count == len(np.unique(y)) == 2
    wrong = chances - np.eye(count)[y]
    return {
        "log_loss": float(log_loss(y, chances, labels=range(count))),
        "auc": float(roc_auc_score(y, chances[:, 1])) if ranked else None,
        "average_precision": float(average_precision_score(y == rare, chances[:, rare])) if ranked else None,
        "brier": float(np.square(wrong).sum(axis=1).mean() / 2.0),
        "calibration_error": calibration_error(y, chances),
    }


def calibration_error(y: Labels, chances: Floats) -> float:
    """The expected calibration error in 10 bins of equal counts, a mean over the classes.

    For each class, the rows fall into bins by the rank of its probability, and rows of equal probability into
    one bin. The error is the mean over the rows of the distance, in the bin of the row, between the mean
    probability and the share of rows of the class.
    """
    errors = []
    for k, p in enumerate(chances.T):
        bins = ((rankdata(p) - 0.5) * BINS / len(p)).astype(np.intp)
        errors.append(np.abs(np.bincount(bins, p - (y == k))).sum() / len(p))
    return float(np.mean(errors))


def _warm_up(model: Contestant, threads: int) -> None:
    """Load what is only loaded when it is first used, so that no fit is charged for it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(TINY, 2))
    y = (X[:, 0] + rng.normal(size=TINY) > 0).astype(np.int64)
    tiny = formed(sets.LabelledRows(X, y), np.arange(TINY), model.form)
    model.fit(Training(tiny, y, [], threads, 0))
