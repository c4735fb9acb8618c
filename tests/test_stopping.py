"""Each stopping rule, and which one speaks first."""

import time
from types import SimpleNamespace

from frankboost.stopping import MaxIter, ProvedGap, SmoothedGap, Stalled, TimeLimit, first_reason


def state(**changes):
    facts = {"round": 3, "gap": 0.5, "bound": 0.6, "smoothed": 0.1, "best_weights": None, "stalled": False}
    return SimpleNamespace(**{**facts, **changes})


def room(soft_margin):
    """One in which this is proved."""
    return SimpleNamespace(bound=0.6, proved=lambda weights: soft_margin)


def test_reasons():
    assert ProvedGap(0.1, room(0.1))(state()) is None
    assert ProvedGap(0.5, room(0.1))(state()) == "optimal"
    assert ProvedGap(0.1, room(1.6))(state(gap=-1.0)) == "optimal"
    assert Stalled()(state()) is None
    assert Stalled()(state(stalled=True)) == "stalled"
    assert MaxIter(4)(state()) is None
    assert MaxIter(3)(state()) == "max_iter"
    assert TimeLimit(60.0)(state()) is None
    assert TimeLimit(1.0, time.perf_counter() - 2.0)(state()) == "time_limit"


def test_what_is_proved_counts():
    assert ProvedGap(0.5, room(0.1))(state()) == "optimal"
    assert ProvedGap(0.5, room(0.0999))(state()) is None
    assert ProvedGap(0.4, room(0.5))(state()) is None


def test_the_papers_own_test():
    assert SmoothedGap(0.9, room(0.1))(state()) is None
    assert SmoothedGap(1.1, room(0.1))(state()) == "optimal"
    assert SmoothedGap(1.1, room(-0.9))(state()) is None


def test_the_first_reason_counts():
    stops = [ProvedGap(0.1, room(0.6)), Stalled(), MaxIter(3), TimeLimit(1.0, time.perf_counter() - 2.0)]
    assert first_reason(stops, state()) == "max_iter"
    assert first_reason(stops, state(gap=0.0, stalled=True)) == "optimal"
    assert first_reason(stops[:2], state()) is None
