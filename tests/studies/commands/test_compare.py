"""The command line: what it prints where, and how it ends."""

import dataclasses
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from joblib import effective_n_jobs

import frankboost
from frankboost.datasets import twonorm, worst_case
from frankboost.learners.best_tree import BestTree
from frankboost.learners.worst_case import WorstCase
from frankboost.progress import CLEAR, Live, is_terminal
from frankboost.trace import Record
from studies.__main__ import main
from studies.commands import compare
from studies.commands.comparison_table import COLUMNS, RunningRow, finished_row, row, summary
from studies.problems import Problem
from studies.running.comparison import ALGORITHMS, ComparisonRow, compared

RESULT = ComparisonRow(
    soft_margin=0.123456, bound=0.2, tol=0.1, nu=0.5, exact=True, status="optimal",
    hypothesis_class="depth-1 trees", dataset="some", m=40, n_features=20, algorithm="LPB", rounds=12,
    hypotheses=11, support=10, oracle_seconds=1.0, rule_seconds=2.0, seconds=3.5, training_error=0.025,
)  # fmt: skip
RECORD = Record(7, 0.5, 0.25, 0.2, 0.75, 0.5, 6, 5, "fw", 0.125, 0.0625)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


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
def two_small_problems(monkeypatch):
    """In place of the minute that the embedded ones take."""

    def problems(nu, tol, max_depth, max_bins):
        yield Problem(twonorm(40, 3), nu or 0.5, BestTree(max_depth, 7), tol)
        yield Problem(worst_case(64), 1 / 64, WorstCase(), tol)

    monkeypatch.setattr(compare, "embedded_problems", problems)


