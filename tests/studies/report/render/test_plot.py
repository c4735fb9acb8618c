"""A panel as SVG, read back."""

import re

from studies.report.content import Figure, Series
from studies.report.render.plot import UNITS, plot_svg

LINE = Series("A", (1.0, 10.0, 100.0), (0.0, 0.5, 1.0), "run")


def drawn(*lines, **settings):
    figure = Figure("f", "F", "", "x", "y", panels={"set": lines}, **settings)
    return plot_svg(figure, "set", {line.label: k for k, line in enumerate(lines)})


def path(svg):
    d = re.search(r'class="line" d="([^"]*)"', svg)[1]
    return [int(number) / UNITS for number in re.findall(r"\d+", d)]


def test_a_line_goes_in_steps():
    assert path(drawn(LINE)) == [0.01, 1.0, 0.1, 0.5, 1.0, 0.0]


def test_a_logarithmic_axis_has_equal_decades():
    left, _, middle, _, right, _ = path(drawn(LINE, x_log=True))
    assert abs((middle - left) - (right - middle)) < 2 / UNITS


def test_a_dot_is_where_the_line_ends():
    svg = drawn(Series("A", (0.0, 5.0, 10.0), (0.0, 2.0, 1.0), "run"))
    assert '<circle class="point" cx="100.00%" cy="50.00%" r="3"/>' in svg
    assert "<title>A ends at x 10, y 1</title>" in svg


def test_a_diagonal_has_both_axes_alike():
    svg = drawn(Series("A", (0.0, 100.0), (0.0, 30.0), "run"), diagonal=True)
    assert '<line class="diagonal" y1="100%" x2="100%"/>' in svg
    assert path(svg) == [0.0, 1.0, 1.0, 0.7]


def test_labels_are_escaped():
    assert "<b>" not in drawn(Series("<b>", (1.0,), (1.0,), "run"))
