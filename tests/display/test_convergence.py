"""Soft margin, bound and gap along the rounds."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from frankboost import LPBoostClassifier
from frankboost.display import ConvergenceDisplay


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize(("x", "label"), [("round", "round"), ("seconds", "time (s)")])
def test_lines_are_the_trace(cancer, x, label):
    trace = cancer[0].trace_
    display = ConvergenceDisplay.from_estimator(cancer[0], x=x)
    bound, soft_margin = display.lines_
    [gap] = display.gap_lines_
    for line, column in ((bound, "bound"), (soft_margin, "soft_margin"), (gap, "gap")):
        np.testing.assert_array_equal(line.get_xdata(), trace[x])
        np.testing.assert_array_equal(line.get_ydata(), trace[column])
    assert legend(display.ax_) == ["bound", "soft margin"]
    assert display.ax_.get_ylabel() == "margin"
    assert display.gap_ax_.get_xlabel() == label
    assert display.gap_ax_.get_yscale() == "log"


def test_tol_is_a_dotted_line(cancer):
    display = ConvergenceDisplay.from_estimator(cancer[0])
    [dotted] = [line for line in display.gap_ax_.lines if line.get_linestyle() == ":"]
    assert set(dotted.get_ydata()) == {0.02}
    assert legend(display.gap_ax_) == ["tol = 0.02"]


def test_on_given_axes_there_is_no_gap(cancer, ax):
    display = ConvergenceDisplay.from_estimator(cancer[0], ax=ax, lw=3.0, c="red")
    assert display.gap_ax_ is None
    assert display.gap_lines_ == []
    assert ax.figure.axes == [ax]
    assert ax.get_xlabel() == "round"
    assert [line.get_linewidth() for line in ax.lines] == [3.0, 3.0]
    assert {line.get_color() for line in ax.lines} == {"red"}


def test_further_fits_add_their_gaps_below(cancer):
    clf, X, y = cancer
    first = ConvergenceDisplay.from_estimator(clf, name="first")
    other = LPBoostClassifier(0.2, 0.001, max_depth=1).fit(X, y)
    second = ConvergenceDisplay.from_estimator(other, name="second", ax=first.ax_)
    assert second.gap_ax_ is first.gap_ax_
    for display in (first, second):
        [gap] = display.gap_lines_
        np.testing.assert_array_equal(
            gap.get_ydata(), np.subtract(*(display.trace[k] for k in ("bound", "soft_margin")))
        )
        assert {line.get_color() for line in (*display.lines_, gap)} == {gap.get_color()}
    assert first.gap_lines_[0].get_color() != second.gap_lines_[0].get_color()
    assert legend(first.gap_ax_) == ["tol = 0.02", "tol = 0.001"]
    assert first.ax_.get_xlabel() == ""
    assert first.gap_ax_.get_ylim()[0] < other.certificate_.tol


def test_a_gap_of_nothing_leaves_room_for_the_others(cancer):
    _, X, y = cancer
    clf = LPBoostClassifier(0.2, 1e-6, max_depth=1).fit(X.iloc[:, :4], y)
    assert clf.certificate_.gap < 1e-9
    display = ConvergenceDisplay.from_estimator(clf)
    display.figure_.canvas.draw()
    assert display.gap_ax_.get_ylim()[0] == pytest.approx(1e-7)


def test_one_round_is_a_dot_and_a_heuristic_bound_is_called_so(cancer):
    _, X, y = cancer
    clf = LPBoostClassifier(0.2, estimator=DecisionTreeClassifier(max_depth=1), max_iter=1).fit(X, y)
    display = ConvergenceDisplay.from_estimator(clf)
    assert [line.get_marker() for line in display.lines_] == ["o", "o"]
    assert legend(display.ax_) == ["bound (heuristic)", "soft margin"]


def test_one_of_many_classes(iris):
    display = ConvergenceDisplay.from_estimator(iris[0], label="virginica")
    assert display.certificate is iris[0].certificate_[2]
    np.testing.assert_array_equal(display.lines_[0].get_ydata(), iris[0].trace_[2]["bound"])


def test_x_is_checked(cancer):
    with pytest.raises(ValueError, match=r"x must be one of \['round', 'seconds'\]; got 'hours'"):
        ConvergenceDisplay.from_estimator(cancer[0], x="hours")
