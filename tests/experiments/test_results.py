"""Lines of results survive whatever happens to the process that writes them."""

import json

import pytest

from frankboost.experiments.results import ResultsFile, read


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "runs.jsonl"


def add(path, *results):
    with ResultsFile(path) as file:
        for result in results:
            file.add(result)
        return dict(file.known)


def test_results_are_kept_in_order_and_the_last_of_a_key_counts(path):
    add(path, {"key": "a", "x": 1}, {"key": "b", "x": 2})
    known = add(path, {"key": "a", "x": 3})
    assert known == read(path) == {"a": {"key": "a", "x": 3}, "b": {"key": "b", "x": 2}}
    assert [json.loads(line)["x"] for line in path.read_text().splitlines()] == [1, 2, 3]


def test_each_line_is_there_before_the_next_is_begun(path):
    with ResultsFile(path) as file:
        file.add({"key": "a"})
        assert path.read_text() == '{"key":"a"}\n'


@pytest.mark.parametrize("cut", range(1, 18))
def test_a_line_that_was_cut_off_is_gone(path, cut):
    add(path, {"key": "a", "x": 1}, {"key": "b", "x": 22})
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert list(read(path)) == ["a"]
    assert list(add(path, {"key": "c"})) == ["a", "c"]
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "c"]


@pytest.mark.parametrize("line", ["{", "7", '{"x": 1}', '["key"]', "\xff"])
def test_another_line_that_is_no_result_is_an_error(path, line):
    add(path, {"key": "a"})
    with path.open("ab") as file:
        file.write(line.encode("latin-1") + b'\n{"key":"b"}\n')
    with pytest.raises(ValueError, match=r"runs\.jsonl, line 2: not a result, a JSON object with a key"):
        read(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="line 2"), ResultsFile(path):
        pass
    assert path.read_bytes() == before


def test_one_study_at_a_time(path):
    with (
        ResultsFile(path),
        pytest.raises(ValueError, match="is being written by another study"),
        ResultsFile(path),
    ):
        pass
    assert add(path, {"key": "a"})


def test_numbers_that_json_does_not_know_are_refused(path):
    with ResultsFile(path) as file, pytest.raises(ValueError, match="JSON"):
        file.add({"key": "a", "x": float("nan")})
    assert read(path) == {}
