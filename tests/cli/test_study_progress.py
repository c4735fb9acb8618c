"""Progress of a study: counts, failures, the time left."""

import io
import math
from dataclasses import replace

import pytest

from frankboost.cli import study_progress
from frankboost.cli.study_progress import StudyProgress, TimeLeft, duration
from frankboost.experiments.outcome import Failure, Outcome
from frankboost.experiments.trial import Trial
from frankboost.progress import CLEAR
from report.runs import run

TRIAL = Trial("times", "banana", "LPB", 0.1)
TRIALS = [replace(TRIAL, nu=nu) for nu in (0.1, 0.2, 0.3, 0.4)]
FITTED = Outcome.from_json(run())


def done(trial):
    return replace(FITTED, trial=trial)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def now(monkeypatch):
    """A clock that is set by hand."""
    clock = [0.0]
    monkeypatch.setattr(study_progress.time, "monotonic", lambda: clock[0])
    return clock


def test_the_time_left_is_that_of_runs_alike():
    left = TimeLeft()
    assert math.isnan(left.of(TRIALS))
    left.note(TRIALS[0], 2.0)
    left.note(TRIALS[1], 4.0)
    slow = replace(TRIAL, algorithm="FW")
    left.note(slow, 30.0)
    assert left.of(TRIALS[2:]) == pytest.approx(6.0)
    assert left.of([TRIALS[2], slow]) == pytest.approx(33.0)
    assert left.of([replace(TRIAL, algorithm="PFW")]) == pytest.approx(12.0)  # the mean of all
    assert left.of([]) == 0.0


def test_lines_where_nothing_can_be_taken_back(now):
    stream = io.StringIO()
    progress = StudyProgress("times", stream)
    progress.begin(TRIALS, finished=4)
    for trial in TRIALS:
        progress.started(trial)
        now[0] += 40.0
        progress.wait()
        progress.ended(done(trial))
    progress.close()
    lines = stream.getvalue().splitlines()
    assert CLEAR not in stream.getvalue()
    assert lines[0] == "times      [############............] 4/8"
    assert lines[1] == "times      [###############.........] 5/8, about 80 s left"
    assert lines[-1] == "times      [########################] 8/8"
    assert len(lines) == 4  # not one for each event


def test_a_bar_in_a_terminal_shows_what_is_running(now):
    stream = Terminal()
    progress = StudyProgress("times", stream, jobs=2)
    progress.begin(TRIALS, finished=0)
    progress.started(TRIALS[0])
    assert stream.getvalue().endswith("0/4  times/banana/LPB/nu=0.1")
    progress.ended(done(TRIALS[0]))
    now[0] += 10.0
    progress.started(TRIALS[1])
    assert "\n" not in stream.getvalue()
    progress.close()
    assert stream.getvalue().endswith("1/4, about 0 s left\n")


def test_a_failure_is_told_at_once_and_counted(now):
    stream = io.StringIO()
    progress = StudyProgress("cv", stream)
    progress.begin(TRIALS[:1], finished=0)
    progress.started(TRIALS[0])
    progress.ended(replace(done(TRIALS[0]), result=Failure("memory", "more than 4 GB")))
    progress.close()
    assert "times/banana/LPB/nu=0.1 failed: more than 4 GB\n" in stream.getvalue()
    assert stream.getvalue().endswith("1/1, 1 failed\n")


def test_a_study_with_nothing_to_do():
    stream = io.StringIO()
    progress = StudyProgress("cv", stream)
    progress.begin([], finished=0)
    progress.close()
    assert stream.getvalue() == "cv         [########################] 0/0\n"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (89.0, "89 s"), (90.0, "2 min"), (5399.0, "90 min"), (5400.0, "1.5 h")],
)
def test_durations_are_rough(seconds, text):
    assert duration(seconds) == text
