"""Every algorithm's test error on split 0."""

from looking import row
from studies.report.tables.errors import split_errors
from study_runs import NONE, by_key, failed, hit_limit, run, study


def test_ours_and_the_papers():
    table = split_errors(study(("banana", "heart", "waveform")))
    cells = row(table, "banana")
    assert cells["LevelBoost"].text == "0.1000"
    assert cells["LPB"].text == "0.1100"
    assert cells["LPB"].note == "nu = 0.2"
    assert [cells[f"{name}, paper"].text for name in ("LPB", "ERLPB", "MLPB (SS)")] == [
        "0.28",
        "0.37",
        "0.10",
    ]
    assert row(table, "waveform")["LPB, paper"].text == "-"
    last = row(table, "mean")
    assert last["LPB"].text == "0.1100"
    assert last["LPB, paper"].text == "0.2600"  # of 0.28 and 0.24
    assert last["LPB"].note == "over 2 of 3 sets"


def test_a_column_without_numbers_does_not_keep_the_others_from_a_mean():
    runs = by_key(
        run("errors", "waveform", "LEVEL", 0.2, split=0, test_error=0.1),
        run("errors", "odd", "LEVEL", 0.2, split=0, test_error=0.2),
    )
    last = row(split_errors(runs), "mean")
    assert (last["LevelBoost"].text, last["LPB, paper"].text) == ("0.1500", "-")


def test_early_ends_and_failures():
    runs = by_key(
        run("errors", "heart", "LEVEL", 0.2, split=0),
        hit_limit("errors", "heart", "LPB", 0.2, split=0),
        failed("errors", "heart", "FW", 0.2, split=0, kind="memory"),
        run("errors", "banana", "LEVEL", 0.2, split=1),
    )
    table = split_errors(runs)
    cells = row(table, "heart")
    assert cells["LPB"].note == "nu = 0.2; 1 of 1 struck the limit"
    assert (cells["MLPB (SS only)"].text, cells["MLPB (SS only)"].note) == (
        "failed",
        "1 of 1 failed (memory)",
    )
    assert row(table, "mean")["LevelBoost"].text == "0.1000"
    assert row(table, "mean")["MLPB (SS only)"].text == "-"
    assert len(table.rows) == 1  # banana has no split 0 yet


def test_the_last_result_counts():
    def tried(nu, error, minute):
        date = f"2026-11-15T09:{minute}:00+00:00"
        return run("errors", "heart", "LPB", nu, split=0, test_error=error, date=date)

    cell = row(split_errors(by_key(tried(0.1, 0.1, 30), tried(0.3, 0.4, 20))), "heart")["LPB"]
    assert (cell.text, cell.note) == ("0.1000", "nu = 0.1")


def test_the_caption_says_whose_folds_chose():
    assert "nu is chosen by LevelBoost's folds" in split_errors(study()).caption


def test_no_runs_no_table():
    assert split_errors(NONE) is None


def test_an_algorithm_that_was_not_run_on_a_set():
    runs = by_key(
        run("errors", "heart", "LEVEL", 0.2, split=0),
        run("errors", "banana", "LEVEL", 0.2, split=0),
        run("errors", "banana", "LPB", 0.2, split=0),
    )
    assert row(split_errors(runs), "heart")["LPB"].text == "-"
