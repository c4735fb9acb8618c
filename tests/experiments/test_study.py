"""A run has one name, and knows which results are about it."""

from dataclasses import asdict, replace

import pytest

from frankboost.experiments.study import Run

RUN = Run("times", "banana", "LPB", 0.1)


def result(run, status="done", certificate="optimal", cpu_seconds=0.5, peak_memory=0.5):
    outcome = {"certificate": {"status": certificate}, "cpu_seconds": cpu_seconds, "peak_memory": peak_memory}
    return {**asdict(run), "status": status, **outcome}


def test_keys_tell_runs_apart():
    others = [
        replace(RUN, **change)
        for change in [
            {"part": "curves"},
            {"dataset": "heart"},
            {"algorithm": "FW"},
            {"nu": 0.25},
            {"rows": 200},
            {"split": 0},
            {"split": 1},
            {"split": 0, "fold": 0},
            {"seed": 1},
        ]
    ]
    assert RUN.key == "times/banana/LPB/nu=0.1"
    assert (
        replace(RUN, rows=200, split=0, fold=3, seed=7).key
        == "times/banana-200/LPB/nu=0.1/split=0/fold=3/seed=7"
    )
    assert len({run.key for run in [RUN, *others]}) == 10


def test_a_result_counts_for_the_same_settings():
    assert RUN.answered_by(result(RUN))
    assert RUN.answered_by(result(RUN, certificate="time_limit"))
    assert RUN.answered_by({**asdict(RUN), "status": "failed", "failure": {}})
    for change in [{"tol": 0.1}, {"max_bins": 255}, {"max_depth": 1}, {"threads": 2}]:
        assert not replace(RUN, **change).answered_by(result(RUN))


@pytest.mark.parametrize("limits", [{"time_limit": 100.0}, {"time_limit": 1.0, "memory_limit": 1.0}])
def test_under_other_limits_only_what_kept_to_its_own(limits):
    other = replace(RUN, **limits)
    assert other.answered_by(result(RUN))
    assert not other.answered_by(result(RUN, certificate="time_limit"))
    assert not other.answered_by({**asdict(RUN), "status": "failed", "failure": {}})
    assert not replace(other, tol=0.1).answered_by(result(RUN))
    assert not other.answered_by(result(RUN, cpu_seconds=other.time_limit + 0.1))
    assert not other.answered_by(result(RUN, peak_memory=other.memory_limit + 0.1))


def test_only_cross_validation_may_have_company():
    assert RUN.timed
    assert not replace(RUN, part="cv").timed
