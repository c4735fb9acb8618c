"""The examples run, and save their figures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def test_the_readme_says_how_many():
    number = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")[len(EXAMPLES)]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"[examples/](examples) has {number} short scripts" in readme


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path):
    run = subprocess.run(
        [sys.executable, "-W", "error", str(path), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "MPLBACKEND": "Agg"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert run.stdout.endswith(f"saved {path.stem}.png\n")
    assert (tmp_path / f"{path.stem}.png").stat().st_size > 5_000
