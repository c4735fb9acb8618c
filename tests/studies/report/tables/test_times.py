"""Mean CPU seconds over nu, and what a run that ended early makes of them."""

import pytest

from looking import column, row
from studies.report.tables.times import times
from study_runs import ALGORITHMS, NONE, by_key, failed, hit_limit, run, study


def timed(dataset, algorithm, *seconds):
    return [
        run("times", dataset, algorithm, 0.1 * (k + 1), cpu_seconds=time) for k, time in enumerate(seconds)
    ]


def test_columns_and_order():
    table = times(study(("waveform", "banana", "unheard-of", "heart")))
    assert table.name == "times"
    assert table.columns[:5] == ("set", "m", "n", "LevelBoost (s)", "LPB (s)")
    assert table.columns[-1] == "MLPB (PFW) (s)"
    assert len(table.columns) == 3 + len(ALGORITHMS)
    assert column(table, "set") == ["banana", "heart", "waveform", "unheard-of", "total"]
    assert all(len(cells) == len(table.columns) for cells in table.rows)


def test_the_mean_over_nu():
    runs = by_key(*timed("heart", "LEVEL", 0.1, 0.2, 0.6), *timed("heart", "LPB", 1.0, 2.0, 4.0))
    cells = row(times(runs), "heart")
    assert (cells["m"].text, cells["n"].text) == ("270", "13")
    assert cells["LevelBoost (s)"].text == "0.300"
    assert cells["LPB (s)"].text == "2.333"
    assert cells["LPB (s)"].value == pytest.approx(7 / 3)
    assert len(cells["LPB (s)"].runs) == 3
    assert cells["LPB (s)"].note == ""


def test_a_struck_limit_is_shown_and_counted():
    runs = by_key(
        *timed("heart", "LEVEL", 1.0, 1.0),
        run("times", "heart", "LPB", 0.1, cpu_seconds=4.0),
        hit_limit("times", "heart", "LPB", 0.2),
        hit_limit("times", "heart", "FW", 0.1),
        failed("times", "heart", "FW", 0.2, kind="time"),
    )
    cells = row(times(runs), "heart")
    assert cells["LPB (s)"].text == ">12.000"
    assert cells["LPB (s)"].value == 12.0
    assert cells["LPB (s)"].note == "1 of 2 struck the limit"
    assert cells["MLPB (SS only) (s)"].text == ">20"
    assert cells["MLPB (SS only) (s)"].note == "2 of 2 struck the limit"


def test_another_early_end_is_a_limit_too():
    runs = by_key(
        run("times", "heart", "LPB", 0.1, cpu_seconds=4.0),
        run("times", "heart", "LPB", 0.2, cpu_seconds=3.0, status="stalled"),
    )
    cell = row(times(runs), "heart")["LPB (s)"]
    assert (cell.text, cell.note) == (">3.500", "1 of 2 stalled")


def test_a_failure_has_no_time():
    runs = by_key(*timed("heart", "LPB", 1.0), failed("times", "heart", "LPB", 0.2, kind="memory"))
    table = times(runs)
    cell = row(table, "heart")["LPB (s)"]
    assert (cell.text, cell.value, cell.note) == ("failed", None, "1 of 2 failed (memory)")
    assert len(cell.runs) == 2
    assert row(table, "total")["LPB (s)"].text == "-"


def test_an_unfinished_study_says_over_how_many():
    runs = by_key(
        *timed("heart", "LEVEL", 1.0, 2.0, 3.0), *timed("heart", "LPB", 5.0), *timed("banana", "LEVEL", 4.0)
    )
    table = times(runs)
    assert row(table, "heart")["LPB (s)"].note == "over 1 of 3 nu"
    assert row(table, "banana")["LPB (s)"].text == "-"
    last = row(table, "total")
    assert last["LevelBoost (s)"].text == "-"  # neither has all nu for both


def test_a_half_finished_set_is_noted_and_not_in_the_total():
    runs = by_key(
        *timed("heart", "LEVEL", 1.0, 2.0),
        *timed("heart", "LPB", 5.0, 7.0),
        *timed("banana", "LEVEL", 4.0),
        *timed("banana", "LPB", 9.0),
    )
    table = times(runs)
    assert row(table, "banana")["LPB (s)"].note == "over 1 of 2 nu"
    last = row(table, "total")
    assert (last["LevelBoost (s)"].text, last["LPB (s)"].text) == ("1.500", "6.000")
    assert last["LPB (s)"].note == "over 1 of 2 sets"


def test_captions_say_what_is_unlike():
    assert "each fit once" in times(study()).caption


def test_totals_carry_limits():
    runs = by_key(
        *timed("heart", "LEVEL", 1.0),
        *timed("banana", "LEVEL", 2.0),
        *timed("heart", "LPB", 3.0),
        hit_limit("times", "banana", "LPB", 0.1, cpu_seconds=20.5),
    )
    last = row(times(runs), "total")
    assert (last["LevelBoost (s)"].text, last["LPB (s)"].text) == ("3.000", ">23.000")
    assert last["set"].value is None  # sorted last


def test_other_rows_are_another_set():
    runs = by_key(run("times", "twonorm", rows=200), run("times", "twonorm", m=7400))
    assert column(times(runs), "set") == ["twonorm", "twonorm (200 rows)", "total"]


def test_no_runs_no_table():
    assert times(NONE) is None
    assert times(by_key(run("cv", split=0, fold=0))) is None
