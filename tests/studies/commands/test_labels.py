"""A study of wrong labels can be stopped and continued, and ends with a page."""

from studies.__main__ import main
from studies.running.results import read


def run(folder, *words):
    common = ["--sets", "twonorm", "--rows", "80", "--test-rows", "100", "--only", "label_issues"]
    return main(["labels", "--out", str(folder), *common, *words])


def test_a_study_is_continued_and_ends_with_a_page(tmp_path, capsys):
    assert run(tmp_path, "--noises", "20 %") == 0
    [first] = read(tmp_path / "runs.jsonl").values()
    assert first.labels.wrong == 16
    assert 0 < first.labels.found <= first.labels.flagged
    assert "labels/twonorm/20 %/label_issues: " in capsys.readouterr().err
    assert run(tmp_path, "--noises", "20 %", "none") == 0
    again = list(read(tmp_path / "runs.jsonl").values())
    assert again[0] == first
    assert again[1].labels.flagged_right is not None
    text = (tmp_path / "labels.md").read_text(encoding="utf-8")
    assert "| label_issues |" in text
    assert "of rows that the Bayes rule gets right" in text


def test_sets_that_are_not_there(tmp_path, capsys):
    assert main(["labels", "--out", str(tmp_path), "--sets", "nowhere"]) == 2
    assert "--sets must be among twonorm" in capsys.readouterr().err
