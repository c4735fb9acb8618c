"""Small pictures: well-formed, inside their frames, and true."""

import re
from xml.etree import ElementTree

import pytest

from frankboost.pictures import MOST_POINTS, PAD, WIDTH, block, interval, rounds, words


def parsed(html):
    return ElementTree.fromstring(html)


def bars(html):
    return [(float(each.get("x")), float(each.get("width"))) for each in parsed(html).iter("rect")]


@pytest.mark.parametrize(
    ("low", "high"), [(0.4, 0.5), (-1.0, 1.0), (0.0, 0.0), (-0.3, -0.2), (1.0, 1.0), (0.9, 0.8)]
)
def test_an_interval_stays_in_its_frame(low, high):
    for x, width in bars(interval(low, high, proved=True)):
        assert x >= PAD - 0.1
        assert x + width <= WIDTH - PAD + 0.1


def test_an_interval_is_as_long_as_the_gap():
    _, reached, gap = bars(interval(0.25, 0.5, proved=True))
    assert reached[1] == pytest.approx((WIDTH - 2 * PAD) / 4, abs=0.1)
    assert gap == pytest.approx((reached[0] + reached[1], reached[1]), abs=0.11)


def test_a_guess_is_dashed():
    assert "dasharray" in interval(0.2, 0.3, proved=False)
    assert "dasharray" not in interval(0.2, 0.3, proved=True)


@pytest.mark.parametrize("count", [1, 2, MOST_POINTS, 5000])
def test_rounds_of_any_number(count):
    lows, highs = (
        [-0.5 + 0.5 * k / count for k in range(count)],
        [1.0 - 0.9 * k / count for k in range(count)],
    )
    picture = rounds(lows, highs)
    assert len(picture) < 20_000
    for line in parsed(picture).iter("polyline"):
        points = [tuple(map(float, each.split(","))) for each in line.get("points").split()]
        assert all(0.0 <= x <= WIDTH and 0.0 <= y <= 116.0 for x, y in points)
    assert f"bound {highs[-1]:.4f}" in picture
    assert f"soft margin {lows[-1]:.4f}" in picture


def test_the_soft_margin_is_below_the_bound_on_the_picture():
    above, below = parsed(rounds([0.0, 0.2], [0.8, 0.4])).iter("polyline")
    heights = [float(line.get("points").split()[-1].split(",")[1]) for line in (above, below)]
    assert heights[0] < heights[1]  # SVG counts from the top


def test_signs_are_no_markup():
    html = block(words("a <= b & 'c'"))
    assert re.sub(r"<[^>]*>", "", html) == "a &lt;= b &amp; &#x27;c&#x27;"
    assert "".join(parsed(html).itertext()) == "a <= b & 'c'"
