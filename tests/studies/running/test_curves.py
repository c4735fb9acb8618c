"""Curves are thin and whole, and their clock counts work alone."""

import time

import pytest

from studies.running.curves import MOST_POINTS, CpuClock, thin_rounds


@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 1000, 100_000])
def test_thinned_keeps_first_and_last(length):
    kept = list(thin_rounds(length))
    assert kept == sorted(set(kept))
    assert (kept[0], kept[-1]) == (0, length - 1)
    assert len(kept) <= MOST_POINTS


def test_the_clock_counts_work_and_not_waiting():
    clock = CpuClock(0.05)
    time.sleep(0.1)
    assert not clock(None)
    while clock.seconds() < 0.05:
        pass
    assert clock(None)
