"""Many classes: a plot each, with words once."""

import pytest

from display.test_base import BY_CLASS, draw
from frankboost.display import ConvergenceDisplay, MarginDisplay, SmallMultiples


@pytest.mark.parametrize("display", BY_CLASS)
def test_each_class_has_a_plot(display, iris, capsys):
    clf = iris[0]
    drawn = draw(display, *iris)
    assert isinstance(drawn, SmallMultiples)
    drawn.figure_.canvas.draw()
    assert [type(each) for each in drawn.displays] == [display] * 3
    assert [each.ax_ for each in drawn.displays] == drawn.axes_
    assert all(ax.get_title().startswith(str(c)) for ax, c in zip(drawn.axes_, clf.classes_, strict=True))
    assert all(ax.get_legend() is None for ax in drawn.axes_)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("display", BY_CLASS)
def test_each_plot_is_that_of_its_class(display, iris):
    drawn = draw(display, *iris)
    for each, label in zip(drawn.displays, iris[0].classes_, strict=True):
        one = draw(display, *iris, label=label)
        lines, expected = ([line.get_xydata().tolist() for line in d.ax_.lines] for d in (each, one))
        assert lines == expected[: len(lines)]


def test_no_more_than_can_be_read(iris, monkeypatch):
    whole = ConvergenceDisplay.from_estimator(iris[0])
    assert whole.figure_.get_suptitle() == ""
    monkeypatch.setattr("frankboost.display.base.MOST_CLASSES", 2)
    some = ConvergenceDisplay.from_estimator(iris[0])
    assert some.titles == whole.titles[:2]
    assert some.figure_.get_suptitle() == "The first 2 of 3 classes. label=... draws any other."


def test_one_ax_is_for_one_class(iris, ax):
    with pytest.raises(ValueError, match=r"label must be one of the classes \['setosa', .* if ax is given"):
        ConvergenceDisplay.from_estimator(iris[0], ax=ax)


def test_words_are_there_once(iris):
    drawn = MarginDisplay.from_estimator(*iris)
    [legend] = drawn.figure_.legends
    assert [text.get_text() for text in legend.get_texts()] == ["all margins", "the smallest", "soft margin"]
    assert [bool(ax.get_ylabel()) for ax in drawn.axes_] == [True, False, True]
    assert [bool(ax.get_xlabel()) for ax in drawn.axes_] == [False, True, True]
    assert len(drawn.figure_.axes) == 3  # and none without a class


def test_settings_are_for_each_plot(iris):
    drawn = MarginDisplay.from_estimator(*iris, color="red")
    assert {each.line_.get_color() for each in drawn.displays} == {"red"}
