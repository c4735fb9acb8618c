"""Small pictures for a notebook, as SVG inside HTML: the interval of a certificate, the rounds of a fit.

Letters and axes have the colour of the page, so that they can be read in the light and in the dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

# Of Okabe and Ito, which the colour-blind can tell apart, in shades that a dark page bears as well.
LOW, HIGH = "#1f8fce", "#e0701b"
WIDTH, PAD = 360.0, 8.0
MOST_POINTS = 180  # of a line; more would be less than two pixels apart


def interval(low: float, high: float, *, proved: bool) -> str:
    """What a vote reaches, what none exceeds, and the gap between them, on a scale that ends at 1."""
    start = min(0.0, low)
    at_low, at_high = (_across(value, start, 1.0) for value in (low, min(max(low, high), 1.0)))
    zero = _across(0.0, start, 1.0)
    parts = [
        _bar(zero, _across(1.0, start, 1.0), "currentColor", 0.12),
        _bar(min(zero, at_low), max(zero, at_low), LOW, 0.55),
        _bar(at_low, at_high, HIGH, 0.35),
        _mark(at_low, LOW, ""),
        _mark(at_high, HIGH, "" if proved else " stroke-dasharray='3 2'"),
        _text(zero, 40.0, "0", "middle" if zero > PAD else "start"),
        _text(WIDTH - PAD, 40.0, "1", "end"),
    ]
    return _svg(44.0, parts, f"from {low:.5f} to {high:.5f}")


def rounds(lows: Sequence[float], highs: Sequence[float]) -> str:
    """Soft margin and bound, round by round, and what is between them."""
    kept = _spread(len(lows))
    low, high = [lows[k] for k in kept], [highs[k] for k in kept]
    bottom, top = min(low), max(high)
    x = [_across(k, 0.0, max(1.0, len(lows) - 1.0)) for k in kept]
    below, above = (_steps(x, [_up(each, bottom, top) for each in line]) for line in (low, high))
    parts = [
        f"<polygon points='{' '.join([*below, *reversed(above)])}' fill='currentColor' opacity='0.1'/>",
        f"<polyline points='{' '.join(above)}' fill='none' stroke='{HIGH}' stroke-width='2'/>",
        f"<polyline points='{' '.join(below)}' fill='none' stroke='{LOW}' stroke-width='2'/>",
        _text(WIDTH - PAD, 14.0, f"bound {high[-1]:.4f}", "end", HIGH),
        _text(WIDTH - PAD, 94.0, f"soft margin {low[-1]:.4f}", "end", LOW),
        _text(PAD, 112.0, "round 1", "start"),
        _text(WIDTH - PAD, 112.0, str(len(lows)), "end"),
    ]
    return _svg(116.0, parts, f"{len(lows)} rounds, the last with a gap of {high[-1] - low[-1]:.5f}")


def block(*parts: str) -> str:
    """Pictures and lines of text, one below the other."""
    inside = "".join(f"<div>{part}</div>" for part in parts)
    return f"<div class='frankboost' style='margin:4px 0;line-height:1.35'>{inside}</div>"


class Printed:
    """A base class for objects that a notebook shows as `print` does."""

    def _repr_html_(self) -> str:
        style = "background:none;color:inherit;padding:0;margin:0"
        return block(f"<pre style='{style}'>{escape(str(self))}</pre>")


def words(text: str) -> str:
    """A text as HTML that shows every sign of it as it is."""
    shown = escape(text).replace("\n", "<br>")
    return f"<code style='background:none;color:inherit;padding:0'>{shown}</code>"


def _svg(height: float, parts: Sequence[str], says: str) -> str:
    box = f"viewBox='0 0 {WIDTH:g} {height:g}' width='{WIDTH:g}' height='{height:g}'"
    look = "style='max-width:100%;font:11px sans-serif'"
    return f"<svg {box} role='img' aria-label='{escape(says)}' {look}>{''.join(parts)}</svg>"


def _bar(left: float, right: float, colour: str, opacity: float) -> str:
    width = max(0.0, right - left)
    return (
        f"<rect x='{left:.1f}' y='10' width='{width:.1f}' height='12' fill='{colour}' opacity='{opacity}'/>"
    )


def _mark(x: float, colour: str, dashes: str) -> str:
    return f"<path d='M{x:.1f} 6V26' stroke='{colour}' stroke-width='2.5'{dashes}/>"


def _text(x: float, y: float, text: str, anchor: str, colour: str = "currentColor") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{colour}'>{escape(text)}</text>"


def _across(value: float, start: float, end: float) -> float:
    return PAD + (WIDTH - 2.0 * PAD) * (value - start) / (end - start)


def _up(value: float, bottom: float, top: float) -> float:
    return 96.0 - 90.0 * (value - bottom) / ((top - bottom) or 1.0)


def _spread(count: int) -> list[int]:
    """At most so many of the rounds, evenly, with the first and the last."""
    points = min(count, MOST_POINTS)
    return [round(k * (count - 1) / max(1, points - 1)) for k in range(points)]


def _steps(x: Sequence[float], y: Sequence[float]) -> list[str]:
    """Corners of steps, as what is known changes only at the end of a round."""
    corners = [(x[0], y[0])]
    for k in range(1, len(x)):
        corners += [(x[k], y[k - 1]), (x[k], y[k])]
    return [f"{across:.1f},{up:.1f}" for across, up in corners]
