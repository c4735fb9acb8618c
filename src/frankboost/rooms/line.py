"""Lines through the weights of a room, for line searches."""

from __future__ import annotations

import numpy as np

from frankboost.grid import magic_for
from frankboost.rooms.part import Part
from frankboost.rooms.point import Point
from frankboost.rooms.questions import Number
from frankboost.rooms.steps import RoomView
from frankboost.typing import Floats


class Line:
    """The points of weights + step * direction: margins along a line, without a product with the margin
    matrix."""

    _ends: tuple[Number, Number] | None = None  # none yet, where an interrupt cuts the constructor short

    def __init__(self, room: RoomView, weights: Floats, direction: Floats) -> None:
        self.room = room
        start, self.change = self._ends = room.new_number(), room.new_number()
        for number, vector in zip(self._ends, (weights, direction), strict=True):
            room.parts.ask(Part.margins, number, vector)
        self._start = start
        self._length = max(room.parts.ask(Part.size_of_margins, self.change))

    def __del__(self) -> None:
        if self._ends is not None:
            self.room.forgotten.extend(self._ends)

    def at(self, step: float) -> LinePoint:
        """The point of the line at a step."""
        return LinePoint(self, (self._start, self.change, step))

    def length(self) -> float:
        """||A direction||_inf."""
        return self._length


class LinePoint(Point):
    """A point of a line. It knows its margins; its multipliers are left empty."""

    def __init__(self, line: Line, margins: tuple[Number, Number, float]) -> None:
        super().__init__(line.room, np.zeros(0), line.room.eta, line=margins)
        self._parent = line

    def slope(self) -> float:
        """The derivative of the value along the line, d . A direction; it falls as the step grows."""
        line = self._parent
        magic = magic_for(line.length())
        return float(sum(line.room.parts.ask(Part.slope, self.number(), line.change, magic)))
