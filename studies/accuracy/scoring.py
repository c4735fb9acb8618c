"""One trial of a contestant: fitted to the training rows of a split, and tested on the others."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

from studies import sets
from studies.accuracy.contestants import RIVALS, Contestant, Training, formed, ours
from studies.running.outcome import Score
from studies.running.trial import Trial

TINY = 60  # rows of the fit that is not timed


def scored(trial: Trial, folder: Path | None) -> Score:
    """Fit and test; the classes are 0 and 1."""
    if folder is None or trial.train_rows is None or trial.test_rows is None or trial.split is None:
        raise ValueError(f"{trial.key} needs a folder, a split and its numbers of rows")
    model = RIVALS.get(trial.algorithm) or ours(trial.algorithm)
    data = sets.read(sets.find(folder)[trial.dataset])
    rows, aside = sets.split_rows(data, trial.split, trial.train_rows, trial.test_rows)
    _warm_up(model, trial.threads)
    training, X_test = (formed(data, part, model.form) for part in (rows, aside))
    y, y_test = (data.y[part] > 0 for part in (rows, aside))
    given = Training(training, y.astype(np.int64), list(data.categorical), trial.threads, trial.split)
    start = time.perf_counter()
    clf = model.fit(given)
    fitted = time.perf_counter()
    labels = np.asarray(clf.predict(X_test))
    predicted = time.perf_counter()
    chances = clf.predict_proba(X_test)[:, 1].astype(np.float64)
    return Score(
        m=len(rows),
        n_features=data.X.shape[1],
        m_test=len(aside),
        test_error=float(np.mean(labels != y_test)),
        auc=float(roc_auc_score(y_test, chances)),
        log_loss=float(log_loss(y_test, chances, labels=[0, 1])),
        fit_seconds=fitted - start,
        predict_seconds=predicted - fitted,
        trees=model.trees(clf),
    )


def _warm_up(model: Contestant, threads: int) -> None:
    """Load what is only loaded when it is first used, so that no fit is charged for it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(TINY, 2))
    y = (X[:, 0] + rng.normal(size=TINY) > 0).astype(np.int64)
    tiny = formed(sets.LabelledRows(X, y), np.arange(TINY), model.form)
    model.fit(Training(tiny, y, [], threads, 0))
