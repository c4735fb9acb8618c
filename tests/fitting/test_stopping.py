"""When a gap counts as closed."""

from types import SimpleNamespace

from frankboost.fitting.run import ProvedGap, SmoothedGap


def state(**changes):
    facts = {"gap": 0.5, "bound": 0.6, "smoothed": 0.1, "best_weights": None}
    return SimpleNamespace(**{**facts, **changes})


def room(soft_margin):
    """One in which this is proved."""
    return SimpleNamespace(bound=0.6, proved_soft_margin=lambda weights: soft_margin)


def test_reasons():
    assert ProvedGap(0.1, room(0.1))(state()) is None
    assert ProvedGap(0.5, room(0.1))(state()) == "optimal"
    assert ProvedGap(0.1, room(1.6))(state(gap=-1.0)) == "optimal"


def test_what_is_proved_counts():
    assert ProvedGap(0.5, room(0.1))(state()) == "optimal"
    assert ProvedGap(0.5, room(0.0999))(state()) is None
    assert ProvedGap(0.4, room(0.5))(state()) is None


def test_the_papers_own_test():
    assert SmoothedGap(0.9, room(0.1))(state()) is None
    assert SmoothedGap(1.1, room(0.1))(state()) == "optimal"
    assert SmoothedGap(1.1, room(-0.9))(state()) is None
