"""Lines of results survive whatever happens to the process that writes them."""

import json
import os

import pytest

from studies.running.outcome import Failure, Outcome
from studies.running.results import open_results, read
from studies.running.trial import Trial
from study_runs import run


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "runs.jsonl"


def made(name, message="out of luck"):
    """An outcome whose key begins with a name."""
    return Outcome(Trial(name, "d", "A", 0.5), Failure("error", message), "", {}, {})


A, B, C = (f"{name}/d/A/nu=0.5" for name in "abc")


def add(path, *results):
    with open_results(path) as file:
        for result in results:
            file.add(result)
        return dict(file.known)


def test_results_are_kept_in_order_and_the_last_of_a_key_counts(path):
    add(path, made("a", "1"), made("b", "2"))
    known = add(path, made("a", "3"))
    assert known == read(path) == {A: made("a", "3"), B: made("b", "2")}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["failure"]["message"] for line in lines] == ["1", "2", "3"]


def test_each_line_is_there_before_the_next_is_begun(path):
    with open_results(path) as file:
        file.add(made("a"))
        text = path.read_text()
        assert json.loads(text) == made("a").to_json()
        assert (text.count("\n"), text[-1]) == (1, "\n")


@pytest.mark.parametrize("cut", [*range(1, 18), 100, 300])
def test_a_line_that_was_cut_off_is_gone(path, cut):
    add(path, made("a"), made("b"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert list(read(path)) == [A]
    assert list(add(path, made("c"))) == [A, C]
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == [A, C]


@pytest.mark.parametrize("line", ["{", "7", '{"x": 1}', '["key"]', "\xff"])
def test_another_line_that_is_no_result_is_an_error(path, line):
    add(path, made("a"))
    with path.open("ab") as file:
        file.write(line.encode("latin-1") + b'\n{"key":"b"}\n')
    with pytest.raises(ValueError, match=r"runs\.jsonl, line 2: not a result, a JSON object with a key"):
        read(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="line 2"), open_results(path):
        pass
    assert path.read_bytes() == before


def test_one_study_at_a_time(path):
    with (
        open_results(path),
        pytest.raises(ValueError, match="is being written by another study"),
        open_results(path),
    ):
        pass
    assert add(path, made("a"))


def test_numbers_that_json_does_not_know_are_refused(path):
    strange = Outcome.from_json(run(cpu_seconds=float("nan")))
    with open_results(path) as file, pytest.raises(ValueError, match="JSON"):
        file.add(strange)
    assert read(path) == {}


def test_only_the_last_line_of_a_key_must_be_whole(path):
    add(path, made("a"))
    whole = path.read_text()
    path.write_text(json.dumps({"key": A}) + "\n" + whole)
    assert read(path) == {A: made("a")}
    path.write_text(whole + json.dumps({"key": A}) + "\n")
    with pytest.raises(
        ValueError, match=rf"runs\.jsonl: the run '{A}': Object missing required field `part`"
    ):
        read(path)


def test_a_line_that_cannot_be_written_leaves_nothing(path, monkeypatch):
    add(path, made("a"))
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    with open_results(path) as file, monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left") as raised:
            file.add(made("b"))
        assert raised.value.filename == str(path)
    assert path.read_bytes() == before
    assert list(add(path, made("c"))) == [A, C]
