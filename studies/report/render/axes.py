"""Axes of a plot: where a value falls between 0 and 1, and which values get a tick."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MOST = 5  # ticks of a logarithmic axis, and parts of a linear one: labels must not touch in a small panel


@dataclass(frozen=True)
class Axis:
    """A range of values with ticks; a logarithmic one has positive values only."""

    low: float
    high: float
    log: bool
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """0 at the lower end, 1 at the upper."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def make_axis(values: Sequence[float], log: bool) -> Axis:
    """The axis for some values."""
    low, high = min(values), max(values)
    return _log_axis(low, high) if log else _linear_axis(low, high)


def _linear_axis(low: float, high: float) -> Axis:
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = min(0.0, 2.0 * low), max(0.0, 2.0 * high) or (0.0 if low < 0.0 else 1.0)
    step = _nice_step((high - low) / MOST)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(first * step, last * step, False, tuple(k * step for k in range(first, last + 1)))


def _nice_step(step: float) -> float:
    """1, 2 or 5 times a power of ten, the least that is not below `step`."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= step * (1.0 - 1e-9))


def _log_axis(low: float, high: float) -> Axis:
    """Ticks at powers of ten; where these are too few, at 1, 2 and 5 times them, or as on a linear axis."""
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
