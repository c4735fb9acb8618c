"""The examples run without a word of warning, and each draws something."""

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("plot_*.py"))


@pytest.fixture
def shown(monkeypatch):
    """How many axes each figure had when it was to be shown."""
    plt.close("all")
    axes = []
    monkeypatch.setattr(
        plt, "show", lambda: axes.extend(len(plt.figure(number).axes) for number in plt.get_fignums())
    )
    yield axes
    plt.close("all")


def test_there_are_enough_for_a_gallery():
    """The site runs all of them."""
    assert len(EXAMPLES) >= 12
    assert sorted((ROOT / "examples").glob("*.py")) == EXAMPLES


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, shown, capsys):
    runpy.run_path(str(path))
    assert shown
    assert all(shown)
    assert capsys.readouterr().err == ""
