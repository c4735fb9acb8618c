"""`python -m studies report`: what it writes where, and what it says when it cannot."""

import os

import pytest

from studies.__main__ import main
from study_runs import by_key, failed, run, study, write


@pytest.fixture
def results(tmp_path):
    write(tmp_path / "runs.jsonl", study())
    return tmp_path


def test_writes_a_page_tables_and_figures(results, capsys):
    assert main(["report", "--results", str(results)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines() == [
        f"370 runs: {results / 'report.html'}",
        f"8 tables: {results / 'tables'}",
        f"5 figures: {results / 'figures'}",
    ]
    assert "<!doctype html>" in (results / "report.html").read_text(encoding="utf-8").lower()
    assert (results / "tables" / "times.csv").read_text().startswith("set,m,n,LevelBoost (s),LPB (s)")
    assert len(list((results / "tables").iterdir())) == 8
    assert (results / "figures" / "gap.csv").read_text().startswith("set,series,run,CPU time (s),gap\n")


def test_the_page_can_go_elsewhere(results, tmp_path, capsys):
    page = tmp_path / "some" / "where.html"
    assert main(["report", "--results", str(results), "--out", str(page)]) == 0
    assert page.exists()
    assert not (results / "report.html").exists()
    assert str(page) in capsys.readouterr().out


def test_the_default_folder(results, monkeypatch, capsys):
    (results / "build").mkdir()
    (results / "build" / "paper").mkdir()
    (results / "runs.jsonl").rename(results / "build" / "paper" / "runs.jsonl")
    monkeypatch.chdir(results)
    assert main(["report"]) == 0
    assert (results / "build" / "paper" / "report.html").exists()


def test_missing_results_name_the_command_that_makes_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["report"]) == 2
    assert capsys.readouterr().err == (
        "python -m studies report: error: argument --results: build/paper/runs.jsonl is not there; "
        "`python -m studies paper` makes it\n"
    )
    assert main(["report", "--results", "build/paper-full"]) == 2
    assert "; `python -m studies paper --full` makes it" in capsys.readouterr().err
    assert main(["report", "--results", "other"]) == 2
    assert (
        "other/runs.jsonl is not there; `python -m studies paper --out other` makes it"
        in capsys.readouterr().err
    )


def test_results_of_another_study_have_no_page_here(tmp_path, capsys):
    write(tmp_path / "runs.jsonl", by_key(run("compare", "heart", "LPB")))
    assert main(["report", "--results", str(tmp_path)]) == 2
    assert "has no finished run of `python -m studies paper` yet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "has no finished run of `python -m studies paper` yet"),
        ("{}\n", "line 1: not a result"),
        ('{"key": "a"}\n', "runs.jsonl: the run 'a': Object missing required field `part`"),
        ("{", "no finished run"),
    ],
)
def test_bad_results(tmp_path, capsys, content, message):
    (tmp_path / "runs.jsonl").write_text(content)
    assert main(["report", "--results", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "report.html").exists()


def test_what_the_report_no_longer_has_is_removed(results, capsys):
    failure = failed("times", "heart", "LPB", 0.5)
    write(results / "runs.jsonl", study() | by_key(failure))
    assert main(["report", "--results", str(results)]) == 0
    for name in ("tables/my.csv", "tables/failures.txt", "figures/my.csv"):
        (results / name).touch()
    assert (results / "tables" / "failures.csv").exists()
    write(results / "runs.jsonl", by_key(run("times", "heart", "LPB", 0.5)))
    assert main(["report", "--results", str(results)]) == 0
    assert {path.name for path in (results / "tables").iterdir()} == {
        "times.csv", "closed.csv", "my.csv", "failures.txt",
    }  # fmt: skip
    assert {path.name for path in (results / "figures").iterdir()} == {"soft-margin.csv", "gap.csv", "my.csv"}


def test_a_file_in_the_way(results, capsys):
    (results / "tables").touch()
    assert main(["report", "--results", str(results)]) == 1
    assert f"{results / 'tables'} cannot be written: File exists" in capsys.readouterr().err


def test_help_teaches(capsys):
    assert main(["report", "--help"]) == 0
    out = capsys.readouterr().out
    assert "python -m studies paper && python -m studies report" in out
    assert "(default: build/paper)" in out


def test_a_disk_that_is_full_keeps_the_old_report(results, capsys, monkeypatch):
    assert main(["report", "--results", str(results)]) == 0
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    write(results / "runs.jsonl", by_key(run("times", "heart", "LPB", 0.5)))
    capsys.readouterr()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["report", "--results", str(results)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"python -m studies report: {results / 'tables'}")
    assert err.endswith(" cannot be written: No space left on device\n")
    after = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    before[results / "runs.jsonl"] = after[results / "runs.jsonl"]
    assert after == before
