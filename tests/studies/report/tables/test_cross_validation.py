"""Validation errors by nu, and the choice among them."""

from statistics import fmean

import pytest

from looking import row
from studies.report.tables.errors import chosen_nu, cross_validation
from study_runs import NONE, by_key, failed, hit_limit, run, study


def folds(nu, *errors, split=0, algorithm="LEVEL"):
    return [
        run("cv", "heart", algorithm, nu, split=split, fold=k, test_error=e) for k, e in enumerate(errors)
    ]


def test_means_over_folds_and_splits():
    runs = by_key(
        *folds(0.1, 0.1, 0.3, 0.2, 0.2, 0.2),
        *folds(0.1, 0.4, 0.4, 0.4, 0.4, 0.4, split=1),
        *folds(0.2, 0.2, 0.3, 0.2, 0.3, 0.25),
        *folds(0.2, 0.1, 0.2, 0.1, 0.2, 0.15, split=1),
    )
    cells = row(cross_validation(runs), "heart", "LevelBoost")
    assert cells["error at nu = 0.1"].text == "0.3000"
    assert cells["error at nu = 0.2"].text == "0.2000"
    assert len(cells["error at nu = 0.2"].runs) == 10
    assert cells["nu chosen, by split"].text == "0.1, 0.2"
    assert cells["nu chosen, by split"].note == ""


def test_ties_go_to_the_larger_nu():
    every = [*folds(0.1, 0.2, *[0.3] * 4), *folds(0.4, *[0.3] * 4, 0.2), *folds(0.5, *[0.3] * 5)]
    assert chosen_nu(by_key(*every), [0.1, 0.4, 0.5]) == 0.4


def test_ties_are_ties_in_spite_of_rounding():
    one, other = (0.15, 0.15, 0.0, 0.0, 0.0), (0.1, 0.2, 0.0, 0.0, 0.0)
    assert fmean(other) > fmean(one)
    assert chosen_nu(by_key(*folds(0.1, *one), *folds(0.2, *other)), [0.1, 0.2]) == 0.2


def test_no_choice_before_all_folds_of_every_nu():
    every = [*folds(0.1, *[0.2] * 5), *folds(0.2, *[0.1] * 5)]
    assert chosen_nu(by_key(*every), [0.1, 0.2]) == 0.2
    assert chosen_nu(by_key(*every[:-1]), [0.1, 0.2]) is None
    assert chosen_nu(by_key(*every), [0.1, 0.2, 0.3]) is None


def test_unfinished_splits_and_sets_have_no_choice_yet():
    done = [*folds(0.1, *[0.2] * 5), *folds(0.2, *[0.1] * 5)]
    runs = by_key(*done, *folds(0.1, *[0.2] * 5, split=1), *folds(0.2, 0.1, split=1))
    cell = row(cross_validation(runs), "heart", "LevelBoost")["nu chosen, by split"]
    assert (cell.text, cell.value, cell.note) == ("0.2, -", 0.2, "some folds are missing")
    other = run("cv", "banana", "LEVEL", 0.1, split=0, fold=0)
    cell = row(cross_validation(by_key(*done, other)), "banana", "LevelBoost")["nu chosen, by split"]
    assert (cell.text, cell.note) == ("-", "some folds are missing")


def test_fits_that_struck_a_limit_are_noted():
    runs = by_key(*folds(0.1, *[0.2] * 4), hit_limit("cv", "heart", "LEVEL", 0.1, split=0, fold=4))
    cells = row(cross_validation(runs), "heart", "LevelBoost")
    assert cells["error at nu = 0.1"].note == "1 of 5 struck the limit"
    assert cells["nu chosen, by split"].text == "0.1"


def test_failed_folds_are_left_out():
    runs = by_key(
        *folds(0.1, 0.2, 0.4), *folds(0.2, 0.1)[:1], failed("cv", "heart", "LEVEL", 0.2, split=0, fold=1)
    )
    cells = row(cross_validation(runs), "heart", "LevelBoost")
    assert (cells["error at nu = 0.2"].text, cells["error at nu = 0.2"].note) == (
        "0.1000",
        "1 of 2 failed (error)",
    )
    assert cells["nu chosen, by split"].note == "some folds are missing"


def test_nothing_but_failures():
    runs = by_key(failed("cv", "heart", "LEVEL", 0.2, split=0, fold=1))
    cells = row(cross_validation(runs), "heart", "LevelBoost")
    assert (cells["error at nu = 0.2"].text, cells["nu chosen, by split"].text) == ("-", "-")


def test_a_row_for_each_algorithm():
    runs = by_key(*folds(0.1, 0.2), *folds(0.1, 0.5, algorithm="LPB"))
    table = cross_validation(runs)
    assert row(table, "heart", "LPB")["error at nu = 0.1"].value == pytest.approx(0.5)
    assert len(table.rows) == 2


def test_the_whole_study():
    assert row(cross_validation(study()), "banana")["nu chosen, by split"].text == "0.2, 0.2, 0.2, 0.2, 0.2"
    assert cross_validation(NONE) is None
