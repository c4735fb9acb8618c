"""What type checkers say of programs that use the library, as users run them: outside the repository, with no
configuration of ours. The checkers are mypy and basedpyright: a fork of pyright that installs with its own
Node, needs no network, and in its modes "standard" and "strict" follows pyright's rules.
"""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import frankboost

PROGRAMS = Path(__file__).parent / "data/typed"
GOOD, BAD = PROGRAMS / "good.py", PROGRAMS / "bad.py"
MARK = re.compile("  # error$")


def run(folder, *command):
    paths = [str(Path(frankboost.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        check=False,
        capture_output=True,
        text=True,
    )


def mypy(folder, mode):
    settings = ["--config-file=", f"--cache-dir={os.devnull}", "--output=json", *mode]
    done = run(folder, "mypy", *settings, "good.py", "bad.py")
    assert done.stderr == ""
    said = [json.loads(line) for line in done.stdout.splitlines()]
    return [(each["file"], each["line"], each["message"]) for each in said if each["severity"] == "error"]


def pyright(folder, mode):
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": mode}))
    done = run(folder, "basedpyright", "--outputjson", "--pythonpath", sys.executable, "good.py", "bad.py")
    said = json.loads(done.stdout)
    assert said["summary"]["filesAnalyzed"] == 2
    return [
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in said["generalDiagnostics"]
        if each["severity"] == "error"
    ]


@pytest.mark.parametrize(
    ("checker", "mode"),
    [(mypy, []), (mypy, ["--strict"]), (pyright, "standard"), (pyright, "strict")],
    ids=["mypy", "mypy --strict", "pyright", "pyright strict"],
)
def test_checkers_accept_what_is_right_and_refuse_what_is_wrong(checker, mode, tmp_path):
    for program in (GOOD, BAD):
        shutil.copy(program, tmp_path)
    errors = checker(tmp_path, mode)
    assert [each for each in errors if each[0] == "good.py"] == []
    marked = [k for k, line in enumerate(BAD.read_text().splitlines(), 1) if MARK.search(line)]
    assert sorted({line for _, line, _ in errors}) == marked


def test_the_good_program_runs(tmp_path):
    rng = np.random.default_rng(0)
    X = np.clip(rng.normal(size=(60, 3)), -4.0, 4.0)
    y = (X[:, 0] + X[:, 1] > 0.0).astype(int)
    program = runpy.run_path(str(GOOD))
    program["two_classes"](X, y, tmp_path)
    program["every_classifier"](X, y)
    program["many_classes"](X, y + (X[:, 2] > 0.5))
    program["pictures"](X, y, tmp_path)
