"""Time and interrupts within a linear program: what was there before is the ensemble."""

import signal
from threading import Event
from types import SimpleNamespace

import highspy
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from frankboost import LPBoostClassifier, SoftMarginClassifier
from frankboost.fitting import run
from frankboost.learners.columns import Columns
from frankboost.rooms.room import Room
from games import problem, random_signs

DATA = problem(30, 2, seed=1)


@pytest.fixture
def within(monkeypatch):
    """Calls a function while the n-th linear program is solved, which takes until then; counts them."""
    held = Event()

    def install(n, action):
        count = SimpleNamespace(begun=0, ended=0, done=False)
        run, stopped = highspy.Highs.run, Room.stopped

        def counted(solver):
            count.begun += 1
            if count.begun == n:
                held.wait(60.0)
            status = run(solver)
            count.ended += 1
            return status

        def question(room):
            if count.begun == n and not count.done:
                count.done = True
                action()
            return stopped(room)

        monkeypatch.setattr(highspy.Highs, "run", counted)
        monkeypatch.setattr(Room, "stopped", question)
        return count

    yield install
    held.set()


@pytest.fixture
def pass_time(monkeypatch):
    """Makes an hour pass on the clock of fits."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(run, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    return lambda: setattr(clock, "now", clock.now + 3600.0)


def interrupt():
    signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore:time_limit=60")
def test_a_crossover_out_of_time_leaves_what_was_there(within, pass_time):
    count = within(1, pass_time)
    clf = SoftMarginClassifier(0.3, 1e-9, time_limit=60).fit(DATA.X, DATA.y)
    assert (count.begun, count.ended) == (1, 0)
    assert clf.certificate_.status == "time_limit"
    assert 1e-9 < clf.certificate_.gap <= 1e-4
    assert "crossover" not in clf.trace_["rule"]


def test_a_crossover_that_is_interrupted_leaves_what_was_there(within):
    count = within(1, interrupt)
    clf = SoftMarginClassifier(0.3, 1e-9)
    with pytest.warns(ConvergenceWarning, match="was interrupted at a gap of"):
        clf.fit(DATA.X, DATA.y)
    assert (count.begun, count.ended) == (1, 0)
    assert clf.certificate_.status == "interrupted"
    assert 1e-9 < clf.certificate_.gap <= 1e-4


@pytest.mark.filterwarnings("ignore:time_limit=60", "ignore:the fit was interrupted")
@pytest.mark.parametrize("how", ["time_limit", "interrupted"])
def test_lpboost_is_left_within_its_fourth_linear_program(how, within, pass_time):
    count = within(4, pass_time if how == "time_limit" else interrupt)
    clf = LPBoostClassifier(0.1, 1e-9, time_limit=60).fit(DATA.X, DATA.y)
    assert (count.begun, count.ended, clf.n_iter_) == (4, 3, 3)
    assert clf.certificate_.status == how
    assert clf.certificate_.gap > 1e-3


@pytest.mark.filterwarnings("ignore:time_limit=60")
def test_a_first_linear_program_out_of_time_leaves_the_best_hypothesis(within, pass_time):
    """Fifty columns come at once; the best of them is what there is before the program is solved."""
    y = np.where(np.arange(60) % 2, 1, -1)
    H = y[:, None] * random_signs(60, 50, seed=0)
    within(1, pass_time)
    clf = LPBoostClassifier(0.3, 1e-9, time_limit=60, estimator=Columns(H, columns_per_round=50)).fit(
        np.arange(60.0)[:, None], y
    )
    assert (clf.certificate_.status, clf.n_iter_) == ("time_limit", 1)
    assert len(clf.estimators_) == 1
    assert clf.trace_[-1].hypotheses == 50
