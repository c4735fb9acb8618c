"""LevelBoost's test errors, their standard errors and verdicts."""

import pytest

from looking import column, row
from studies.report.tables.errors import errors
from study_runs import NONE, by_key, failed, hit_limit, run, study

PAPER = "MLPB (SS), paper"


def over_splits(dataset, *test_errors, nu=0.2, **fields):
    return by_key(
        *(
            run("errors", dataset, "LEVEL", nu, split=k, test_error=e, **fields)
            for k, e in enumerate(test_errors)
        )
    )


def test_numbers_by_hand():
    # 5 * 54 = 270 rows, p = 55/272: sqrt(p (1 - p) / 270) = 0.02445; the paper's 0.17 on 54 rows has
    # 0.05112, and with 0.01 / sqrt(12) of rounding 0.05120
    cells = row(errors(over_splits("heart", *[0.2] * 5)), "heart")
    assert cells["m"].text == "270"
    assert cells["LevelBoost, split 0"].text == "0.2000"
    assert cells["LevelBoost, mean"].text == "0.2000"
    assert cells["LevelBoost, mean"].note == "over 5 splits"
    assert len(cells["LevelBoost, mean"].runs) == 5
    assert cells["s.e."].text == "0.0244"
    assert cells[PAPER].text == "0.17"
    assert cells["s.e. of the paper's"].text == "0.0512"
    assert cells["difference"].text == "+0.0300"
    assert cells["in our s.e."].text == "+1.2"
    assert cells["verdict by our s.e."].text == cells["verdict by both s.e."].text == "no worse"


def test_strict_and_combined_verdicts_can_differ():
    # p = 68.5/272: 0.02642 ours, difference 0.08 = 3.03 of ours, but 1.39 of both (0.05761)
    cells = row(errors(over_splits("heart", *[0.25] * 5)), "heart")
    assert cells["in our s.e."].text == "+3.0"
    assert cells["verdict by our s.e."].text == "worse"
    assert cells["verdict by both s.e."].text == "no worse"


def test_better():
    cells = row(errors(over_splits("titanic", *[0.2] * 5)), "titanic")
    assert cells["difference"].text == "-0.4000"
    assert cells["verdict by our s.e."].text == "better"


def test_without_errors_there_is_a_standard_error_still():
    # 108 rows: p = 1/110, sqrt(p (1 - p) / 108) = 0.00913
    cells = row(errors(over_splits("heart", 0.0, 0.0)), "heart")
    assert (cells["s.e."].text, cells["in our s.e."].text) == ("0.0091", "-18.6")
    assert cells["verdict by our s.e."].text == "better"


def test_the_last_result_of_a_split_counts():
    def tried(nu, error, minute):
        date = f"2026-11-15T09:{minute}:00+00:00"
        return run("errors", "heart", "LEVEL", nu, split=0, test_error=error, date=date)

    last, first = tried(0.1, 0.1, 30), tried(0.3, 0.4, 20)
    cells = row(errors(by_key(last, first, run("errors", "heart", "LEVEL", 0.2, split=1))), "heart")
    assert cells["nu, by split"].text == "0.1, 0.2"
    assert cells["LevelBoost, split 0"].text == "0.1000"
    assert cells["LevelBoost, mean"].note == "over 2 splits"


def test_the_caption_is_true():
    caption = errors(over_splits("heart", 0.1, 0.1)).caption
    assert "A fifth of the rows is the test set, another in each split" in caption
    assert "how many rows it tested the paper does not say" in caption
    assert "nu is chosen by LevelBoost's folds" in caption


@pytest.mark.parametrize("runs", [over_splits("waveform", 0.1, 0.1), over_splits("heart", 0.1, 0.1, m=100)])
def test_nothing_to_compare_with(runs):
    (cells,) = (dict(zip(errors(runs).columns, each, strict=True)) for each in errors(runs).rows)
    assert cells["LevelBoost, mean"].text == "0.1000"
    assert {cells[name].text for name in (PAPER, "difference", "verdict by our s.e.")} == {"-"}


def test_nu_by_split_in_order():
    runs = by_key(
        run("errors", "heart", "LEVEL", 0.3, split=1),
        run("errors", "heart", "LEVEL", 0.1, split=0),
        hit_limit("errors", "heart", "LEVEL", 0.5, split=2),
    )
    cells = row(errors(runs), "heart")
    assert cells["nu, by split"].text == "0.1, 0.3, 0.5"
    assert cells["LevelBoost, mean"].note == "over 3 splits; 1 of 3 struck the limit"


def test_a_failed_split_is_left_out():
    runs = over_splits("heart", 0.1) | by_key(failed("errors", "heart", "LEVEL", 0.2, split=1))
    assert row(errors(runs), "heart")["LevelBoost, mean"].note == "over 1 split"


def test_split_0_may_be_missing():
    runs = by_key(run("errors", "heart", "LEVEL", 0.2, split=3))
    assert row(errors(runs), "heart")["LevelBoost, split 0"].text == "-"


def test_rows_and_columns_line_up():
    table = errors(study())
    assert column(table, "set") == ["banana", "heart"]
    assert all(len(cells) == len(table.columns) for cells in table.rows)
    assert errors(NONE) is None


def test_rows_that_were_split_anew():
    runs = by_key(
        *(
            run(
                "errors",
                "heart",
                nu=0.1 * (1 + seed),
                split=split,
                seed=seed,
                key=f"{seed}/{split}",
                test_error=e,
            )
            for seed, e in enumerate((0.1, 0.2))
            for split in range(3)
        )
    )
    cells = row(errors(runs), "heart")
    assert cells["nu, by split"].text == "3 x 0.1, 3 x 0.2"
    assert cells["LevelBoost, split 0"].text == "0.1000"
    assert (cells["LevelBoost, mean"].text, cells["LevelBoost, mean"].note) == ("0.1500", "over 6 splits")
