"""A study of accuracy can be stopped and continued, and what goes wrong in a trial is a result."""

import pytest

from studies.__main__ import main
from studies.running.results import read

MODELS = ["SoftMarginClassifier(nu=0.5)", "HistGradientBoosting()"]


@pytest.fixture
def run(folder, tmp_path):
    """Run on the folder of sets; the status and the outcomes."""

    def run(*words):
        common = ["--data", str(folder), "--out", str(tmp_path), "--ours", MODELS[0], "--only", *MODELS]
        status = main(["accuracy", *common, "--splits", "2", "--threads", "1", *words])
        return status, list(read(tmp_path / "runs.jsonl").values())

    return run


def test_a_study_is_continued_and_ends_with_a_page_and_a_figure(run, tmp_path, capsys):
    status, outcomes = run("--sets", "mixed")
    assert status == 0
    order = [(split, model) for split in (0, 1) for model in MODELS]
    assert [(each.trial.split, each.trial.algorithm) for each in outcomes] == order
    assert all(each.done for each in outcomes)
    err = capsys.readouterr().err
    assert f"accuracy/mixed/{MODELS[1]}/split=0: error {outcomes[1].score.test_error:.4f}, log-loss " in err
    path = tmp_path / "runs.jsonl"
    path.write_bytes(path.read_bytes()[:-10])  # killed while it wrote
    _, again = run("--sets", "mixed", "ordered")
    assert again[:3] == outcomes[:3]
    last = next(each for each in again if each.key == outcomes[3].key)
    assert last.score.test_error == outcomes[3].score.test_error
    assert len(again) == 6  # the official split of a set is one
    assert "accuracy   [############............] 3/6\n" in capsys.readouterr().err
    page = (tmp_path / "accuracy.md").read_text()
    assert all(f"| {name} | 2 |" in page for name in MODELS)
    assert all(name in (tmp_path / "accuracy.svg").read_text() for name in MODELS)


def test_fits_are_repeated_and_those_of_other_conditions_refused(run, capsys):
    _, outcomes = run("--sets", "ordered")
    _, again = run("--sets", "ordered", "--forget", MODELS[0])
    assert again[1] == outcomes[1]
    assert again[0] != outcomes[0]  # other seconds
    status, _ = run("--train-rows", "100")
    assert status == 2
    assert "holds results with train_rows = 20000, not 100" in capsys.readouterr().err


def test_what_goes_wrong_is_a_result(folder, tmp_path, capsys):
    words = ["--data", str(folder), "--out", str(tmp_path), "--sets", "mixed", "--splits", "1"]
    words += ["--ours", "SoftMarginClassifier(nu=7)", "--only", MODELS[1], "SoftMarginClassifier(nu=7)"]
    assert main(["accuracy", *words]) == 0
    assert "SoftMarginClassifier(nu=7)/split=0 failed: ValueError: nu" in capsys.readouterr().err
    assert "| error | ValueError: nu" in (tmp_path / "accuracy.md").read_text()


def test_a_contestant_that_is_not_there(folder, tmp_path, capsys):
    words = ["--data", str(folder), "--out", str(tmp_path), "--only", "Nobody()"]
    assert main(["accuracy", *words]) == 2
    assert "--only must be among SoftMarginClassifier(), " in capsys.readouterr().err
