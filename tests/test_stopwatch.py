"""A stopwatch wraps functions."""

import time

import pytest

from frankboost.stopwatch import Stopwatch


def test_a_stopwatch_counts_what_it_wraps_even_if_that_fails():
    watch = Stopwatch()

    @watch.timing
    def slow(fail):
        time.sleep(0.02)
        if fail:
            raise ZeroDivisionError
        return 7

    assert slow(False) == 7
    with pytest.raises(ZeroDivisionError):
        slow(True)
    assert watch.lap() >= 0.04
    assert watch.lap() == 0.0
