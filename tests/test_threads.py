"""Threads: how many there are, and work on them."""

import threading

import pytest
from joblib import Parallel, delayed, effective_n_jobs

from frankboost.threads import mapped, threads_for


@pytest.mark.parametrize(("allowed", "most"), [("1", 1), ("2", 2), ("", 10**6), ("many", 10**6), ("0", 1)])
def test_all_processors_are_no_more_than_the_environment_allows(allowed, most, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", allowed)
    assert threads_for(-1) == min(effective_n_jobs(-1), most)
    assert threads_for(3) == 3
    assert threads_for(None) == 1


def test_workers_of_joblib_share_the_processors():
    processors = effective_n_jobs(-1)
    counts = Parallel(n_jobs=processors)(delayed(threads_for)(-1) for _ in range(processors))
    assert counts == [1] * processors


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_answers_come_in_the_order_of_the_items(threads):
    assert mapped(lambda k: k * k, iter(range(20)), threads) == [k * k for k in range(20)]


def test_errors_are_raised_again():
    def work(k):
        if k == 3:
            raise ValueError("three")

    with pytest.raises(ValueError, match="three"):
        mapped(work, range(5), 2)


def test_it_works_where_the_system_grants_no_threads(monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert mapped(str, [1, 2], 2) == ["1", "2"]
