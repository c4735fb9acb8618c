"""Fits that are compared on one axes."""

from display.test_convergence import legend
from frankboost.display import ConvergenceDisplay, MarginDisplay, NuPathDisplay


def test_four_fits_are_four_pairs(cancer, ax):
    drawn = [ConvergenceDisplay.from_estimator(cancer[0], name=name, ax=ax) for name in "abcd"]
    colours = [{line.get_color() for line in each.lines_} for each in drawn]
    assert all(len(each) == 1 for each in colours)
    assert len(set().union(*colours)) == 4
    assert [line.get_linestyle() for line in drawn[0].lines_] == ["--", "-"]
    assert legend(ax) == [f"{name}, {what}" for name in "abcd" for what in ("bound", "soft margin")]


def test_margins(cancer, ax):
    drawn = [MarginDisplay.from_estimator(*cancer, name=name, ax=ax) for name in "ab"]
    lines = [(each.line_, each.smallest_line_, each.soft_margin_line_) for each in drawn]
    assert [len({line.get_color() for line in each}) for each in lines] == [1, 1]
    assert lines[0][0].get_color() != lines[1][0].get_color()
    assert legend(ax)[::3] == ["a", "b"]
    assert legend(ax)[1].startswith("a, the smallest, nu = 0.1")


def test_paths(cancer, ax):
    drawn = [NuPathDisplay.from_estimator(cancer[0], name=name, ax=ax) for name in "ab"]
    assert drawn[0].line_.get_color() != drawn[1].line_.get_color()
    assert legend(ax) == ["a", "b"]
