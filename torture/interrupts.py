"""Ctrl-C in a fit, at a random moment or line: the fit ends early and whole, or changes nothing.

In either case BLAS has the threads that it had.
"""

from __future__ import annotations

import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.random import Generator
from threadpoolctl import threadpool_limits

import frankboost as fb
from torture.kind import Failure, Skipped, Tried, require
from torture.samples import blas_threads, check, digest, sample

HERE = str(Path(fb.__file__).parent)
LINES = 8  # of one seed
ASKED: dict[str, dict[str, Any]] = {
    "nu given": {"nu": 0.1},
    "nu auto": {"nu": "auto"},
    "calibration": {"nu": 0.1, "calibration": 2},
}
Trace = Callable[[FrameType, str, Any], Any]


def attempt(seed: int) -> Tried:
    """One fit that a timer interrupts, or some that are interrupted at lines."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        raise Skipped("signals reach the main thread alone, and a timer has to send them")
    rng, tried = np.random.default_rng([13, seed]), Tried()
    with threadpool_limits(2, user_api="blas"), warnings.catch_warnings():  # so that one thread is a change
        warnings.simplefilter("ignore")
        try:
            if rng.random() < 0.5:
                tried[_after_a_while(rng, seed)] += 1
            else:
                tried += _at_lines(rng, seed)
        except Failure:
            raise
        except Exception as error:
            raise Failure(f"{type(error).__name__}: {error}") from error
    return tried


def _after_a_while(rng: Generator, seed: int) -> str:
    X, y = sample(int(rng.integers(50, 400)), seed=seed)
    tol = float(rng.choice([1e-4, 1e-9]))  # the smaller one ends with linear programs
    model = _estimator(rng, X, y, tol=tol, n_jobs=int(rng.integers(1, 3)))
    after, times = float(rng.uniform(0.0, 0.3)), int(rng.integers(1, 3))
    return _held(model, X, y, lambda: _timed(model, X, y, after, times), f"{times} times from {after:g} s on")


def _at_lines(rng: Generator, seed: int) -> Tried:
    X, y = sample(30, 2, seed=seed)
    model = _estimator(rng, X, y, tol=0.01, max_iter=3)
    lines, tried = _lines_of(lambda: model.fit(X, y)), Tried()
    careful = [file for file in lines if "finally:" in Path(HERE + file).read_text()]  # which clean up
    for k in range(LINES):
        model.set_params(tol=model.tol * 0.9)
        files = careful if k % 2 else list(lines)
        file = files[rng.integers(len(files))]
        place = file, sorted(lines[file])[rng.integers(len(lines[file]))]
        tried[_held(model, X, y, lambda place=place: _stopped(model, X, y, place), f"at {place}")] += 1  # type: ignore[misc]
    return tried


def _held(model: Any, X: Any, y: Any, fit: Callable[[], object], when: str) -> str:
    """Fit with an interrupt, and check what is left; the result is how the fit ended."""
    before, threads, told = digest(model), blas_threads(), f"{model}, interrupted {when}"
    whole = False
    with suppress(KeyboardInterrupt):
        fit()
        whole = True
    require(blas_threads() == threads, f"{told}: BLAS had {threads} threads and has {blas_threads()}")
    if model.certificate_.tol != model.tol:
        require(not whole, f"{told}: no error, and the certificate is the old one")
        require(digest(model) == before, f"{told}: the estimator has changed")
        return "as before"
    check(model, X, y)
    return str(model.certificate_.status)


def _estimator(rng: Generator, X: Any, y: Any, *, tol: float, **settings: Any) -> Any:
    """A fitted estimator, with other settings for its next fit."""
    if rng.random() < 0.25:
        cv = fb.SoftMarginClassifierCV([0.2, 0.4], cv=2, tol=0.05, **settings).fit(X, y)
        return cv.set_params(tol=tol)
    asked = ASKED[list(ASKED)[rng.integers(len(ASKED))]]
    model = fb.SoftMarginClassifier(0.3, 0.05, max_depth=1, **settings).fit(X, y)
    return model.set_params(max_depth=2, tol=tol, **asked)


def _timed(model: Any, X: Any, y: Any, after: float, times: int) -> None:
    """Fit, and interrupt after some seconds, and again at once."""
    left = times

    def interrupt(_: int, frame: FrameType | None) -> None:
        nonlocal left
        left -= 1
        if left >= 0 and frame is not None and frame.f_code is not _timed.__code__:
            raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(after, 1e-6), 0.002)
        model.fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, old)


def _lines_of(work: Callable[[], object]) -> dict[str, set[int]]:
    """The lines of ours that something runs, by file."""
    lines: dict[str, set[int]] = {}
    with _traced(lambda file, line: lines.setdefault(file, set()).add(line)):
        work()
    return lines


def _stopped(model: Any, X: Any, y: Any, place: tuple[str, int]) -> None:
    """Fit, and interrupt as a line is about to run for the first time."""

    def look(*at: object) -> None:
        if at == place:
            raise KeyboardInterrupt

    with _traced(look):
        model.fit(X, y)


@contextmanager
def _traced(look: Callable[[str, int], object]) -> Any:
    """While this is open, every line of ours in this thread is looked at before it runs."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        if not file.startswith(HERE):
            return None
        if event == "line":
            look(file.removeprefix(HERE), frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
