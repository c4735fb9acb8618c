"""Rules whose steps may take long ask the room whether to stop, and propose what they have."""

import signal

import numpy as np
import pytest

import reference
from frankboost.rules.base import Position
from frankboost.rules.fully_corrective import FullyCorrective
from frankboost.rules.in_out import InOut
from frankboost.rules.level import Level
from frankboost.rules.linear_program import LinearProgram
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


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_rule_asks_more_than_once(rule):
    stop, noted = times(10**9, bool)
    _, _, step, at = begun(rule, stop)
    step(at)
    assert len(noted) > (T + 5 if rule in RULES[:2] else 2)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_what_a_rule_has_at_once_are_the_weights_that_it_was_given(rule):
    room, _, step, at = begun(rule, lambda: True)
    proposal = step(at)
    assert proposal.at.multipliers.tolist() == HERE.tolist()
    assert np.isfinite(room.ask(proposal.ask or proposal.at).edges).all()


@pytest.mark.parametrize("count", [0, 5, T + 5])  # it is asked for each column, and for each iteration
@pytest.mark.parametrize("rule", RULES[:2], ids=repr)
def test_a_linear_program_that_was_stopped_goes_on_when_it_is_asked_again(rule, count):
    room, A, step, at = begun(rule, times(count, lambda: True)[0])
    assert step(at).at.multipliers.tolist() == HERE.tolist()
    room.stop = None
    assert step(at).at.soft_margin() == pytest.approx(reference.game_value(A, room.caps), abs=1e-7)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_an_interrupt_leaves_the_step_where_it_is(rule):
    count = T + 5 if rule in RULES[:2] else 2
    stop, noted = times(count, lambda: signal.raise_signal(signal.SIGINT))
    _, _, step, at = begun(rule, stop)
    with pytest.raises(KeyboardInterrupt):
        step(at)
    assert len(noted) == count + 1


def test_a_linear_program_left_within_an_iteration_is_not_run_again():
    """HiGHS crashes if it is."""
    room, _, step, at = begun(LinearProgram(), times(T + 5, lambda: 1 / 0)[0])
    with pytest.raises(ZeroDivisionError):
        step(at)
    room.stop = None
    with pytest.raises(AttributeError):
        step(at)
