"""Rules whose steps may take long ask the room whether to stop, and propose what they have."""

import signal
from threading import Event

import highspy
import numpy as np
import pytest

import reference
from frankboost.rules.base import Position
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.level import Level
from frankboost.rules.linear_program import InOut, LinearProgram
from games import random_signs, scripted_room

M, T = 60, 30
HERE = np.eye(T)[0]
RULES = [LinearProgram(), InOut(), FullyCorrective(), Level(1e-4)]


def begun(rule, stop):
    """A room with all columns of a game, a step of the rule, and where it is called first."""
    A = random_signs(M, T, seed=0)
    room = scripted_room(lambda u: A.T, np.ones(M), 0.3, eta=80.0)
    at = Position(1, HERE, None, room.ask().edges, 0)
    room.stop = stop
    return room, A, rule.start(room), at


def times(count, then):
    """No, so many times; then what the function says. What is noted has one entry per call."""
    noted = []

    def stop():
        noted.append(None)
        return len(noted) > count and then()

    return stop, noted


@pytest.fixture
def stuck(monkeypatch):
    """A HiGHS that does not come to the end of an iteration before it is let go, nor asks in it."""
    let_go, run = Event(), highspy.Highs.run

    def wait_and_run(self):
        assert let_go.wait(60)
        return run(self)

    monkeypatch.setattr(highspy.Highs, "run", wait_and_run)
    yield let_go
    let_go.set()


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_rule_asks_more_than_once(rule):
    stop, noted = times(10**9, bool)
    _, _, step, at = begun(rule, stop)
    step(at)
    assert len(noted) >= (T if rule in RULES[:2] else 3)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_what_a_rule_has_at_once_are_the_weights_that_it_was_given(rule):
    room, _, step, at = begun(rule, lambda: True)
    proposal = step(at)
    assert proposal.at.multipliers.tolist() == HERE.tolist()
    assert np.isfinite(room.ask(proposal.ask or proposal.at).edges).all()


@pytest.mark.parametrize("count", [0, 5, T - 1])  # it is asked for each column
@pytest.mark.parametrize("rule", RULES[:2], ids=repr)
def test_a_linear_program_that_was_stopped_goes_on_when_it_is_asked_again(rule, count):
    room, A, step, at = begun(rule, times(count, lambda: True)[0])
    assert step(at).at.multipliers.tolist() == HERE.tolist()
    room.stop = None
    assert step(at).at.soft_margin() == pytest.approx(reference.game_value(A, room.caps), abs=1e-7)


@pytest.mark.parametrize("rule", RULES[:2], ids=repr)
def test_an_iteration_of_a_linear_program_is_not_waited_for(rule, stuck):
    room, A, step, at = begun(rule, times(T + 2, lambda: True)[0])
    assert step(at).at.multipliers.tolist() == HERE.tolist()
    assert not stuck.is_set()
    stuck.set()
    room.stop = None
    assert step(at).at.soft_margin() == pytest.approx(reference.game_value(A, room.caps), abs=1e-7)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_an_interrupt_leaves_the_step_where_it_is(rule, stuck):
    count = T + 2 if rule in RULES[:2] else 2
    stop, noted = times(count, lambda: signal.raise_signal(signal.SIGINT))
    room, A, step, at = begun(rule, stop)
    with pytest.raises(KeyboardInterrupt):
        step(at)
    assert len(noted) == count + 1
    if rule in RULES[:2]:
        stuck.set()
        room.stop = None
        assert step(at).at.soft_margin() == pytest.approx(reference.game_value(A, room.caps), abs=1e-7)
