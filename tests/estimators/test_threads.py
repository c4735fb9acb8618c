"""BLAS has one thread while fits run, and its own number again after the last of them."""

from threading import Event, Thread

import numpy as np
import pytest
from threadpoolctl import OpenBLASController, threadpool_info, threadpool_limits

from frankboost import LPBoostClassifier
from frankboost.estimators.threads import one_blas_thread


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
