"""A trial has one name."""

from dataclasses import replace

from frankboost.experiments.trial import Trial

TRIAL = Trial("times", "banana", "LPB", 0.1)


def test_keys_tell_runs_apart():
    others = [
        replace(TRIAL, **change)
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
    assert TRIAL.key == "times/banana/LPB/nu=0.1"
    assert (
        replace(TRIAL, rows=200, split=0, fold=3, seed=7).key
        == "times/banana-200/LPB/nu=0.1/split=0/fold=3/seed=7"
    )
    assert len({trial.key for trial in [TRIAL, *others]}) == 10


def test_only_cross_validation_may_have_company():
    assert TRIAL.timed
    assert not replace(TRIAL, part="cv").timed


def test_sets_of_other_rows_say_how_many():
    assert TRIAL.set_name == "banana"
    assert replace(TRIAL, rows=200).set_name == "banana (200 rows)"
    assert TRIAL.partition == (0, 0)
    assert replace(TRIAL, seed=2, split=3).partition == (2, 3)
