"""`python -m studies paper`: which study, where to, and how it ends."""

import os

import numpy as np
import pandas as pd
import pytest

from studies.__main__ import main
from studies.commands import study
from studies.running.results import open_results, read

SMALL = ["paper", "--parts", "worst-case", "--algorithms", "LEVEL,LPB"]


def test_results_are_where_they_were_asked_for(tmp_path, capsys):
    assert main([*SMALL, "--out", str(tmp_path / "here")]) == 0
    out, err = capsys.readouterr()
    path = tmp_path / "here" / "runs.jsonl"
    assert (
        out
        == f"2 results in {path}\na page of them: python -m studies report --results {tmp_path / 'here'}\n"
    )
    assert err.splitlines()[-1] == "worst-case [########################] 2/2"
    results = read(path)
    assert {each.trial.algorithm: each.fit.rounds for each in results.values()} == {"LEVEL": 2, "LPB": 33}
    assert {each.trial.time_limit for each in results.values()} == {0.75}
    assert main([*SMALL, "--out", str(tmp_path / "here")]) == 0
    assert len(path.read_text().splitlines()) == 2


def test_the_default_folder_is_that_of_the_report(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(SMALL) == 0
    assert (tmp_path / "build" / "paper" / "runs.jsonl").exists()
    assert capsys.readouterr().out.endswith("a page of them: python -m studies report\n")


def test_limits_are_passed_on(tmp_path):
    limits = ["--time-limit", "7", "--memory-limit", "2"]
    assert main([*SMALL, *limits, "--out", str(tmp_path)]) == 0
    settings = {
        (each.trial.time_limit, each.trial.memory_limit) for each in read(tmp_path / "runs.jsonl").values()
    }
    assert settings == {(7.0, 2.0)}


def test_nu_is_what_was_asked_for(tmp_path, monkeypatch):
    planned = []
    monkeypatch.setattr(study, "run_missing", lambda trials, *_, **settings: planned.extend(trials))
    words = ["--parts", "times,worst-case", "--datasets", "wisconsin", "--nus", "0.5, 0.45,0.5"]
    assert main(["paper", "--algorithms", "LEVEL", *words, "--out", str(tmp_path)]) == 0
    assert [trial.nu for trial in planned] == [1 / 64, 0.5, 0.45]


def test_failures_are_told_and_the_status_says_so(tmp_path, capsys):
    little = [*SMALL, "--memory-limit", "0.05", "--out", str(tmp_path)]
    assert main(little) == 1
    out, err = capsys.readouterr()
    assert "2 of them failed (see there, or --retry)" in out
    assert "worst-case/worst-case-64/LPB/nu=0.015625 failed: " in err
    assert main([*SMALL, "--retry", "--out", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--full", "--quick"], "not allowed with argument"),
        (["--parts", "tims"], "must be names from worst-case, cv, errors, curves, times; got 'tims'"),
        (["--datasets", "iris"], "must be names from banana, breast-cancer"),
        (
            ["--datasets", "banana"],
            "argument --datasets: --quick has wisconsin, twonorm, ringnorm, waveform; got 'banana'",
        ),
        (["--algorithms", "XGB"], "must be names from LEVEL, LPB"),
        (["--time-limit", "0"], "argument --time-limit: must be a finite number > 0; got '0'"),
        (["--nus", "0.3,1.5"], "argument --nus: must be a number in (0, 1]; got '1.5'"),
        (["--nus", ","], "argument --nus: must be a number in (0, 1]; got ','"),
        (["--jobs", "0"], "argument --jobs: must be an integer >= 1; got '0'"),
    ],
)
def test_bad_arguments(words, message, capsys, tmp_path):
    assert main(["paper", *words, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_missing_data_are_told_before_anything_runs(tmp_path, capsys):
    assert main(["paper", "--full", "--data-dir", str(tmp_path / "no"), "--out", str(tmp_path / "out")]) == 2
    assert "argument --data-dir: the data set 'banana' is not here" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_errors_before_their_cross_validation(tmp_path, capsys):
    assert main(["paper", "--parts", "errors", "--datasets", "twonorm", "--out", str(tmp_path)]) == 0
    assert "errors     2 splits have no nu yet: finish --parts cv first" in capsys.readouterr().err


def test_two_studies_in_one_folder(tmp_path, capsys):
    with open_results(tmp_path / "runs.jsonl"):
        assert main([*SMALL, "--out", str(tmp_path)]) == 2
    assert "is being written by another study" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main([*SMALL, "--out", str(tmp_path / "file")]) == 2
    assert "argument --out: must be a folder; " in capsys.readouterr().err


def test_an_interrupt_says_how_to_go_on(tmp_path, capsys, monkeypatch):
    def interrupted(*words, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(study, "run_missing", interrupted)
    assert main([*SMALL, "--out", str(tmp_path)]) == 130
    assert f"what is finished is in {tmp_path / 'runs.jsonl'}: the same command" in capsys.readouterr().err


def test_a_disk_that_is_full(tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main([*SMALL, "--out", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert (
        err.splitlines()[-1] == f"python -m studies paper: {tmp_path / 'runs.jsonl'}: No space left on device"
    )
    assert (tmp_path / "runs.jsonl").read_text() == ""


def test_the_papers_own_test_is_for_its_algorithms(tmp_path, capsys):
    assert main([*SMALL, "--stopping", "paper", "--out", str(tmp_path)]) == 0
    trials = {each.trial.algorithm: each.trial for each in read(tmp_path / "runs.jsonl").values()}
    assert {name: trial.stopping for name, trial in trials.items()} == {"LEVEL": "gap", "LPB": "paper"}
    assert trials["LPB"].key == "worst-case/worst-case-64/LPB/nu=0.015625/stopping=paper"
    capsys.readouterr()
    assert main([*SMALL, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"python -m studies paper: error: argument --out: {tmp_path / 'runs.jsonl'} holds results with "
        "stopping = paper, not gap; choose another folder with --out\n"
    )


def test_help_tells_of_the_tests(capsys):
    assert main(["paper", "--help"]) == 0
    assert "bound - smoothed soft margin <= tol/2" in " ".join(capsys.readouterr().out.split())


def own(folder, count=60):
    """Two sets of one's own: numbers, and categories with gaps."""
    rng = np.random.default_rng(0)
    x, land = rng.normal(size=count), rng.choice(["at", "be", "ch"], count)
    y = np.where(x > rng.normal(0, 0.3, count), "yes", "no")
    folder.mkdir()
    pd.DataFrame({"x": x, "z": -x, "y": y}).to_csv(folder / "numbers.csv", index=False)
    pd.DataFrame({"land": land, "x": x, "y": y}).replace("be", None).to_parquet(folder / "lands.parquet")
    return ["paper", "--data", str(folder), "--parts", "times", "--algorithms", "LEVEL", "--time-limit", "5"]


def test_sets_of_ones_own(tmp_path, capsys):
    command = [*own(tmp_path / "mine"), "--out", str(tmp_path / "out")]
    assert main(command) == 0
    results = read(tmp_path / "out" / "runs.jsonl").values()
    assert {(each.trial.dataset, each.trial.nu) for each in results} == {
        (name, nu) for name in ("numbers", "lands") for nu in (0.1, 0.3)
    }
    assert all(each.done for each in results)
    assert {each.fit.m for each in results} == {60}
    assert "categories" in next(
        each.fit.certificate.hypothesis_class for each in results if each.trial.dataset == "lands"
    )
    own(tmp_path / "more", 40)
    (tmp_path / "more" / "lands.parquet").unlink()
    assert main([*command[:2], str(tmp_path / "more"), *command[3:]]) == 2
    assert "argument --data: numbers is not what it was when the study began" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "y"], "argument --target: must be given with --data"),
        (["--data", "mine", "--datasets", "twonorm"], "argument --datasets: cannot be given with --data"),
        (["--data", "mine", "--target", "q"], "argument --data: mine/lands.parquet: there is no column 'q'"),
        (["--data", "mine/numbers.csv", "--data", "mine"], "has the name 'numbers' of another of --data"),
        (["--data", "banana.csv"], "banana.csv has the name 'banana' of a set that comes with"),
        (["--data", "-"], "argument --data: must be a file or a folder, whose name is"),
        (["--data", "empty"], "argument --data: empty has no file that ends with .csv"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_set_of_ones_own(words, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own(tmp_path / "mine")
    (tmp_path / "banana.csv").write_bytes((tmp_path / "mine" / "numbers.csv").read_bytes())
    (tmp_path / "empty").mkdir()
    assert main(["paper", *words, "--out", "out"]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