def test_compare_prints_a_table_for_each_data_set(two_small_problems, capsys):
    assert main(["compare", "--tol", "0.05", "--max-depth", "1", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "\x1b" not in out
    assert "\r" not in out
    first, second, text = out.split("\n\n")
    title, head, *rows = first.splitlines()
    assert title == (
        "twonorm: m = 40, n = 20, nu = 0.5, tol = 0.05, depth-1 trees over 20 features, "
        "at most 7 thresholds per feature"
    )
    assert head == row(list(COLUMNS))
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
    assert "All 14 fits are certified" in " ".join(text.split())


def test_json_is_all_of_standard_output(tiny, capsys):
    options = ["--nu", "0.4", "--tol", "0.05", "--algorithms", "mlpb-pfw, lpb", "--max-bins", "all"]
    assert main(["compare", "--data", tiny, "--target", "label", "--json", *options]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert set(report) == {"version", "settings", "results"}
    assert report["version"] == frankboost.__version__
    settings = report["settings"]
    assert settings["algorithms"] == ["MLPB-PFW", "LPB"]
    assert (settings["data"], settings["target"], settings["nu"], settings["tol"]) == (
        tiny,
        "label",
        0.4,
        0.05,
    )
    assert (settings["max_depth"], settings["max_bins"], settings["jobs"]) == (2, "all", effective_n_jobs(-1))
    assert settings["time_limit"] == {"MLPB-PFW": 30, "LPB": 30}
    assert [result["algorithm"] for result in report["results"]] == ["MLPB-PFW", "LPB"]
    for result in report["results"]:
        assert set(result) == {field.name for field in dataclasses.fields(ComparisonRow)} ^ {"gap", "scope"}
        assert result["gap"] == result["bound"] - result["soft_margin"]
        assert (result["dataset"], result["m"], result["n_features"]) == ("tiny", 40, 5)
        assert result["hypothesis_class"].startswith(
            "depth-2 trees over 5 features, all thresholds and subsets of categories"
        )
        assert result["exact"]
        assert result["status"] == "optimal"
        assert result["soft_margin"] <= result["bound"] <= result["soft_margin"] + 0.05
    assert "MLPB-PFW" in err
    assert "\x1b" not in err


def test_columns_can_be_left_out(tiny, capsys):
    command = ["compare", "--data", tiny, "--target", "label", "--algorithms", "level", "--tol", "0.1"]
    assert main([*command, "--ignore", "colour, x0", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["settings"]["ignore"] == ["colour", "x0"]
    assert report["results"][0]["n_features"] == 3
    assert "categories" not in report["results"][0]["hypothesis_class"]


def test_parquet_is_the_same_as_csv(tiny, tmp_path, capsys):
    pd.read_csv(tiny).to_parquet(tmp_path / "tiny.parquet")
    reports = []
    for path in (tiny, str(tmp_path / "tiny.parquet")):
        command = ["compare", "--data", path, "--target", "label", "--algorithms", "level", "--json"]
        assert main([*command, "--tol", "0.1"]) == 0
        reports.append(json.loads(capsys.readouterr().out)["results"][0])
    assert {key for key in reports[0] if reports[0][key] != reports[1][key]} <= {
        "oracle_seconds",
        "rule_seconds",
        "seconds",
    }


def test_a_fit_that_ends_early_says_so(tiny, capsys):
    options = ["--tol", "1e-9", "--time-limit", "1e-9", "--algorithms", "fw,pfw"]
    assert main(["compare", "--data", tiny, "--target", "label", *options]) == 0
    out = capsys.readouterr().out
    assert out.count("time_limit") == 2
    assert "0 of 2 fits are certified" in " ".join(out.split())
    assert "Not certified, stopped by the time limit: FW on tiny; PFW on tiny." in " ".join(out.split())


def test_a_guess_is_not_called_a_certificate(tiny, capsys):
    options = ["--tol", "0.5", "--max-depth", "3", "--algorithms", "erlpb"]
    assert main(["compare", "--data", tiny, "--target", "label", *options]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "0 of 1 fits are certified" in out
    assert "the bound a guess: ERLPB on tiny." in out


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
            "SOFTBOOST, IN-OUT, ADABOOST, ADABOOST-STAR, ARC-GV, HEDGE, MADABOOST, LOGISTIC, SMOOTHBOOST, "
            "MDBOOST or all; got 'XGB'",
        ),
        (
            "--algorithms ,",
            "argument --algorithms: must be names from LEVEL, LPB, ERLPB, FW, PFW, MLPB-SS, MLPB-PFW, "
            "SOFTBOOST, IN-OUT, ADABOOST, ADABOOST-STAR, ARC-GV, HEDGE, MADABOOST, LOGISTIC, SMOOTHBOOST, "
            "MDBOOST or all; got ','",
        ),
        ("--data tiny.csv", "argument --target: must be given with --data"),
        ("--target y", "argument --data: must be given with --target"),
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
    assert capsys.readouterr().err.endswith("has no column 'lable'; did you mean 'label'?\n")


def interrupt_after(rounds):
    """`compared`, with Ctrl-C after so many rounds of PFW."""

    def interrupted(name, problem, *, callbacks, **settings):
        def press(record):
            if name == "PFW" and record.round == rounds:
                raise KeyboardInterrupt

        if name == "PFW" and rounds == 0:
            raise KeyboardInterrupt
        return compared(name, problem, callbacks=[*callbacks, press], **settings)

    return interrupted


@pytest.mark.parametrize("rounds", [0, 2])
def test_ctrl_c_keeps_what_there_is_and_ends_with_130(tiny, capsys, monkeypatch, rounds):
    monkeypatch.setattr(compare, "compared", interrupt_after(rounds))
    command = ["compare", "--data", tiny, "--target", "label", "--algorithms", "lpb,pfw,erlpb"]
    assert main(command) == 130
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()[2:]] == ["LPB", "PFW"][: 1 + (rounds > 0)]
    assert out.count("interrupted") == (rounds > 0)
    assert err.endswith("interrupted\n")
    assert main([*command, "--json"]) == 130
    report = json.loads(capsys.readouterr().out)
    assert [result["status"] for result in report["results"]] == ["optimal", "interrupted"][
        : 1 + (rounds > 0)
    ]


def test_a_real_signal_ends_a_real_process(tiny):
    process = subprocess.Popen(
        [sys.executable, "-m", "studies", "compare", "--data", tiny, "--target", "label",
         "--algorithms", "fw", "--tol", "1e-9", "--time-limit", "60"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline().startswith("tiny: m = 40")
    assert process.stdout.readline().startswith("algorithm")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err
    assert out == "" or out.startswith("FW ")


def test_in_a_terminal_the_running_row_is_rewritten(two_small_problems, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert main(["compare", "--tol", "0.05", "--max-depth", "1", "--algorithms", "LPB,FW"]) == 0
    lines = terminal.getvalue().split("\n")
    assert "running" in lines[2]
    shown = [line.split(CLEAR) for line in lines]
    assert shown[2][0] == ""
    assert shown[2][-1].startswith("LPB ")  # what is left on the screen: the finished row
    assert "optimal" in shown[2][-1]
    assert all("running" in part for part in shown[2][1:-2])
    assert shown[2][-2] == "" or "running" in shown[2][-2]


def test_the_running_row_waits_its_turn_and_leaves_no_trace():
    terminal = Terminal()
    live = Live(terminal, terminal, every=1000.0)
    running = RunningRow("FW", live)
    running(RECORD)
    running(RECORD)
    assert terminal.getvalue() == CLEAR + row(
        ["FW", "7", "6", "5", "0.25000", "0.75000", "0.50000", "running", "0.12", "0.06", "0.50", ""]
    )
    live.clear()
    live.clear()
    live.line(finished_row(RESULT))
    assert terminal.getvalue().endswith(CLEAR + finished_row(RESULT) + "\n")
    assert terminal.getvalue().count(CLEAR) == 2
    RunningRow("LPB", live)  # the next algorithm need not wait
    running(RECORD)
    assert terminal.getvalue().count(CLEAR) == 3
    assert "0.38" in terminal.getvalue().split(CLEAR)[-1]  # three rounds of oracle time


def test_a_narrow_terminal_cuts_the_running_row(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(terminal, "fileno", lambda: 1, raising=False)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((40, 24)))
    RunningRow("FW", Live(terminal, terminal))(RECORD)
    assert len(terminal.getvalue()) == len(CLEAR) + 39


def test_the_running_row_may_go_to_another_stream():
    out, terminal = io.StringIO(), Terminal()
    live = Live(out, terminal)
    RunningRow("LPB", live)(RECORD)
    live.line(finished_row(RESULT))
    assert out.getvalue() == finished_row(RESULT) + "\n"
    assert terminal.getvalue().endswith(CLEAR)


def test_what_is_a_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    assert is_terminal(Terminal())
    assert not is_terminal(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not is_terminal(Terminal())


def test_numbers_are_rounded_so_that_they_stay_true():
    cells = dict(zip(COLUMNS, finished_row(RESULT).split(), strict=True))
    assert (cells["soft margin"], cells["bound"], cells["gap"]) == ("0.12345", "0.20000", "0.07655")
    assert (cells["total s"], cells["train error %"]) == ("3.50", "2.5")


def test_the_summary_names_every_fit_that_is_not_certified():
    early = dataclasses.replace(RESULT, algorithm="FW", status="time_limit", bound=0.3)
    stalled = dataclasses.replace(RESULT, dataset="other", status="stalled", bound=0.3)
    text = " ".join(summary([RESULT, early, dataclasses.replace(early, dataset="other"), stalled]).split())
    assert "1 of 4 fits are certified: gap <= tol." in text
    assert "Not certified, stopped by the time limit: FW on some, other." in text
    assert "Not certified, stalled: LPB on other." in text
    assert max(map(len, summary([RESULT]).splitlines())) <= 110


def test_a_reader_that_leaves_is_no_error(tiny):
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "studies", "compare", "--data", tiny, "--target", "label", "--tol", "0.1"],
        stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)
    assert process.returncode == 1
    assert "Traceback" not in process.stderr
    assert "BrokenPipe" not in process.stderr


def test_results_do_not_depend_on_threads(tiny, capsys):
    reports = []
    for jobs in ("1", "all"):
        command = ["compare", "--data", tiny, "--target", "label", "--json", "--algorithms", "mlpb-ss"]
        assert main([*command, "--jobs", jobs, "--tol", "0.05"]) == 0
        reports.append(json.loads(capsys.readouterr().out)["results"][0])
    keys = [key for key in reports[0] if "seconds" not in key]
    assert [reports[0][key] for key in keys] == [reports[1][key] for key in keys]
    assert np.isfinite(reports[0]["bound"])


def test_names_of_files_are_escaped(tiny, tmp_path, capsys):
    path = tmp_path / "\x1b[31mq.csv"
    path.write_text(Path(tiny).read_text())
    words = ["--target", "label", "--algorithms", "LPB", "--max-depth", "1", "--jobs", "1"]
    assert main(["compare", "--data", str(path), *words]) == 0
    out, _ = capsys.readouterr()
    assert out.startswith("\\x1b[31mq: m = 40")
    assert "\x1b" not in out
