"""The comparison of algorithms: what it prints where, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from frankboost.datasets import twonorm
from studies.__main__ import main
from studies.algorithms import ALGORITHMS
from studies.commands import compare
from studies.running.results import read


@pytest.fixture
def tiny(tmp_path):
    data = twonorm(40, 3)
    names = [f"x{f}" for f in range(4)]
    lines = [",".join([*names, "colour", "label"])]
    for x, y in zip(data.X[:, :4], data.y, strict=True):
        lines.append(",".join([*map(str, x), "red" if x[0] > 0 else "blue", "yes" if y > 0 else "no"]))
    path = tmp_path / "tiny.csv"
    path.write_text("\n".join(lines))
    return str(path)


@pytest.fixture
def small_sets(monkeypatch):
    """In place of the minute that the embedded ones take."""
    monkeypatch.setattr(compare, "SMALL_SETS", [("twonorm", 40)])


def test_compare_prints_a_table_for_each_data_set(small_sets, capsys):
    options = ["--tol", "0.05", "--max-depth", "1", "--max-bins", "7", "--nu", "0.5", "--jobs", "1"]
    assert main(["compare", *options]) == 0
    out, err = capsys.readouterr()
    assert err.splitlines()[-1] == "worst-case [########################] 7/7"
    assert "\x1b" not in out
    assert "\r" not in out
    first, second, text = out.split("\n\n")
    title, head, *rows = first.splitlines()
    assert title == (
        "twonorm: m = 40, n = 20, nu = 0.5, tol = 0.05, depth-1 trees over 20 features, "
        "at most 7 thresholds per feature"
    )
    assert head.split()[:4] == ["algorithm", "rounds", "hypotheses", "support"]
    assert [line.split()[0] for line in rows] == list(ALGORITHMS)
    status = head.index("status")
    assert all(line[status:].startswith("optimal ") and line[status - 1] == " " for line in rows)
    assert len({len(line) for line in rows} | {len(head)}) == 1

    title, _, *rows = second.splitlines()
    assert title == (
        "worst-case: m = 64, n = 1, nu = 0.015625, tol = 0.05, the 33 hypotheses of LPBoost's worst case"
    )
    rounds = {line.split()[0]: int(line.split()[1]) for line in rows}
    assert rounds["LPB"] == 33
    assert max(rounds[name] for name in ("LEVEL", "ERLPB", "MLPB-SS", "MLPB-PFW")) < 5
    assert "soft margin <= optimum <= bound" in text
    assert "14 of 14 fits are certified" in " ".join(text.split())


def test_the_embedded_problems(monkeypatch, capsys):
    planned = []
    monkeypatch.setattr(compare, "_compare", lambda trials, *_: planned.extend(trials))
    assert main(["compare", "--algorithms", "LEVEL,FW"]) == 0
    assert [(each.dataset, each.rows, each.nu, each.max_bins) for each in planned[::2]] == [
        ("wisconsin", 569, 0.1, 15),
        ("twonorm", 200, 0.3, 31),
        ("ringnorm", 150, 0.3, 31),
        ("waveform", 300, 0.3, 31),
        ("worst-case", 64, 1 / 64, None),
    ]
    assert [each.time_limit for each in planned[:2]] == [30.0, 1.0]
    planned.clear()
    assert main(["compare", "--algorithms", "LEVEL", "--nu", "0.4", "--max-bins", "all"]) == 0
    assert {(each.nu, each.max_bins) for each in planned} == {(0.4, None), (1 / 64, None)}


def test_json_is_all_of_standard_output(tiny, capsys):
    options = ["--nu", "0.4", "--tol", "0.05", "--algorithms", "mlpb-pfw, lpb", "--max-bins", "all"]
    assert main(["compare", "--data", tiny, "--target", "label", "--json", *options]) == 0
    out, err = capsys.readouterr()
    results = json.loads(out)
    assert [each["algorithm"] for each in results] == ["MLPB-PFW", "LPB"]
    for each in results:
        assert (each["nu"], each["tol"], each["max_depth"], each["max_bins"]) == (0.4, 0.05, 2, None)
        assert (each["dataset"], each["m"], each["n_features"], each["time_limit"]) == ("tiny", 40, 5, 30.0)
        promise = each["certificate"]
        assert promise["gap"] == promise["bound"] - promise["soft_margin"] <= 0.05
        assert promise["hypothesis_class"].startswith(
            "depth-2 trees over 5 features, all thresholds and subsets of categories"
        )
        assert promise["exact"]
        assert promise["status"] == "optimal"
    assert "MLPB-PFW" in err
    assert "\x1b" not in err


def test_columns_can_be_left_out(tiny, capsys):
    command = ["compare", "--data", tiny, "--target", "label", "--algorithms", "level", "--tol", "0.1"]
    assert main([*command, "--ignore", "colour, x0", "--json"]) == 0
    [result] = json.loads(capsys.readouterr().out)
    assert result["n_features"] == 3
    assert "categories" not in result["certificate"]["hypothesis_class"]


def test_parquet_is_the_same_as_csv(tiny, tmp_path, capsys):
    pd.read_csv(tiny).to_parquet(tmp_path / "tiny.parquet")
    found = []
    for path in (tiny, str(tmp_path / "tiny.parquet")):
        command = ["compare", "--data", path, "--target", "label", "--algorithms", "level", "--json"]
        assert main([*command, "--tol", "0.1"]) == 0
        [result] = json.loads(capsys.readouterr().out)
        found.append((result["certificate"], result["rounds"], result["training_error"]))
    assert found[0] == found[1]


def test_a_fit_that_ends_early_says_so(tiny, capsys):
    options = ["--tol", "1e-9", "--time-limit", "1e-9", "--algorithms", "fw,pfw"]
    assert main(["compare", "--data", tiny, "--target", "label", *options]) == 0
    out = capsys.readouterr().out
    assert out.count("time_limit") == 2
    assert "0 of 2 fits are certified" in " ".join(out.split())


def test_a_guess_is_not_called_a_certificate(tiny, capsys):
    options = ["--tol", "0.5", "--max-depth", "3", "--algorithms", "erlpb"]
    assert main(["compare", "--data", tiny, "--target", "label", *options]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "0 of 1 fits are certified" in out
    assert " closed " in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--nu 2", "argument --nu: must be a number in (0, 1]; got '2'"),
        ("--nu nan", "argument --nu: must be a number in (0, 1]; got 'nan'"),
        ("--nu x", "argument --nu: must be a number in (0, 1]; got 'x'"),
        ("--tol 0", "argument --tol: must be a finite number > 0; got '0'"),
        ("--time-limit inf", "argument --time-limit: must be a finite number > 0; got 'inf'"),
        ("--max-depth 1.5", "argument --max-depth: must be an integer in [1, 2147483647]; got '1.5'"),
        ("--max-bins 256", "argument --max-bins: must be an integer in [1, 255] or all; got '256'"),
        ("--jobs none", "argument --jobs: must be an integer in [1, 1024] or all; got 'none'"),
        (
            "--algorithms LPB,XGB",
            "argument --algorithms: must be names from LEVEL, LPB, ERLPB, FW, PFW, MLPB-SS, MLPB-PFW, "
            "LEVEL-1, SOFTBOOST, IN-OUT, ADABOOST, ADABOOST-STAR, ARC-GV, HEDGE, MADABOOST, LOGISTIC, "
            "SMOOTHBOOST, MDBOOST or all; got 'XGB'",
        ),
        (
            "--algorithms ,",
            "argument --algorithms: must be names from LEVEL, LPB, ERLPB, FW, PFW, MLPB-SS, MLPB-PFW, "
            "LEVEL-1, SOFTBOOST, IN-OUT, ADABOOST, ADABOOST-STAR, ARC-GV, HEDGE, MADABOOST, LOGISTIC, "
            "SMOOTHBOOST, MDBOOST or all; got ','",
        ),
        ("--target y", "argument --target: must be given with --data"),
        ("--ignore x", "argument --ignore: must be given with --data"),
        ("--data no.csv --target y", "argument --data: no.csv cannot be read: No such file or directory"),
    ],
)
def test_a_bad_value_is_one_line_and_status_2(options, message, capsys):
    assert main(["compare", *options.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"python -m studies compare: error: {message}\n"


def test_a_wrong_target_suggests_the_nearest(tiny, capsys):
    assert main(["compare", "--data", tiny, "--target", "lable"]) == 2
    assert capsys.readouterr().err.endswith("there is no column 'lable'; did you mean 'label'?\n")


def test_what_is_kept_is_not_repeated(tiny, tmp_path, capsys):
    command = ["compare", "--data", tiny, "--tol", "0.1", "--out", str(tmp_path / "kept"), "--jobs", "1"]
    assert main([*command, "--algorithms", "level"]) == 0
    known = read(tmp_path / "kept" / "runs.jsonl")
    capsys.readouterr()
    assert main([*command, "--algorithms", "level,lpb"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()[2:4]] == ["LEVEL", "LPB"]
    assert err.startswith("tiny       [############............] 1/2")
    assert known.items() < read(tmp_path / "kept" / "runs.jsonl").items()


def test_ctrl_c_at_the_beginning_is_heard_by_the_study_alone(tiny):
    process = subprocess.Popen(
        [sys.executable, "-m", "studies", "compare", "--data", tiny, "--algorithms", "fw"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr.readline() == "tiny       [........................] 0/1\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "tiny       [........................] 0/1\ninterrupted\n"


def test_a_real_signal_ends_a_real_process(tiny, tmp_path):
    command = [sys.executable, "-m", "studies", "compare", "--data", tiny, "--tol", "1e-9", "--json"]
    process = subprocess.Popen(
        [*command, "--algorithms", "level,fw", "--time-limit", "60", "--out", str(tmp_path / "out")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    path = tmp_path / "out" / "runs.jsonl"
    while not (path.exists() and path.read_bytes().endswith(b"\n")):
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(1.0)  # an interrupt while it is on its way to the disk takes the line back
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"what is finished is in {path}: the same command goes on from there" in err
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err
    assert "\nLEVEL " in err
    assert [each["algorithm"] for each in json.loads(out)] == ["LEVEL"]
