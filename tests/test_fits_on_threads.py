"""Fits side by side; BLAS has one thread while fits run, and its own number again after the last of them."""

import contextlib
import itertools
import linecache
import sys
from threading import Event, Thread

import numpy as np
import pytest
from threadpoolctl import OpenBLASController, threadpool_info, threadpool_limits

from frankboost import LPBoostClassifier, threads
from frankboost.threads import fit_each, one_blas_thread


def blas_threads():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    """Set by nobody who would stay in charge."""
    let_go = getattr(OpenBLASController, "clear_controlling_thread", lambda: None)
    limits = threadpool_limits(2, user_api="blas")
    let_go()
    if blas_threads() != {2}:
        pytest.skip("BLAS has no threads here")
    yield
    limits.restore_original_limits()
    let_go()


def test_the_limit_is_lifted():
    with one_blas_thread():
        assert blas_threads() == {1}
    assert blas_threads() == {2}
    with pytest.raises(KeyboardInterrupt), one_blas_thread():
        raise KeyboardInterrupt
    assert blas_threads() == {2}


def test_the_last_to_leave_lifts_it():
    first, second = one_blas_thread(), one_blas_thread()
    with first:
        second.__enter__()
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == {2}


def fit(callback):
    X = np.random.default_rng(0).random((40, 3))
    LPBoostClassifier(0.3, max_iter=1, callbacks=[callback]).fit(X, X[:, 0] > X[:, 1])


@pytest.mark.parametrize("lives_on", [False, True])
def test_fits_that_overlap(lives_on):
    began, begun, ended, tested = Event(), Event(), Event(), Event()
    seen = []

    def first(event):
        seen.append(blas_threads())
        began.set()
        begun.wait(60)

    def first_thread():
        fit(first)
        ended.set()
        tested.wait(60 if lives_on else 0)

    def second(event):
        begun.set()
        ended.wait(60)
        if not lives_on:
            thread.join()
        seen.append(blas_threads())

    thread = Thread(target=first_thread)
    thread.start()
    began.wait(60)
    fit(second)
    assert blas_threads() == {2}
    assert seen == [{1}, {1}]
    tested.set()
    thread.join()


def interrupted_at(number, call):
    """Call with Ctrl-C at the line of that number of the files; whether there was such a line.

    At the end of a `with` Python calls a lock's `__exit__` before it looks for signals: none arrives there.
    """
    files, lines, withs = (threads.__file__, contextlib.__file__), itertools.count(), set()

    def trace(frame, event, arg):
        file, line = frame.f_code.co_filename, frame.f_lineno
        if file not in files:
            return None
        if event != "line" or (frame, line) in withs:
            return trace
        if linecache.getline(file, line).strip().startswith("with "):
            withs.add((frame, line))
        if next(lines) == number:
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def test_an_interrupt_at_any_line_leaves_blas_as_it_was():
    def hold():
        with one_blas_thread():
            assert blas_threads() == {1}

    number = 0
    while interrupted_at(number, hold):
        assert blas_threads() == {2}, number
        other = Thread(target=hold)
        other.start()
        other.join(60)
        assert not other.is_alive(), number
        assert blas_threads() == {2}, number
        number += 1
    assert number > 30


@pytest.mark.parametrize("most", [0, 1, 2])
def test_fits_go_on_with_the_threads_that_there_are(most, monkeypatch):
    start, started = Thread.start, []

    def limited(thread):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(Thread, "start", limited)
    assert fit_each(lambda k, halt: k * k, 5, 3) == [0, 1, 4, 9, 16]
    assert len(started) <= most


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_first_error_is_raised(workers):
    def fit(k, halt):
        if k in (1, 3):
            raise LookupError(k)

    with pytest.raises(LookupError, match="1"):
        fit_each(fit, 5, workers)
