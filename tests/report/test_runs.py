"""The made-up runs look like those of the runner."""

import json

from report.runs import failed, run, struck, study, write


def test_keys_are_unique_and_say_what_was_run():
    runs = study()
    assert len(runs) == 2 * (7 * 5 + 7 + 5 * 25 + 7 + 4) + 2 * 7
    assert "times/banana/LPB/nu=0.1" in runs
    assert "cv/heart/LEVEL/nu=0.5/split=4/fold=0" in runs
    assert "worst-case/worst-case-64/LPB/nu=0.015625" in runs


def test_every_run_has_the_same_fields():
    assert run().keys() == struck().keys() == failed().keys()
    assert struck()["certificate"]["status"] == "time_limit"
    assert failed("times", "heart", kind="memory")["failure"]["kind"] == "memory"


def test_written_one_a_line(tmp_path):
    lines = write(tmp_path / "runs.jsonl", {"a": run(), "b": failed()}).read_text().splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["done", "failed"]
