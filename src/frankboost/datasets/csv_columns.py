"""Columns of CSV files, whose cells say what they are."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.columns import Floats, finite, is_missing, parse_number, parsed

INTEGER = re.compile(r"[+-]?[0-9]+")
CODE = re.compile(r"[+-]?0[0-9]")  # how 007 begins, which is another label than 7
MOST_DIGITS = 18  # of an integer of 64 bits


@dataclass(frozen=True, eq=False)
class CsvColumn:
    """Numbers if every cell that is not missing is one, else text."""

    path: Path
    name: str
    cells: list[str]
    lines: list[int]

    @cached_property
    def _parsed(self) -> list[float | None]:
        return parsed(self.cells)

    @property
    def holds_text(self) -> bool:
        """Whether a cell is neither a number nor missing."""
        return any(number is None for number in self._parsed)

    def place(self, row: int) -> str:
        """The file and the line."""
        return f"{self.path}, line {self.lines[row]}"

    def numbers(self) -> Floats:
        """As numbers; NaN is missing."""
        return finite(self._parsed, self.cells, self.name, self.place)

    def texts(self, known: Collection[str] = ()) -> list[str | None]:
        """As text; None is missing."""
        return [None if is_missing(cell) and cell not in known else cell for cell in self.cells]

    def labels(self) -> NDArray[Any]:
        """As integers if all are, else as numbers if all are, else as text."""
        cells = []
        for row, cell in enumerate(self.texts()):
            if cell is None:
                raise ValueError(f"{self.place(row)}: the target {self.name!r} has no value")
            cells.append(cell)
        numbers = [parse_number(cell) for cell in cells]
        if any(number is None or not np.isfinite(number) for number in numbers):
            return np.array(cells)
        if any(CODE.match(cell) for cell in cells):
            return np.array(cells)
        if all(INTEGER.fullmatch(cell) and len(cell) <= MOST_DIGITS for cell in cells):
            return np.array([int(cell) for cell in cells])
        return np.array(numbers, dtype=np.float64)
