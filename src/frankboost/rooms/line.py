"""Lines through the weights of a room."""

from __future__ import annotations

import numpy as np

from frankboost.grid import magic_for
from frankboost.rooms.part import Part
from frankboost.rooms.point import Point
from frankboost.rooms.questions import Number
from frankboost.rooms.steps import Board
from frankboost.typing import Floats


class Line:
    """The smoothed soft margin along weights + step * direction, from the margins and their change."""

    _ends: tuple[Number, Number] | None = None  # until there are two

    def __init__(self, board: Board, weights: Floats, direction: Floats) -> None:
        self.board = board
        start, self.change = self._ends = board.new_number(), board.new_number()
        for number, each in zip(self._ends, (weights, direction), strict=True):
            board.parts.ask(Part.margins, number, each)
        self._start = start
        self._length = max(board.parts.ask(Part.size_of_margins, self.change))

    def __del__(self) -> None:
        if self._ends is not None:
            self.board.forgotten.extend(self._ends)

    def at(self, step: float) -> LinePoint:
        """The point of the line at a step."""
        return LinePoint(self, (self._start, self.change, step))

    def length(self) -> float:
        """||A direction||_inf."""
        return self._length


class LinePoint(Point):
    """A point of a line, without its multipliers."""

    def __init__(self, line: Line, margins: tuple[Number, Number, float]) -> None:
        super().__init__(line.board, np.zeros(0), line.board.eta, line=margins)
        self._on = line

    def slope(self) -> float:
        """The derivative of the value along the line, d . A direction; it falls with the step."""
        magic = magic_for(self._on.length())
        return float(sum(self._on.board.parts.ask(Part.slope, self.number(), self._on.change, magic)))
