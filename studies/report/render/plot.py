"""A figure as HTML: a legend, and one panel per data set as SVG without a script.

A panel has no fixed width: positions are percentages of the plot, lines are stretched to it, and text keeps
its size. So the same drawing fits a wide screen, a telephone and paper.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from studies.report.content import Figure, Series

LOOKS = 7  # colours and dashes, in page.css
MOST = 5  # ticks of a logarithmic axis, or parts of a linear one, whose labels fit into a small panel
UNITS = 10_000  # the coordinates of a line are between 0 and this number
SAMPLE = '<line class="line" x2="100%" y1="50%" y2="50%"/>'
DIAGONAL = '<line class="diagonal" y1="100%" x2="100%"/>'


def figure_html(figure: Figure, looks: Mapping[str, int]) -> str:
    """The legend, the panels and the caption."""
    panels = "\n".join(
        f"<div><h4>{escape(name)}</h4>{plot_svg(figure, name, looks)}</div>" for name in figure.panels
    )
    return f"""<figure>
{_legend(figure, looks)}
<div class="panels">
{panels}
</div>
<figcaption>{escape(figure.caption)}</figcaption>
</figure>"""


def lead_html(figure: Figure, looks: Mapping[str, int]) -> str:
    """A figure of one panel, whose caption has a link to all panels."""
    (name,) = figure.panels
    whole = f'<a href="#{escape(f"figure-{figure.name}")}">All sets</a>'
    return f"""<figure class="lead">
{plot_svg(figure, name, looks)}
{_legend(figure, looks)}
<figcaption>{escape(figure.caption)} {whole}</figcaption>
</figure>"""


def _legend(figure: Figure, looks: Mapping[str, int]) -> str:
    names = "".join(
        f'<span><svg class="sample look-{looks[name]}" aria-hidden="true">{SAMPLE}</svg>{escape(name)}</span>'
        for name in figure.labels
    )
    return f'<p class="legend">{names}</p>'


def plot_svg(figure: Figure, name: str, looks: Mapping[str, int]) -> str:
    """The plot of one panel."""
    lines = figure.panels[name]
    axes = _axes(figure, lines)
    drawn = "".join(_series_svg(figure, name, line, looks[line.label], axes) for line in lines)
    ends = "; ".join(_end_text(figure, line) for line in lines)
    return f"""<svg class="plot" role="img" aria-label="{escape(f"{figure.title}, {name}: {ends}.")}">
{_frame(figure, *axes)}{DIAGONAL if figure.diagonal else ""}{drawn}
</svg>"""


def _axes(figure: Figure, lines: Sequence[Series]) -> tuple[Axis, Axis]:
    """Both axes; with a diagonal, they have the same range."""
    xs, ys = [x for line in lines for x in line.x], [y for line in lines for y in line.y]
    if figure.diagonal:
        xs = ys = [*xs, *ys]
    return make_axis(xs, figure.x_log), make_axis(ys, figure.y_log)


def _end_text(figure: Figure, line: Series) -> str:
    return f"{line.label} ends at {figure.x_label} {line.x[-1]:.6g}, {figure.y_label} {line.y[-1]:.6g}"


def _frame(figure: Figure, x: Axis, y: Axis) -> str:
    across = [(_percent(x.at(tick)), f"{tick:.6g}") for tick in x.ticks]
    down = [(_percent(1.0 - y.at(tick)), f"{tick:.6g}") for tick in y.ticks]
    return "".join([
        *(f'<line class="grid" x1="{at}" x2="{at}" y2="100%"/>' for at, _ in across),
        *(f'<line class="grid" y1="{at}" y2="{at}" x2="100%"/>' for at, _ in down),
        '<line class="frame" y2="100%"/><line class="frame" y1="100%" y2="100%" x2="100%"/>',
        *(f'<text class="x-tick" x="{at}" y="100%" dy="19">{text}</text>' for at, text in across),
        *(f'<text class="y-tick" y="{at}" dx="-7" dy="4">{text}</text>' for at, text in down),
        f'<text class="name" dy="-13">{escape(figure.y_label)}</text>',
        f'<text class="name x-name" x="50%" y="100%" dy="36">{escape(figure.x_label)}</text>',
    ])  # fmt: skip


def _series_svg(figure: Figure, panel: str, line: Series, look: int, axes: tuple[Axis, Axis]) -> str:
    """A line in steps; the dot at its end is a button that shows the run."""
    x, y = axes
    places = [(x.at(a), 1.0 - y.at(b)) for a, b in zip(line.x, line.y, strict=True)]
    (left, top), *steps = [(round(UNITS * left), round(UNITS * top)) for left, top in places]
    path = f"M{left},{top}" + "".join(f"H{left}V{top}" for left, top in steps)
    right, bottom = map(_percent, places[-1])
    return (
        f'<g class="series look-{look}" aria-hidden="true" data-runs="{escape(json.dumps([line.run]))}" '
        f'data-heading="{escape(f"{panel}, {line.label}")}"><title>{escape(_end_text(figure, line))}</title>'
        f'<svg viewBox="0 0 {UNITS} {UNITS}" preserveAspectRatio="none"><path class="line" d="{path}"/></svg>'
        f'<circle class="point" cx="{right}" cy="{bottom}" r="3"/></g>'
    )


def _percent(part: float) -> str:
    return f"{100.0 * part:.2f}%"


@dataclass(frozen=True)
class Axis:
    """An axis: a range of values with ticks. The values of a logarithmic axis are positive."""

    low: float
    high: float
    log: bool
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """The position of a value: 0 at the lower end, 1 at the upper end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def make_axis(values: Sequence[float], log: bool) -> Axis:
    """Make an axis for some values."""
    low, high = min(values), max(values)
    return _log_axis(low, high) if log else _linear_axis(low, high)


def _linear_axis(low: float, high: float) -> Axis:
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = min(0.0, 2.0 * low), max(0.0, 2.0 * high) or (0.0 if low < 0.0 else 1.0)
    step = _nice_step((high - low) / MOST)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(first * step, last * step, False, tuple(k * step for k in range(first, last + 1)))


def _nice_step(step: float) -> float:
    """The smallest number that is 1, 2 or 5 times a power of ten and at least `step`."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= step * (1.0 - 1e-9))


def _log_axis(low: float, high: float) -> Axis:
    """An axis with ticks at powers of ten; if these are too few, at 1, 2 and 5 times them, or linear
    ticks."""
    room = max((high / low) ** 0.02, 1.05)
    low, high = low / room, high * room
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    stride = math.ceil(len(powers) / MOST) or 1
    ticks = [10.0**power for power in powers if power % stride == 0]
    if len(ticks) < 2:
        decades = [10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)))]
        ticks = [digit * each for each in decades for digit in (1, 2, 5) if low <= digit * each <= high]
    if len(ticks) < 2:
        ticks = [tick for tick in _linear_axis(low, high).ticks if low <= tick <= high]
    return Axis(low, high, True, tuple(ticks))
