"""The made-up runs look like those of the runner."""

import json

import pytest

from studies.fits import fit_trial
from studies.running.machine import hardware, versions
from studies.running.outcome import Failure, Outcome
from studies.running.trial import Trial
from study_runs import by_key, failed, hit_limit, run, study, write

WHERE = {
    "times": {},
    "curves": {"split": 0},
    "errors": {"split": 0},
    "cv": {"split": 0, "fold": 1},
}


def test_keys_are_unique_and_say_what_was_run():
    runs = study().keys
    assert len(runs) == 2 * (7 * 5 + 7 + 5 * 25 + 7 + 4) + 2 * 7
    assert "times/banana/LPB/nu=0.1" in runs
    assert "cv/heart/LEVEL/nu=0.5/split=4/fold=0" in runs
    assert "worst-case/worst-case-64/LPB/nu=0.015625" in runs


def kinds(value):
    """Its names and the kinds of their values; numbers are of one kind, and lists as their first."""
    if isinstance(value, dict):
        return {name: kinds(each) for name, each in value.items()}
    if isinstance(value, list):
        return [kinds(value[0])]
    return float if type(value) is int else type(value)


def compared(made_up, real):
    """Both without the versions, which are of any number; the real one may have more to say."""
    assert made_up.keys() <= real.keys()
    names = made_up.keys() - {"versions"}
    assert {name: kinds(made_up[name]) for name in names} == {name: kinds(real[name]) for name in names}


def line(trial, result):
    """As it is in the file."""
    outcome = Outcome(trial, result, "2026-11-15T09:12:00+00:00", hardware(), versions())
    return json.loads(json.dumps(outcome.to_json()))


@pytest.mark.parametrize("part", WHERE)
def test_a_finished_run_is_as_the_runner_writes_it(part):
    each = Trial(part, "twonorm", "LEVEL", 0.3, 40, max_bins=3, **WHERE[part])
    real = line(each, fit_trial(each))
    made_up = run(part, "twonorm", "LEVEL", 0.3, rows=40, max_bins=3, **WHERE[part])
    assert made_up["key"] == real["key"]
    compared(made_up, real)
    compared(hit_limit(part, "twonorm", rows=40, max_bins=3, **WHERE[part]), real)


def test_a_failed_run_is_as_the_runner_writes_it():
    each = Trial("times", "twonorm", "LPB", 0.3, 40)
    real = line(each, Failure("memory", "more than 4 GB"))
    made_up = failed("times", "twonorm", "LPB", 0.3, rows=40, kind="memory", message="more than 4 GB")
    compared(made_up, real)
    assert made_up.keys() == real.keys()
    assert made_up["failure"] == real["failure"]


def test_how_they_ended():
    assert hit_limit()["certificate"]["status"] == "time_limit"
    assert failed("times", "heart", kind="memory")["failure"]["kind"] == "memory"


def test_written_one_a_line(tmp_path):
    lines = write(tmp_path / "runs.jsonl", by_key(run(), failed("times", "heart"))).read_text().splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["done", "failed"]
