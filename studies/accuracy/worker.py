"""One trial, in a process of its own."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

from studies.accuracy import ours, rivals, sets, splits
from studies.accuracy.contestant import Contestant, Training, formed
from studies.accuracy.trial import Failure, Score, Trial

TINY = 60  # rows of the fit that is not timed


def work(trial: Trial, path: Path, connection: Connection) -> None:
    """Do a trial and send what came out."""
    os.setsid()  # a leader of its own, so that the processes it starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which ends its trials
    threading.Thread(target=_end_with_the_run, args=(connection,), daemon=True).start()
    warnings.simplefilter("ignore")
    try:
        connection.send(scored(trial, path))
    except Exception as error:  # a result like any other
        connection.send(Failure("error", f"{type(error).__name__}: {error}"))


def scored(trial: Trial, path: Path) -> Score:
    """Fit and test."""
    model = rivals.RIVALS.get(trial.model) or ours.contestant(trial.model)
    data = sets.read(path)
    rows, aside = splits.rows_of(data, trial.split, trial.train_rows, trial.test_rows)
    X_test, y_test = formed(data, aside, model.form), data.y[aside]
    given = Training(
        formed(data, rows, model.form), data.y[rows], data.categorical, trial.threads, trial.split
    )
    _warm_up(model, trial.threads)
    start = time.perf_counter()
    clf = model.fit(given)
    fitted = time.perf_counter()
    labels = np.asarray(clf.predict(X_test))
    predicted = time.perf_counter()
    chances = clf.predict_proba(X_test)[:, 1].astype(np.float64)
    return Score(
        m=len(rows),
        d=data.X.shape[1],
        m_test=len(aside),
        error=float(np.mean(labels != y_test)),
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
    tiny = sets.LabelledRows(X, y, [])
    model.fit(Training(formed(tiny, np.arange(TINY), model.form), y, [], threads, 0))


def _end_with_the_run(connection: Connection) -> None:
    """End when the other end is closed: the run has been killed."""
    try:
        connection.recv()
    except (EOFError, OSError):
        os._exit(1)
