"""A panel as SVG, read back; axes hold their values, and their ticks are few, round and inside."""

import math
import re

import pytest

from studies.report.content import Figure, Series
from studies.report.render.plot import MOST, UNITS, make_axis, plot_svg

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


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "values",
    [(1e-4, 20.0), (0.3, 0.31), (5.0, 5.0), (1.0, 1e30), (3e-7, 0.8), (98.0, 103.0), (2.0, 30.0)],
)
def test_values_and_ticks_lie_on_the_axis(values, log):
    axis = make_axis(values, log)
    assert all(-1e-9 <= axis.at(value) <= 1.0 + 1e-9 for value in values)
    assert 2 <= len(axis.ticks) <= MOST + 2
    places = [axis.at(tick) for tick in axis.ticks]
    assert places == sorted(places)
    assert -1e-9 <= places[0] < places[-1] <= 1.0 + 1e-9
    assert all(len(f"{tick:.3g}") <= 6 and math.isclose(float(f"{tick:.3g}"), tick) for tick in axis.ticks)


@pytest.mark.parametrize("values", [(-1.0, 0.2), (0.0, 0.0), (-3.0, -3.0), (-2.0, 1e-3)])
def test_zero_and_below_on_a_linear_axis(values):
    axis = make_axis(values, False)
    assert all(0.0 <= axis.at(value) <= 1.0 for value in values)
    assert len(axis.ticks) >= 2


def test_logarithms():
    axis = make_axis((0.01, 100.0), True)
    assert axis.at(1.0) == pytest.approx(0.5)
    assert axis.ticks == (0.01, 0.1, 1.0, 10.0, 100.0)
    assert make_axis((0.05, 4.0), True).ticks == (0.1, 1.0)
    assert make_axis((0.02, 0.9), True).ticks == pytest.approx((0.02, 0.05, 0.1, 0.2, 0.5))
    assert make_axis((0.6, 0.9), True).ticks == pytest.approx((0.6, 0.7, 0.8, 0.9))
    assert make_axis((1e-8, 1.0), True).ticks == (1e-8, 1e-6, 1e-4, 1e-2, 1.0)
    assert make_axis((1e-30, 1.0), True).ticks[0] == pytest.approx(1e-30)
