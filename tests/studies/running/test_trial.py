"""A trial has one name; its rows are fitted, or kept aside, never both."""

from dataclasses import replace

import numpy as np
import pytest

from studies.running.trial import Trial

TRIAL = Trial("times", "banana", "LPB", 0.1)
Y = np.where(np.arange(103) % 3 == 0, 1, -1)


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
            {"stopping": "paper"},
            {"learner": "signs"},
        ]
    ]
    assert TRIAL.key == "times/banana/LPB/nu=0.1"
    assert (
        replace(TRIAL, rows=200, split=0, fold=3, seed=7).key
        == "times/banana-200/LPB/nu=0.1/split=0/fold=3/seed=7"
    )
    assert len({trial.key for trial in [TRIAL, *others]}) == 12


def test_only_cross_validation_may_have_company():
    assert TRIAL.timed
    assert not replace(TRIAL, part="cv").timed


def test_sets_of_other_rows_say_how_many():
    assert TRIAL.set_name == "banana"
    assert replace(TRIAL, rows=200).set_name == "banana (200 rows)"
    assert TRIAL.partition == (0, 0)
    assert replace(TRIAL, seed=2, split=3).partition == (2, 3)


def test_without_a_split_all_rows_are_fitted():
    fitted, aside = TRIAL.split_rows(Y)
    assert fitted.tolist() == list(range(103))
    assert len(aside) == 0


def test_each_row_is_tested_once_and_the_labels_are_spread():
    parts = [replace(TRIAL, split=split).split_rows(Y) for split in range(5)]
    assert sorted(np.concatenate([aside for _, aside in parts])) == list(range(103))
    for fitted, aside in parts:
        assert sorted([*fitted, *aside]) == list(range(103))
        assert np.mean(Y[aside] == 1) == pytest.approx(1 / 3, abs=0.05)


def test_folds_never_see_the_test_rows():
    fitted, tested = replace(TRIAL, split=2).split_rows(Y)
    folds = [replace(TRIAL, split=2, fold=fold).split_rows(Y) for fold in range(5)]
    assert sorted(np.concatenate([aside for _, aside in folds])) == sorted(fitted)
    for inner, validated in folds:
        assert not set(tested) & (set(inner) | set(validated))
        assert sorted([*inner, *validated]) == sorted(fitted)


def test_the_seed_shuffles_and_nothing_else_does():
    one, same, other = (replace(TRIAL, split=0, seed=seed).split_rows(Y)[1].tolist() for seed in (0, 0, 1))
    assert one == same != other
