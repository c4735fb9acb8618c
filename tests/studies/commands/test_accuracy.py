"""A run can be stopped and continued, and what goes wrong in a trial is a result."""

import json
import os
from importlib import import_module

import pytest

from studies.__main__ import main

MODELS = ["SoftMarginClassifier(nu=0.5)", "HistGradientBoosting()"]


@pytest.fixture
def run(folder, tmp_path):
    """Run on the folder of sets; the lines of results."""

    def run(*words):
        common = ["--data", str(folder), "--out", str(tmp_path), "--ours", MODELS[0], "--only", *MODELS]
        main(["accuracy", *common, "--splits", "2", "--threads", "1", *words])
        return [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]

    return run


def test_a_run_is_continued_and_ends_with_a_page_and_a_figure(run, tmp_path, capsys):
    lines = run("--sets", "mixed")
    order = [(split, model) for split in (0, 1) for model in MODELS]
    assert [(line["split"], line["model"]) for line in lines] == order
    assert all(line["status"] == "done" for line in lines)
    path = tmp_path / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-10])  # killed while it wrote
    again = run("--sets", "mixed", "ordered")
    assert again[:3] == lines[:3]
    assert again[-1]["error"] == lines[3]["error"]
    assert len(again) == 6  # the official split of a set is one
    assert "6 trials, 3 of them done" in capsys.readouterr().err
    page = (tmp_path / "accuracy.md").read_text()
    assert all(f"| {name} | 2 |" in page for name in MODELS)
    assert all(name in (tmp_path / "accuracy.svg").read_text() for name in MODELS)


def test_lines_are_forgotten_and_those_of_other_conditions_refused(run, tmp_path, capsys):
    lines = run("--sets", "ordered")
    again = run("--sets", "ordered", "--forget", MODELS[0])
    assert again[0] == lines[1]
    assert [line["model"] for line in again] == MODELS[::-1]
    run("--train-rows", "100")
    assert "has train_rows = 20000, not 100" in capsys.readouterr().err


def test_what_goes_wrong_is_a_result(folder):
    trial = import_module("studies.accuracy.trial")
    outcome = import_module("studies.accuracy.runner").outcome
    path = folder / "large" / "mixed.npz"
    late = outcome(trial.Trial("mixed", 0, "RandomForest()", 100, 100, 1), path, 0.001)
    assert late == trial.Failure("time", "no result after 0.001 seconds")
    wrong = outcome(trial.Trial("mixed", 0, "SoftMarginClassifier(nu=7)", 100, 100, 1), path, 60.0)
    assert (wrong.status, wrong.message[:14]) == ("error", "ValueError: nu")


def test_a_crash_is_a_result():
    runner, trial = import_module("studies.accuracy.runner"), import_module("studies.accuracy.trial")
    for target, words, said in [(os._exit, (3,), "with exit status 3"), (os.abort, (), "by SIGABRT")]:
        ours, theirs = runner.context(1).Pipe()
        process = runner.context(1).Process(target=target, args=words)
        process.start()
        theirs.close()
        result = runner._received(ours, process)
        assert isinstance(result, trial.Failure)
        assert result.status == "crash"
        assert said in result.message
