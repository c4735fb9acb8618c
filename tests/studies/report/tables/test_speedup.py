"""LevelBoost against the others over the nu that both have."""

import pytest

from looking import column, row
from studies.report.tables.times import is_faster, paired_outcomes, speedup
from study_runs import NONE, by_key, failed, hit_limit, run, study


def test_sums_over_nu():
    runs = by_key(
        run("times", "heart", "LEVEL", 0.1, cpu_seconds=1.0),
        run("times", "heart", "LEVEL", 0.2, cpu_seconds=3.0),
        run("times", "heart", "LPB", 0.1, cpu_seconds=9.0),
        run("times", "heart", "LPB", 0.2, cpu_seconds=1.0),
    )
    table = speedup(runs)
    assert table.columns == ("set", "LPB / LevelBoost")
    cell = row(table, "heart")["LPB / LevelBoost"]
    assert cell.text == "2.50"
    assert cell.note == "LPB is faster at nu = 0.2"
    assert len(cell.runs) == 4


def test_only_what_both_have():
    runs = by_key(
        run("times", "heart", "LEVEL", 0.1, cpu_seconds=1.0),
        run("times", "heart", "LEVEL", 0.2, cpu_seconds=100.0),
        run("times", "heart", "LEVEL", 0.3, cpu_seconds=100.0),
        run("times", "heart", "LPB", 0.1, cpu_seconds=9.0),
        failed("times", "heart", "LPB", 0.3, kind="crash"),
    )
    cell = row(speedup(runs), "heart")["LPB / LevelBoost"]
    assert (cell.text, cell.note) == ("9.00", "over 1 of 3 nu")


def test_limits():
    runs = by_key(
        run("times", "heart", "LEVEL", 0.1, cpu_seconds=2.0),
        hit_limit("times", "heart", "LPB", 0.1),
        hit_limit("times", "banana", "LEVEL", 0.1),
        run("times", "banana", "LPB", 0.1, cpu_seconds=5.0),
        hit_limit("times", "titanic", "LEVEL", 0.1),
        hit_limit("times", "titanic", "LPB", 0.1),
    )
    table = speedup(runs)
    assert column(table, "LPB / LevelBoost") == ["<0.25", ">10.00", "-", "-"]
    assert row(table, "heart")["LPB / LevelBoost"].note == "LPB: 1 of 1 struck the limit"
    assert row(table, "banana")["LPB / LevelBoost"].note == (
        "LevelBoost: 1 of 1 struck the limit; LPB is faster at nu = 0.1"
    )


def test_the_average_is_geometric():
    runs = by_key(
        run("times", "heart", "LEVEL", cpu_seconds=1.0),
        run("times", "heart", "LPB", cpu_seconds=4.0),
        run("times", "banana", "LEVEL", cpu_seconds=1.0),
        hit_limit("times", "banana", "LPB", time_limit=25.0),
    )
    assert row(speedup(runs), "average")["LPB / LevelBoost"].text == ">10.00"


def test_a_half_finished_set_is_noted_and_not_in_the_average():
    runs = by_key(
        run("times", "heart", "LEVEL", 0.1, cpu_seconds=1.0),
        run("times", "heart", "LEVEL", 0.2, cpu_seconds=1.0),
        run("times", "heart", "LPB", 0.1, cpu_seconds=2.0),
        run("times", "heart", "LPB", 0.2, cpu_seconds=2.0),
        run("times", "banana", "LEVEL", 0.1, cpu_seconds=1.0),
        run("times", "banana", "LPB", 0.1, cpu_seconds=8.0),
    )
    table = speedup(runs)
    assert row(table, "banana")["LPB / LevelBoost"].note == "over 1 of 2 nu"
    average = row(table, "average")["LPB / LevelBoost"]
    assert (average.text, average.note) == ("2.00", "over 1 of 2 sets")


@pytest.mark.parametrize(
    ("ours", "rival", "lost"),
    [
        (run(cpu_seconds=2.0), run(algorithm="LPB", cpu_seconds=1.0), True),
        (run(cpu_seconds=1.0), run(algorithm="LPB", cpu_seconds=1.0), False),
        (hit_limit(), run(algorithm="LPB", cpu_seconds=19.0), True),
        (run(cpu_seconds=19.0), hit_limit(algorithm="LPB"), False),
        (hit_limit(), hit_limit(algorithm="LPB", cpu_seconds=19.0), False),
        (run(cpu_seconds=5.0), run(algorithm="LPB", cpu_seconds=3.0, status="stalled"), False),
        (run(cpu_seconds=3.0, status="stalled"), run(algorithm="LPB", cpu_seconds=5.0), False),
    ],
)
def test_losing_is_being_slower_for_certain(ours, rival, lost):
    ((one, other),) = paired_outcomes(by_key(ours, rival), "LPB")
    assert is_faster(other, one) is lost


def test_who_failed_fights_no_duel():
    assert paired_outcomes(by_key(run(), failed(algorithm="LPB")), "LPB") == []
    assert paired_outcomes(by_key(failed(), run(algorithm="LPB")), "LPB") == []


def test_nothing_to_compare_no_table():
    assert speedup(NONE) is None
    assert speedup(by_key(run())) is None
    assert speedup(by_key(run("times", "heart", "LPB"))) is None


def test_every_rival_has_a_column():
    assert len(speedup(study()).columns) == 1 + 6
