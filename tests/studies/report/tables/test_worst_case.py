"""Rounds on LPBoost's worst case."""

from looking import column
from studies.report.tables.endings import worst_case
from study_runs import NONE, by_key, failed, hit_limit, run, study


def test_rounds_beside_the_papers():
    table = worst_case(study(worst_cases=(128, 64)))
    assert column(table, "N") == ["64", "128"]
    assert column(table, "LPB (rounds)") == column(table, "LPB, paper (rounds)") == ["32", "64"]
    assert column(table, "ERLPB (rounds)") == column(table, "MLPB and ERLPB, paper (rounds)") == ["2", "2"]


def test_early_ends_failures_and_gaps():
    def case(make, n, algorithm, **fields):
        return make("worst-case", "worst-case", algorithm, 1 / n, rows=n, **fields)

    table = worst_case(
        by_key(
            case(run, 64, "LEVEL"),
            case(hit_limit, 64, "FW", rounds=99),
            case(failed, 128, "FW", kind="crash"),
        )
    )
    assert column(table, "LevelBoost (rounds)") == ["4", "-"]
    assert column(table, "MLPB (SS only) (rounds)") == [">99", "failed"]
    assert table.rows[0][2].note == "1 of 1 struck the limit"


def test_no_runs_no_table():
    assert worst_case(NONE) is None
