"""Each stopping rule, and which one speaks first."""

import time
from types import SimpleNamespace

from frankboost.stopping import Gap, MaxIter, SmoothedGap, Stalled, TimeLimit, first_reason


def state(**changes):
    return SimpleNamespace(
        **{"round": 3, "gap": 0.5, "bound": 0.6, "smoothed": 0.1, "stalled": False, **changes}
    )


def test_reasons():
    assert Gap(0.1)(state()) is None
    assert Gap(0.5)(state()) == "optimal"
    assert Gap(0.1)(state(gap=-1.0)) == "optimal"
    assert SmoothedGap(0.9)(state()) is None
    assert SmoothedGap(1.1)(state()) == "optimal"
    assert Stalled()(state()) is None
    assert Stalled()(state(stalled=True)) == "stalled"
    assert MaxIter(4)(state()) is None
    assert MaxIter(3)(state()) == "max_iter"
    assert TimeLimit(60.0)(state()) is None
    assert TimeLimit(1.0, time.perf_counter() - 2.0)(state()) == "time_limit"


def test_the_first_reason_counts():
    stops = [Gap(0.1), Stalled(), MaxIter(3), TimeLimit(1.0, time.perf_counter() - 2.0)]
    assert first_reason(stops, state()) == "max_iter"
    assert first_reason(stops, state(gap=0.0, stalled=True)) == "optimal"
    assert first_reason(stops[:2], state()) is None
