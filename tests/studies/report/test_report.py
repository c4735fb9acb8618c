"""The whole report from the whole study."""

import pytest

from studies.report import TABLES, build_report
from study_runs import NONE, by_key, failed, run, study


def test_everything_is_there():
    runs = study()
    report = build_report(runs)
    assert [table.name for table in report.tables] == [
        "times", "speedup", "times-paper", "closed",
        "errors", "errors-algorithms", "cross-validation", "worst-case",
    ]  # fmt: skip
    assert len(report.figures) == 5
    assert len(report.remarks) == 1
    assert report.summary.sentence.startswith("LevelBoost proves its answer on all 10 problems")
    for words in ("MLPB (PFW) are MLPBoost with", "LevelBoost takes up to 20 trees", "are limits"):
        assert words in report.legend
    assert "the others take one tree per round, as in the paper" in report.legend
    assert report.byline.startswith("Abacus 3000, ")
    assert report.byline.endswith(" · 2026-11-15")


def test_tables_have_the_names_they_are_known_by():
    report = build_report(study() | by_key(failed("times", "heart", "LPB", 0.5)))
    assert [table.name for table in report.tables] == list(TABLES)


def test_runs_come_without_their_curves():
    runs = study()
    report = build_report(runs)
    assert tuple(report.runs) == runs.keys
    first = next(iter(report.runs.values()))
    assert "trace" not in first
    assert "test_curve" not in first
    assert first["certificate"]["gap"] == pytest.approx(0.008)


def test_every_cell_points_to_runs_that_exist():
    report = build_report(study() | by_key(failed("times", "heart", "LPB", 0.5)))
    assert report.tables[-1].name == "failures"
    for table in report.tables:
        assert table.caption
        assert table.title
        for row in table.lines:
            assert len(row) == len(table.columns)
            assert all(key in report.runs for cell in row for key in cell.runs)
    for figure in report.figures:
        assert all(line.run in report.runs for lines in figure.panels.values() for line in lines)


def test_sorted_columns_are_of_one_kind():
    for table in build_report(study() | by_key(failed("times", "heart", "LPB", 0.5))).tables:
        for column in zip(*table.rows, strict=True):
            kinds = {type(cell.value) for cell in column if cell.value is not None}
            assert len(kinds) <= 1, table.name


def test_totals_and_averages_are_summaries():
    summaries = {table.name: [row[0].text for row in table.summary] for table in build_report(study()).tables}
    assert {name: set(words) for name, words in summaries.items() if words} == {
        "times": {"total"}, "speedup": {"average"}, "times-paper": {"average"}, "errors-algorithms": {"mean"},
    }  # fmt: skip


def test_no_runs():
    report = build_report(NONE)
    assert (report.tables, report.figures, report.runs, report.summary) == ((), (), {}, None)
    assert report.remarks == ("There are no runs yet.",)


def test_a_study_that_has_just_begun():
    for part in ("times", "curves", "cv", "errors"):
        split = None if part == "times" else 0
        for first in (run(part, "heart", "LEVEL", split=split), failed(part, "heart", "LEVEL", split=split)):
            assert (
                build_report(by_key(first)).remarks[0].startswith(f"1 run ({part} 1) on 1 data set (heart)")
            )
