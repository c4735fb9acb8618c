"""Columns of files, whatever the file, and what a cell says."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MISSING = frozenset({"", "na", "n/a", "nan", "null", "?"})
BOOLS = {"false": 0.0, "true": 1.0}


class Column(Protocol):
    """A column of a file, top to bottom. What cannot be read as asked is a ValueError that says where."""

    @property
    def name(self) -> str:
        """What the file calls it."""

    @property
    def holds_text(self) -> bool:
        """Whether it holds anything but numbers."""

    def place(self, row: int) -> str:
        """Where a cell stands, for messages."""

    def numbers(self) -> Floats:
        """As finite numbers; NaN is missing."""

    def texts(self, known: Collection[str] = ()) -> list[str | None]:
        """As text; None is missing. What is `known` is text even if it reads like a missing value."""

    def labels(self) -> NDArray[Any]:
        """As integers, numbers, bools or text, with none missing."""


class Source(Protocol):
    """A file with named columns."""

    @property
    def path(self) -> Path:
        """Where it is."""

    @property
    def header(self) -> list[str]:
        """The names of its columns, each once."""

    def __len__(self) -> int:
        """How many rows it has."""

    def column(self, name: str) -> Column:
        """A column that is there."""


def find(source: Source, name: str, among: Collection[str] | None = None) -> str:
    """The name, if there is such a column; the error suggests the nearest."""
    if name in source.header:
        return name
    names = source.header if among is None else [each for each in source.header if each in among]
    folded = {each.casefold(): each for each in reversed(names)}
    near = difflib.get_close_matches(name.casefold(), folded, n=1)
    hint = f"did you mean {folded[near[0]]!r}?" if near else f"it has {listed(source.header)}"
    raise ValueError(f"{source.path} has no column {name!r}; {hint}")


def parse_number(cell: str) -> float | None:
    """The number that a cell reads as; None if it is text."""
    if "_" in cell:  # a number to Python, text to everybody else
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def is_missing(cell: str) -> bool:
    """Whether a cell of text stands for a missing value."""
    return cell.lower() in MISSING


def parsed(cells: Sequence[str | None]) -> list[float | None]:
    """Each cell as a number: NaN if it is missing, None if it is text; true and false alone are 1 and 0."""
    present = (cell.lower() for cell in cells if cell is not None and not is_missing(cell))
    bools = next(present, "") in BOOLS and all(cell in BOOLS for cell in present)
    read: Callable[[str], float | None] = BOOLS.get if bools else parse_number
    return [np.nan if cell is None or is_missing(cell) else read(cell.lower()) for cell in cells]


def finite(
    numbers: Sequence[float | None], cells: Sequence[str | None], name: str, place: Callable[[int], str]
) -> Floats:
    """Parsed numbers, if none is text or infinite."""
    for row, number in enumerate(numbers):
        if number is None or number in (np.inf, -np.inf):
            what = "a number" if number is None else "a finite number"
            raise ValueError(f"{place(row)}, column {name!r}: {cells[row]!r} is not {what}")
    return np.array(numbers, dtype=np.float64)


def to_ignore(name: str) -> str:
    """What to type to leave a column out."""
    return "--ignore " + shlex.quote(f'"{name}"' if "," in name else name)


def listed(names: Iterable[Any], most: int = 8) -> str:
    """The first of some names."""
    names = list(names)
    return ", ".join(repr(name) for name in names[:most]) + (", ..." if len(names) > most else "")
