"""Data sets from CSV files."""

from __future__ import annotations

import difflib
import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.base import Dataset
from frankboost.datasets.csv_rows import Rows, read_rows

Floats = NDArray[np.float64]

MISSING = frozenset({"", "na", "nan", "?"})


@dataclass(frozen=True, eq=False)
class CsvData:
    """A CSV file as a data set.

    Attributes
    ----------
    dataset : Dataset
    features : tuple of str
        The columns of X by name.
    classes : tuple of two str
        The values of the target that -1 and +1 stand for.
    coded : dict from str to tuple of str
        The columns of text, each with its values; the number in X is the place in this tuple.
    """

    dataset: Dataset
    features: tuple[str, ...]
    classes: tuple[str, str]
    coded: dict[str, tuple[str, ...]]


def read_csv(path: str | os.PathLike[str], target: str) -> CsvData:
    """Read a file with a header row; `target` is the column to predict, of two values.

    Columns of numbers stay numbers; an empty cell, NA, NaN or ? is missing. A column with other text is
    coded by the sorted order of its values. The smaller value of the target becomes -1.

    Raises
    ------
    ValueError
        If the file cannot be read so; the message names the file and the column or line.
    """
    rows = read_rows(Path(path))
    place = _place(rows, target)
    y, classes = _labels(rows, place)
    features = [f for f in range(len(rows.header)) if f != place]
    if not features:
        raise ValueError(f"{path} has no column but the target {target!r}")
    X = np.empty((len(rows.cells), len(features)))
    coded: dict[str, tuple[str, ...]] = {}
    for k, f in enumerate(features):
        X[:, k], categories = _feature(rows, f)
        if categories:
            coded[rows.header[f]] = categories
    names = tuple(rows.header[f] for f in features)
    return CsvData(Dataset(rows.path.stem, X, y), names, classes, coded)


def _place(rows: Rows, target: str) -> int:
    if target in rows.header:
        return rows.header.index(target)
    folded = {name.casefold(): name for name in reversed(rows.header)}
    near = difflib.get_close_matches(target.casefold(), folded, n=1)
    hint = f"did you mean {folded[near[0]]!r}?" if near else f"it has {_listed(rows.header)}"
    raise ValueError(f"{rows.path} has no column {target!r}; {hint}")


def _labels(rows: Rows, place: int) -> tuple[NDArray[np.int64], tuple[str, str]]:
    name, cells = rows.header[place], rows.column(place)
    for cell, line in zip(cells, rows.lines, strict=True):
        if cell.lower() in MISSING:
            raise ValueError(f"{rows.path}, line {line}: the target {name!r} has no value")
    numbers = [_number(cell) for cell in cells]
    keys: list[float] | list[str] = cells
    if all(number is not None for number in numbers):
        keys = [number for number in numbers if number is not None]  # so that 1 and 1.0 are one class
    values, code = np.unique(np.array(keys), return_inverse=True)
    if len(values) != 2:
        shown = _listed([str(value) for value in values])
        raise ValueError(f"{rows.path}: the target {name!r} must have two values; got {len(values)}: {shown}")
    shown_as = [cells[int(np.argmax(code == k))] for k in (0, 1)]
    return np.where(code == 1, 1, -1), (shown_as[0], shown_as[1])


def _feature(rows: Rows, place: int) -> tuple[Floats, tuple[str, ...]]:
    """A column as numbers, and its categories if it holds text."""
    cells = rows.column(place)
    present = [cell.lower() not in MISSING for cell in cells]
    numbers = [_number(cell) if there else math.nan for cell, there in zip(cells, present, strict=True)]
    categories: tuple[str, ...] = ()
    if any(number is None for number in numbers):
        categories = tuple(sorted({cell for cell, there in zip(cells, present, strict=True) if there}))
        codes = {category: float(k) for k, category in enumerate(categories)}
        numbers = [codes.get(cell, math.nan) for cell in cells]
    values = np.array(numbers, dtype=np.float64)
    if np.isinf(values).any():
        first = int(np.argmax(np.isinf(values)))
        raise ValueError(
            f"{rows.path}, line {rows.lines[first]}, column {rows.header[place]!r}: "
            f"{cells[first]!r} is not a finite number"
        )
    return values, categories


def _number(cell: str) -> float | None:
    if "_" in cell:  # a number to Python, text to everybody else
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names[:8]) + (", ..." if len(names) > 8 else "")
