"""A panel of a figure as SVG without a script.

Nothing in it knows how wide it is: places are percentages of the plot, lines are stretched to it, and text
and marks keep their size, so that the same drawing serves a wide screen, a telephone and paper.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from frankboost.report.content import Figure, Series
from frankboost.report.render.axes import Axis, make_axis, reading, tick_text

LOOKS = 7  # colours, dashes and marks; page.css has the first two
APART = 70.0  # pixels between the marks of a line, on a screen of the usual size
WIDTH, HEIGHT = 640.0, 370.0
UNITS = 10_000  # of the coordinates of a line, from one side of the plot to the other

_MARKS = (
    "M-3.4,0a3.4,3.4 0 1 0 6.8,0a3.4,3.4 0 1 0 -6.8,0Z",
    "M-3.4,-3.4h6.8v6.8h-6.8Z",
    "M0,-4l4,7h-8Z",
    "M0,-4.6l4.6,4.6l-4.6,4.6l-4.6,-4.6Z",
    "M0,4l4,-7h-8Z",
    "M-3.4,-3.4l6.8,6.8m0,-6.8l-6.8,6.8",
    "M-4.4,0h8.8M0,-4.4v8.8",
)
DIAGONAL = '<line class="diagonal" x1="0.00%" y1="100.00%" x2="100.00%" y2="0.00%"/>'
MARKS = "".join(f'<path id="mark-{k}" d="{path}"/>' for k, path in enumerate(_MARKS))


def plot_html(figure: Figure, name: str, looks: Mapping[str, int]) -> str:
    """The plot of one panel."""
    lines = figure.panels[name]
    x, y = axes = _axes(figure, lines)
    drawn = "".join(_series_svg(figure, line, looks[line.label], axes) for line in lines)
    return f"""<div class="plot" style="--digits:{max(len(tick_text(tick)) for tick in y.ticks)}">
<svg role="img" aria-label="{escape(_summary(figure, name))}">
{_frame(figure, x, y)}{DIAGONAL if figure.diagonal else ""}{drawn}
</svg></div>"""


def sample_svg(look: int) -> str:
    """A piece of a line with its mark, for a legend."""
    line = '<line class="line" x2="38" y1="7" y2="7"/>'
    mark = f'<use href="#mark-{look}" class="point" x="19" y="7"/>'
    return f'<svg class="sample look-{look}" viewBox="0 0 38 14" aria-hidden="true">{line}{mark}</svg>'


def _axes(figure: Figure, lines: Sequence[Series]) -> tuple[Axis, Axis]:
    """Both axes; with a diagonal both span the same values."""
    xs, ys = [x for line in lines for x in line.x], [y for line in lines for y in line.y]
    if figure.diagonal:
        xs = ys = [*xs, *ys]
    return make_axis(xs, figure.x_log), make_axis(ys, figure.y_log)


def _summary(figure: Figure, name: str) -> str:
    """What a reader who does not see the plot is told: where each line ends."""
    ends = "; ".join(f"{line.label} {_reading(figure, line, -1)}" for line in figure.panels[name])
    return f"{figure.title}, {name}. The lines end at: {ends}."


def _reading(figure: Figure, line: Series, k: int) -> str:
    return f"{figure.x_label} {reading(line.x[k])}, {figure.y_label} {reading(line.y[k])}"


def _percent(part: float) -> str:
    return f"{100.0 * part:.2f}%"


def _frame(figure: Figure, x: Axis, y: Axis) -> str:
    across = [(_percent(x.at(tick)), tick_text(tick)) for tick in x.ticks]
    down = [(_percent(1.0 - y.at(tick)), tick_text(tick)) for tick in y.ticks]
    return "".join([
        *(f'<line class="grid" x1="{at}" x2="{at}" y2="100%"/>' for at, _ in across),
        *(f'<line class="grid" y1="{at}" y2="{at}" x2="100%"/>' for at, _ in down),
        '<line class="frame" y2="100%"/><line class="frame" y1="100%" y2="100%" x2="100%"/>',
        *(f'<text class="x-tick" x="{at}" y="100%" dy="17">{text}</text>' for at, text in across),
        *(f'<text class="y-tick" y="{at}" dx="-7" dy="4">{text}</text>' for at, text in down),
        f'<text class="name" dy="-13">{escape(figure.y_label)}</text>',
        f'<text class="name x-name" x="50%" y="100%" dy="37">{escape(figure.x_label)}</text>',
    ])  # fmt: skip


def _series_svg(figure: Figure, line: Series, look: int, axes: tuple[Axis, Axis]) -> str:
    """A line in steps, and marks on some of its points that tell their values."""
    label, (x, y) = escape(line.label), axes
    places = [(x.at(a), 1.0 - y.at(b)) for a, b in zip(line.x, line.y, strict=True)]
    (left, top), *steps = [(round(UNITS * left), round(UNITS * top)) for left, top in places]
    path = f"M{left},{top}" + "".join(f"H{left}V{top}" for left, top in steps)
    marks = "".join(
        f'<use href="#mark-{look}" class="point" x="{_percent(places[k][0])}" y="{_percent(places[k][1])}">'
        f"<title>{label}: {escape(_reading(figure, line, k))}</title></use>"
        for k in _marked(places)
    )
    return (
        f'<g class="series look-{look}" data-label="{label}" aria-hidden="true">'
        f'<svg viewBox="0 0 {UNITS} {UNITS}" preserveAspectRatio="none"><path class="line" d="{path}"/></svg>'
        f"{marks}</g>"
    )


def _marked(places: Sequence[tuple[float, float]]) -> list[int]:
    """The last place, and others that are well apart."""
    chosen: list[int] = []
    for k in reversed(range(len(places))):
        left, top = places[k]
        away = (math.hypot(WIDTH * (left - places[j][0]), HEIGHT * (top - places[j][1])) for j in chosen)
        if all(distance > APART for distance in away):
            chosen.append(k)
    return chosen
