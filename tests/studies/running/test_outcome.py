"""Outcomes are written as they were read; a line that lacks something is told by its key."""

import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from frankboost.typing import Status
from studies.running.outcome import Failure, Outcome
from studies.running.trial import Trial
from study_runs import failed, hit_limit, run

KEPT = Path(__file__).parents[3] / "docs" / "reproduction" / "runs.jsonl"


def without(line, *names):
    return {name: value for name, value in line.items() if name not in names}


def outcome(line):
    return Outcome.from_json(line)


def test_every_kept_line_comes_back_as_it_was():
    with KEPT.open(encoding="utf-8") as file:
        for line in file:
            entries = json.loads(line)
            assert json.dumps(outcome(entries).to_json()) == json.dumps(entries)


def test_a_failure_comes_back_as_it_was():
    line = failed("cv", split=0, fold=0, kind="memory", message="more than 4 GB")
    assert outcome(line).to_json() == line
    assert outcome(line).failure == Failure("memory", "more than 4 GB")


def test_what_is_known_of_a_result():
    known = outcome(run("curves", "heart", "LPB", 0.2, split=0))
    assert known.trial == Trial("curves", "heart", "LPB", 0.2, split=0)
    assert known.key == "curves/heart/LPB/nu=0.2/split=0"
    assert known.fit.certificate.gap == pytest.approx(0.008)
    assert (known.fit.certificate.nu, known.fit.certificate.tol) == (0.2, 0.01)
    assert known.fit.trace.round == known.fit.test_curve.round == [1, 2, 3, 4]
    with pytest.raises(AttributeError, match=r"times/banana/LEVEL/nu=0\.1 failed: out of luck"):
        _ = outcome(failed()).fit


@pytest.mark.parametrize(
    ("line", "ended"),
    [
        (run(), (True, True, False)),
        (run(status="stalled"), (True, False, False)),
        (hit_limit(), (True, False, True)),
        (failed(), (False, False, False)),
        (failed(kind="time"), (False, False, True)),
    ],
)
def test_how_it_ended(line, ended):
    assert (outcome(line).done, outcome(line).closed, outcome(line).hit_limit) == ended


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ({}, "Object missing required field `part`"),
        (without(run(), "nu"), "Object missing required field `nu`"),
        ({**run(), "nu": None}, r"Expected `float`, got `null` - at `\$\.nu`"),
        (run(certificate=None), r"Object missing required field `soft_margin` - at `\$\.certificate`"),
        (
            run(certificate={"soft_margin": 0.1, "bound": "x"}),
            r"Expected `float`, got `str` - at `\$\.certificate\.bound`",
        ),
        (without(run(), "trace"), "Object missing required field `trace`"),
        (without(failed(), "failure"), "Object missing required field `kind`"),
    ],
)
def test_what_is_wrong_with_a_line_is_named(line, wrong):
    with pytest.raises(ValueError, match=f"^the run 'a': {wrong}$"):
        outcome({**line, "key": "a"})


def test_a_setting_that_is_not_mentioned_has_its_default():
    assert outcome(without(run(), "threads", "rows")) == outcome(run())


TRIAL = Trial("times", "banana", "LPB", 0.1)


def of(trial, certificate="optimal", cpu_seconds=0.5, peak_memory=0.5):
    line = run("times", "banana", "LPB", status=certificate, cpu_seconds=cpu_seconds, peak_memory=peak_memory)
    return replace(outcome(line), trial=trial)


def failure_of(trial):
    return replace(outcome(failed()), trial=trial)


@pytest.mark.parametrize("status", get_args(Status))
def test_the_gap_is_closed_with_a_proof_or_without(status):
    assert of(TRIAL, status).closed == (status in ("optimal", "closed"))


def test_a_result_counts_for_the_same_settings():
    assert of(TRIAL).is_of(TRIAL)
    assert of(TRIAL, "time_limit").is_of(TRIAL)
    assert failure_of(TRIAL).is_of(TRIAL)
    for change in [{"tol": 0.1}, {"max_bins": 255}, {"max_depth": 1}, {"threads": 2}]:
        assert not of(TRIAL).is_of(replace(TRIAL, **change))


@pytest.mark.parametrize("limits", [{"time_limit": 100.0}, {"time_limit": 1.0, "memory_limit": 1.0}])
def test_under_other_limits_only_what_kept_to_its_own(limits):
    other = replace(TRIAL, **limits)
    assert of(TRIAL).is_of(other)
    assert not of(TRIAL, "time_limit").is_of(other)
    assert not failure_of(TRIAL).is_of(other)
    assert not of(TRIAL).is_of(replace(other, tol=0.1))
    assert not of(TRIAL, cpu_seconds=other.time_limit + 0.1).is_of(other)
    assert not of(TRIAL, peak_memory=other.memory_limit + 0.1).is_of(other)


def test_the_papers_own_test_is_recorded():
    line = run("times", "heart", "LPB", 0.2, stopping="paper")
    assert outcome(line).trial.stopping == "paper"
    assert outcome(line).to_json()["stopping"] == "paper"
    assert not outcome(line).is_of(Trial("times", "heart", "LPB", 0.2))
    assert "stopping" not in outcome(run()).to_json()
