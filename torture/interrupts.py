"""SIGINT at a random moment of a fit: the fit ends early and whole, or the estimator is as before."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import frankboost as fb
from torture.kind import Failure, Skipped, Tried, require
from torture.samples import check, digest, sample


def attempt(seed: int) -> Tried:
    """One fit, interrupted."""
    if threading.current_thread() is not threading.main_thread():
        raise Skipped("signals reach the main thread alone")
    rng = np.random.default_rng([13, seed])
    X, y = sample(int(rng.integers(50, 400)), seed=seed)
    model = fb.SoftMarginClassifier(0.3, 0.05, max_depth=1).fit(X, y)
    before = digest(model)
    tol = float(rng.choice([1e-4, 1e-9]))  # the smaller one ends with linear programs
    model.set_params(nu=0.1, tol=tol, max_depth=2, n_jobs=int(rng.integers(1, 3)))
    try:
        ended = _interrupted(model, X, y, float(rng.uniform(0.0, 0.3)))
        if ended == "KeyboardInterrupt":
            require(digest(model) == before, "interrupted, and the estimator has changed")
            return Tried({ended: 1})
        check(model, X, y)
        require(model.certificate_.nu == 0.1, "no error, and the certificate is the old one")
        return Tried({model.certificate_.status: 1})
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}") from error


def _interrupted(model: Any, X: Any, y: Any, after: float) -> str:
    done = threading.Event()

    def interrupt() -> None:
        if not done.wait(after):
            os.kill(os.getpid(), signal.SIGINT)

    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    try:
        thread.start()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, y)
        done.set()
        return "fitted"
    except KeyboardInterrupt:
        # After the last line of the fit the estimator is whole, and rightly so.
        return "fitted" if model.certificate_.nu == model.nu else "KeyboardInterrupt"
    finally:
        done.set()
        thread.join()
        signal.signal(signal.SIGINT, old)
