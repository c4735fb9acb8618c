"""The made-up runs look like those of the runner."""

import json

import pytest

from frankboost.experiments.runner import _line
from frankboost.experiments.study import Run
from frankboost.experiments.worker import outcome
from report.runs import failed, run, struck, study, write

WHERE = {
    "times": {},
    "curves": {"split": 0},
    "errors": {"split": 0},
    "cv": {"split": 0, "fold": 1},
}


def test_keys_are_unique_and_say_what_was_run():
    runs = study()
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


@pytest.mark.parametrize("part", WHERE)
def test_a_finished_run_is_as_the_runner_writes_it(part):
    each = Run(part, "twonorm", "LEVEL", 0.3, 40, max_bins=3, **WHERE[part])
    real = json.loads(json.dumps(_line(each, "done", outcome(each))))
    made_up = run(part, "twonorm", "LEVEL", 0.3, rows=40, max_bins=3, **WHERE[part])
    assert made_up["key"] == real["key"]
    compared(made_up, real)
    compared(struck(part, "twonorm", rows=40, max_bins=3, **WHERE[part]), real)


def test_a_failed_run_is_as_the_runner_writes_it():
    each = Run("times", "twonorm", "LPB", 0.3, 40)
    real = _line(each, "failed", {"kind": "memory", "message": "more than 4 GB"})
    made_up = failed("times", "twonorm", "LPB", 0.3, rows=40, kind="memory", message="more than 4 GB")
    compared(made_up, real)
    assert made_up.keys() == real.keys()
    assert made_up["failure"] == real["failure"]


def test_how_they_ended():
    assert struck()["certificate"]["status"] == "time_limit"
    assert failed("times", "heart", kind="memory")["failure"]["kind"] == "memory"


def test_written_one_a_line(tmp_path):
    lines = write(tmp_path / "runs.jsonl", {"a": run(), "b": failed()}).read_text().splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["done", "failed"]
