"""Results from their file."""

import json

import pytest

from frankboost.report.reading import read
from report.runs import failed, run, study, write


def test_all_runs_by_key(tmp_path):
    runs = study()
    assert read(write(tmp_path / "runs.jsonl", runs)) == runs


def test_the_last_line_of_a_key_counts(tmp_path):
    path = write(tmp_path / "runs.jsonl", {"first": failed(), "second": run()})
    assert [each["status"] for each in read(path).values()] == ["done"]


@pytest.mark.parametrize("torn", ['{"key": "times/bana', json.dumps(run("times", "heart")), "\xe9"])
def test_a_last_line_without_its_end_does_not_count(tmp_path, torn):
    path = write(tmp_path / "runs.jsonl", {"a": run()})
    with path.open("ab") as file:
        file.write(torn.encode("latin-1"))
    assert list(read(path)) == [run()["key"]]


@pytest.mark.parametrize("line", ["{", "[]", "3", '{"key": "a"}', ""])
def test_another_bad_line_is_named(tmp_path, line):
    path = tmp_path / "runs.jsonl"
    path.write_text(f"{json.dumps(run())}\n{line}\n{json.dumps(run())}\n")
    with pytest.raises(ValueError, match=r"runs\.jsonl, line 2: must be a JSON object with key, part"):
        read(path)


def test_an_empty_file_has_no_runs(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.touch()
    assert read(path) == {}
