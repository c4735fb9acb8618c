"""Progress of a study: counts, failures, the time left."""

import io
import math
from dataclasses import replace

import pytest

from frankboost.progress import CLEAR
from studies.commands.study import StudyProgress, estimate_time, format_seconds
from studies.running.outcome import Failure, Outcome
from studies.running.runner import RunningTrial, Study
from studies.running.trial import Trial
from study_runs import run
from terminals import Terminal

TRIAL = Trial("times", "banana", "LPB", 0.1)
TRIALS = [replace(TRIAL, nu=nu) for nu in (0.1, 0.2, 0.3, 0.4)]
FITTED = Outcome.from_json(run())


def done(trial):
    return replace(FITTED, trial=trial)


def test_the_time_left_is_that_of_runs_alike():
    assert math.isnan(estimate_time([], TRIALS))
    slow = replace(TRIAL, algorithm="FW")
    took = [(TRIALS[0], 2.0), (TRIALS[1], 4.0), (slow, 30.0)]
    assert estimate_time(took, TRIALS[2:]) == pytest.approx(6.0)
    assert estimate_time(took, [TRIALS[2], slow]) == pytest.approx(33.0)
    assert estimate_time(took, [replace(TRIAL, algorithm="PFW")]) == pytest.approx(12.0)  # the mean of all
    assert estimate_time(took, []) == 0.0


def studied(trials, before, observer):
    """A study of which nothing has started."""
    return Study(list(trials), before, None, observer, None)


def start(study):
    study.running.append(RunningTrial(study.waiting.pop(0), None, None, 0.0))
    study.observer(study)


def end(study, seconds, outcome=None):
    trial = study.running.pop().trial
    study.ended.append((outcome or done(trial), seconds))
    study.observer(study)


def test_lines_where_nothing_can_be_taken_back(now):
    stream = io.StringIO()
    progress = StudyProgress("times", stream)
    study = studied(TRIALS, 4, progress)
    for _ in TRIALS:
        start(study)
        now[0] += 40.0
        progress(study)
        end(study, 40.0)
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
    study = studied(TRIALS, 0, progress)
    start(study)
    assert stream.getvalue().endswith("0/4  times/banana/LPB/nu=0.1")
    end(study, 0.0)
    now[0] += 10.0
    start(study)
    assert "\n" not in stream.getvalue()
    progress.close()
    assert stream.getvalue().endswith("1/4, about 0 s left\n")


def test_a_failure_is_told_at_once_and_counted(now):
    stream = io.StringIO()
    progress = StudyProgress("cv", stream)
    study = studied(TRIALS[:1], 0, progress)
    start(study)
    end(study, 1.0, replace(done(TRIALS[0]), result=Failure("memory", "more than 4 GB")))
    told = "times/banana/LPB/nu=0.1 failed: more than 4 GB\n"
    assert told in stream.getvalue()
    progress(study)
    progress.close()
    assert stream.getvalue().count(told) == 1
    assert stream.getvalue().endswith("1/1, 1 failed\n")


def test_a_study_with_nothing_to_do():
    stream = io.StringIO()
    progress = StudyProgress("cv", stream)
    progress(studied([], 0, progress))
    progress.close()
    assert stream.getvalue() == "cv         [########################] 0/0\n"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (89.0, "89 s"), (90.0, "2 min"), (5399.0, "90 min"), (5400.0, "1.5 h")],
)
def test_durations_are_rough(seconds, text):
    assert format_seconds(seconds) == text
