"""In a real notebook, run without a browser: pictures where they are asked for, and one line of progress."""

import json
import subprocess
import sys

import pytest

CELLS = {
    "fit": """
from sklearn.datasets import load_breast_cancer
from frankboost import SoftMarginClassifier
X, y = load_breast_cancer(return_X_y=True)
clf = SoftMarginClassifier(0.1, 0.001, verbose=1).fit(X, y)""",
    "estimator": "clf",
    "certificate": "clf.certificate_",
    "trace": "clf.trace_",
    "silent": "SoftMarginClassifier(0.1).fit(X, y);",
}
RUN = """
import json, sys, nbformat
from nbclient import NotebookClient
cells = json.load(sys.stdin)
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells.values()])
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
json.dump({name: cell.outputs for name, cell in zip(cells, notebook.cells)}, sys.stdout)
"""


@pytest.fixture(scope="module")
def outputs():
    run = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(CELLS),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_progress_is_one_line_that_updates(outputs):
    [progress] = outputs["fit"]
    assert progress["output_type"] == "display_data"
    shown = progress["data"]["text/html"]
    assert "<progress value='1.0000'" in shown  # the last round took the place of the first
    assert "round 1," not in shown


def test_a_fit_is_silent_unless_asked(outputs):
    assert outputs["silent"] == []


def test_the_estimator_shows_what_it_proved(outputs):
    [shown] = outputs["estimator"]
    assert "sk-top-container" in shown["data"]["text/html"]
    assert shown["data"]["text/html"].count("<svg viewBox='0 0 360") == 2
    assert "SoftMarginClassifier(" in "".join(shown["data"]["text/plain"])


@pytest.mark.parametrize("name", ["certificate", "trace"])
def test_a_part_of_it_has_a_picture_and_a_short_text(outputs, name):
    [shown] = outputs[name]
    assert shown["data"]["text/html"].count("<svg") == 1
    text = "".join(shown["data"]["text/plain"])
    assert text.startswith(f"<{name.capitalize()}")
    assert len(text) < 100
