"""What stands in the files at the top is so."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import frankboost

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAM = re.compile(r"```python\n(.*?)```\n\n((?:    [^\n]*\n)+)", re.DOTALL)
ENDS = re.compile(r"soft margin [\d.]+ <= optimum <= [\d.]+")
COMMAND = re.compile(r"^    \$ (.*)\n((?:    (?!\$).*\n)+)", re.MULTILINE)


def test_the_program_prints_what_it_says(tmp_path):
    [(program, output)] = PROGRAM.findall(README)
    assert _run([sys.executable, "-W", "error", "-c", program], tmp_path) == _unindented(output)
    assert f"`{ENDS.search(output)[0]}` says" in README  # what the section after it explains


def test_the_commands_print_what_they_say(tmp_path):
    make = 'load_breast_cancer(as_frame=True).frame.to_csv("cells.csv", index=False)'
    assert make in README
    _run([sys.executable, "-c", f"from sklearn.datasets import load_breast_cancer; {make}"], tmp_path)
    commands = COMMAND.findall(README)
    assert len(commands) == 2
    for command, output in commands:
        line = re.sub(r"^frankboost ", f"{sys.executable} -m frankboost ", command)
        assert _run(["bash", "-c", line], tmp_path) == _unindented(output)


def test_links_lead_to_files():
    for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        paths = re.findall(r'\]\((?!https?:)([^)#]+)|src(?:set)?="([^"]+)"', text)
        missing = [path for pair in paths for path in pair if path and not (ROOT / path).exists()]
        assert missing == []


def test_there_is_one_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {frankboost.__version__}\n" in text
    assert version("frankboost") == frankboost.__version__


def test_counts():
    assert f"[{len(list((ROOT / 'examples').glob('plot_*.py')))} examples with pictures]" in README
    lines = (ROOT / "tools" / "check_certificate.py").read_text(encoding="utf-8").count("\n")
    assert f"[one script of {lines} lines]" in README


def test_the_readme_is_short():
    code = r"(?s:```.*?```)|(?s:<picture>.*?</picture>)|^    .*$"
    text = re.sub(code, "", README, flags=re.MULTILINE)
    assert len(text.split()) <= 700


def _run(command, folder):
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def _unindented(text):
    return "".join(f"{line[4:]}\n" for line in text.splitlines())
