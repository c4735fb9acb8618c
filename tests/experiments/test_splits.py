"""Rows are fitted, or kept aside, never both."""

import numpy as np
import pytest

from frankboost.experiments.splits import split_rows

Y = np.where(np.arange(103) % 3 == 0, 1, -1)


def test_without_a_split_all_rows_are_fitted():
    fitted, aside = split_rows(Y, None, None, 0)
    assert fitted.tolist() == list(range(103))
    assert len(aside) == 0


def test_each_row_is_tested_once_and_the_labels_are_spread():
    parts = [split_rows(Y, split, None, 0) for split in range(5)]
    assert sorted(np.concatenate([aside for _, aside in parts])) == list(range(103))
    for fitted, aside in parts:
        assert sorted([*fitted, *aside]) == list(range(103))
        assert np.mean(Y[aside] == 1) == pytest.approx(1 / 3, abs=0.05)


def test_folds_never_see_the_test_rows():
    fitted, tested = split_rows(Y, 2, None, 0)
    folds = [split_rows(Y, 2, fold, 0) for fold in range(5)]
    assert sorted(np.concatenate([aside for _, aside in folds])) == sorted(fitted)
    for inner, validated in folds:
        assert not set(tested) & (set(inner) | set(validated))
        assert sorted([*inner, *validated]) == sorted(fitted)


def test_the_seed_shuffles_and_nothing_else_does():
    one, same, other = (split_rows(Y, 0, None, seed)[1].tolist() for seed in (0, 0, 1))
    assert one == same != other
