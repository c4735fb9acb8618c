"""However a command ends, it says why in one line, and its status tells."""

import runpy
import subprocess
import sys

import pytest

import frankboost
from frankboost.cli import fit
from frankboost.cli.main import FRANKBOOST, main

FIT = ["fit", "churn.csv", "--target", "churned", "--model", "model.json", "--ignore", "customer"]
COMMANDS = {
    "fit": [*FIT, "--tol", "0.5"],
    "predict": ["predict", "churn.csv", "--model", "model.json"],
    "verify": ["verify", "churn.csv", "--model", "model.json"],
}


@pytest.fixture
def fitted(churn, capsys):
    assert main(COMMANDS["fit"]) == 0
    capsys.readouterr()
    return churn


def shell(words, redirection):
    """The status of a command, and what it says on standard error."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "frankboost", *words]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("redirection", "why"), [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")]
)
def test_an_output_that_takes_nothing(fitted, name, redirection, why):
    status, err = shell(COMMANDS[name], redirection)
    assert (status, err) == (1, f"frankboost {name}: standard output cannot be written: {why}\n")


def test_a_closed_output_that_nothing_is_written_to(fitted):
    assert shell([*COMMANDS["predict"], "--out", "out.csv"], ">&- 2>&-") == (0, "")
    assert (fitted / "out.csv").read_text().startswith("prediction\n")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "not enough memory"),
        (MemoryError("Unable to allocate 7 TiB"), "not enough memory: Unable to allocate 7 TiB"),
        (OSError(28, "No space left on device", "somewhere"), "somewhere: No space left on device"),
        (OSError(11, "Resource temporarily unavailable"), "Resource temporarily unavailable"),
    ],
)
def test_what_the_system_refuses_is_one_line(churn, capsys, monkeypatch, error, line):
    def refused(*_):
        raise error

    monkeypatch.setattr(fit, "read_training", refused)
    assert main(COMMANDS["fit"]) == 1
    assert capsys.readouterr() == ("", f"frankboost fit: {line}\n")


@pytest.mark.parametrize("name", FRANKBOOST.commands)
def test_help_fits_a_terminal_of_80_columns(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([name, "--help"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 80] == []


def test_help_version_and_nothing(capsys, monkeypatch):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"frankboost {frankboost.__version__}\n"
    assert main(["fit", "--help"]) == 0
    assert "examples:\n  frankboost fit" in capsys.readouterr().out
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "verify" in err
    assert main(["--nonsense"]) == 2
    assert capsys.readouterr().err == "frankboost: error: unrecognized arguments: --nonsense\n"
    monkeypatch.setattr(sys, "argv", ["frankboost", "--version"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("frankboost", run_name="__main__")
