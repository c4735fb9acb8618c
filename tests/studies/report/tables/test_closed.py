"""Gaps closed by algorithm."""

from looking import row
from studies.report.tables.endings import closed_gaps
from study_runs import NONE, by_key, failed, hit_limit, run


def test_counts_seconds_and_gaps():
    runs = by_key(
        run("times", "heart", "LPB", 0.1, cpu_seconds=1.5),
        run("times", "heart", "LPB", 0.2, cpu_seconds=2.0),
        hit_limit("times", "heart", "LPB", 0.3),
        failed("times", "heart", "LPB", 0.4, kind="time"),
        run("errors", "heart", "LPB", split=0, cpu_seconds=100.0),
    )
    cells = row(closed_gaps(runs), "LPB")
    texts = {name: cell.text for name, cell in cells.items()}
    assert texts == {
        "algorithm": "LPB",
        "runs": "4",
        "closed": "2",
        "open": "1",
        "failed": "1",
        "CPU time, all (s)": "23.500",
        "median gap": "0.00800",
        "largest gap": "0.05000",
    }
    assert cells["largest gap"].runs == ("times/heart/LPB/nu=0.3",)
    assert len(cells["closed"].runs) == 2


def test_an_algorithm_that_always_failed():
    cells = row(closed_gaps(by_key(failed("times", "heart", "LPB"))), "LPB")
    assert [cells[name].text for name in ("closed", "failed", "median gap", "largest gap")] == [
        "0",
        "1",
        "-",
        "-",
    ]


def test_no_runs_no_table():
    assert closed_gaps(NONE) is None
