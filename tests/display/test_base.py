"""What all displays ask of their arguments, and what they leave alone."""

import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.linear_model import LogisticRegression

from frankboost import SoftMarginClassifier
from frankboost.display import (
    ConvergenceDisplay,
    ImportanceDisplay,
    MarginDisplay,
    NuPathDisplay,
    TreeDisplay,
)

DISPLAYS = [
    ConvergenceDisplay,
    ImportanceDisplay,
    MarginDisplay,
    NuPathDisplay,
    TreeDisplay,
]
BY_CLASS = [each for each in DISPLAYS if each is not ImportanceDisplay]


def draw(display, clf, X, y, **settings):
    rows = (X, y) if display is MarginDisplay else ()
    return display.from_estimator(clf, *rows, **settings)


@pytest.mark.parametrize("display", DISPLAYS)
def test_without_matplotlib_the_extra_is_named(display, cancer, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'pip install "frankboost\[plot\]"'):
        draw(display, *cancer)


@pytest.mark.parametrize("display", DISPLAYS)
def test_unfitted_and_foreign_estimators(display, cancer):
    _, X, y = cancer
    with pytest.raises(NotFittedError):
        draw(display, SoftMarginClassifier(), X, y)
    with pytest.raises(TypeError, match="estimator must be a classifier of frankboost; got Logistic"):
        draw(display, LogisticRegression(), X, y)


@pytest.mark.parametrize("display", BY_CLASS)
def test_labels(display, cancer, iris):
    known = r"\['setosa', 'versicolor', 'virginica'\]"
    with pytest.raises(ValueError, match=rf"label must be None or one of the classes {known}; got 'rose'"):
        draw(display, *iris, label="rose")
    with pytest.raises(ValueError, match=r"label must be None, .* got 'benign'"):
        draw(display, *cancer, label="benign")
    assert isinstance(draw(display, *iris, label="virginica"), display)


@pytest.mark.parametrize("display", DISPLAYS)
def test_axes_are_used_if_given_and_again_if_asked(display, cancer, ax):
    drawn = draw(display, *cancer, ax=ax)
    assert drawn.ax_ is ax
    assert drawn.figure_ is ax.figure
    other = plt.subplots()[1]
    assert drawn.plot(other) is drawn
    assert drawn.ax_ is other
    assert len(other.get_children()) == len(ax.get_children())
    with pytest.raises(TypeError, match="ax must be matplotlib axes or None; got 'here'"):
        drawn.plot("here")


def test_the_figure_is_the_whole_one_if_axes_are_in_a_part_of_it(cancer, tmp_path):
    whole = plt.figure()
    drawn = draw(ConvergenceDisplay, *cancer, ax=whole.subfigures(1, 2)[0].subplots())
    assert drawn.figure_ is whole
    drawn.figure_.savefig(tmp_path / "fit.png")


@pytest.mark.parametrize("display", DISPLAYS)
def test_settings_of_matplotlib_stay_and_nothing_is_printed(display, cancer, capsys):
    before = mpl.rcParams.copy()
    drawn = draw(display, *cancer)
    drawn.figure_.canvas.draw()
    assert mpl.rcParams == before
    assert capsys.readouterr() == ("", "")


def test_the_decision_boundary_is_drawn_by_scikit_learn(cancer):
    _, X, y = cancer
    two = X.iloc[:, :2]
    clf = SoftMarginClassifier(0.2).fit(two, y)
    display = DecisionBoundaryDisplay.from_estimator(
        clf, two, response_method="decision_function", grid_resolution=20
    )
    assert display.response.shape == (20, 20)
    assert display.response.min() < 0.0 < display.response.max()
    assert abs(display.response).max() <= 1.0
