"""One trial of a contestant: a fit to the training rows of a split, and its scores on the test rows."""

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
from studies.accuracy.contestants import RIVALS, Contestant, Training, parse_classifier, to_form
from studies.running.outcome import Score
from studies.running.trial import Trial

WARM_UP_ROWS = 60  # of a first fit that is not timed
BINS = 10
Labels = NDArray[np.intp]  # from 0


def score_trial(trial: Trial, folder: Path | None) -> Score:
    """Fit a contestant, and compute its scores."""
    if folder is None or trial.train_rows is None or trial.test_rows is None or trial.split is None:
        raise ValueError(f"{trial.key} needs a folder, a split and its numbers of rows")
    model = RIVALS.get(trial.algorithm) or parse_classifier(trial.algorithm)
    data = sets.read(sets.find(folder)[trial.dataset])
    rows, aside = sets.split_rows(data, trial.split, trial.train_rows, trial.test_rows)
    _warm_up(model, trial.threads)
    training, X_test = (to_form(data, part, model.form) for part in (rows, aside))
    classes, codes = np.unique(data.y, return_inverse=True)
    y, y_test = codes[rows], codes[aside]
    given = Training(training, y.astype(np.int64), list(data.categorical), trial.threads, trial.split)
    start = time.perf_counter()
    clf = model.fit(given)
    fitted = time.perf_counter()
    labels = np.asarray(clf.predict(X_test)).ravel()  # CatBoost returns a column if there are many classes
    predicted = time.perf_counter()
    probabilities = np.zeros((len(aside), len(classes)))  # 0 for a class that no training row has
    probabilities[:, np.asarray(clf.classes_, dtype=np.intp)] = clf.predict_proba(X_test)
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
        **probability_scores(y_test, probabilities, rare=int(shares.argmin())),
    )


def probability_scores(y: Labels, probabilities: Floats, rare: int) -> dict[str, Any]:
    """The scores of probabilities, one column per class; the average precision is that of the class `rare`.

    The Brier score is the mean over the rows of half the squared distance between the probabilities and the
    vector that is 1 for the class of the row and 0 for the other classes. For two classes this is the mean of
    (p - y)^2.
    """
    count = probabilities.shape[1]
    has_ranking = count == len(np.unique(y)) == 2
    wrong = probabilities - np.eye(count)[y]
    precision = average_precision_score(y == rare, probabilities[:, rare]) if has_ranking else None
    return {
        "log_loss": float(log_loss(y, probabilities, labels=range(count))),
        "auc": float(roc_auc_score(y, probabilities[:, 1])) if has_ranking else None,
        "average_precision": None if precision is None else float(precision),
        "brier": float(np.square(wrong).sum(axis=1).mean() / 2.0),
        "calibration_error": calibration_error(y, probabilities),
    }


def calibration_error(y: Labels, probabilities: Floats) -> float:
    """The expected calibration error in 10 bins of equal counts, as a mean over the classes.

    For each class, rows are put into bins by the rank of their probability, and rows of equal probability
    into one bin. The error of a row is the distance, in its bin, between the mean probability and the share
    of rows of the class. The result is the mean over the rows.
    """
    errors = []
    for k, p in enumerate(probabilities.T):
        bins = ((rankdata(p) - 0.5) * BINS / len(p)).astype(np.intp)
        errors.append(np.abs(np.bincount(bins, p - (y == k))).sum() / len(p))
    return float(np.mean(errors))


def _warm_up(model: Contestant, threads: int) -> None:
    """Make a small fit, which loads modules that are loaded on first use, so that their time is not
    measured."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(WARM_UP_ROWS, 2))
    y = (X[:, 0] + rng.normal(size=WARM_UP_ROWS) > 0).astype(np.int64)
    rows = to_form(sets.LabelledRows(X, y), np.arange(WARM_UP_ROWS), model.form)
    model.fit(Training(rows, y, [], threads, 0))
