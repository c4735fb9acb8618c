"""Text files with one line per row, whose cells are separated by commas, semicolons, tabs or bars.

pandas hands over every cell as text. Left to guess, it makes 7 of 007, renames columns of the same name, and
takes the first column for an index where lines are longer than the header.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection
from typing import IO, Any

from frankboost.validation import quoted

SEPARATORS = (",", ";", "\t", "|")  # of those that divide the header into as many cells, the first
MISSING = ("", "na", "n/a", "nan", "null", "?")
BOOLS = {"false": False, "true": True}
CODE = r"[+-]?0[0-9]"  # how 007 begins, which is another label than 7
INTEGER = r"[+-]?[0-9]+"


class CsvTable:
    """Cells as text until a column is asked for."""

    def __init__(self, file: IO[bytes]) -> None:
        import pandas as pd  # noqa: PLC0415 - an extra

        separator = _checked_lines(file)
        file.seek(0)
        cells = pd.read_csv(
            file, sep=separator, header=None, dtype=str, na_filter=False, encoding="utf-8-sig"
        )
        self.names = [name.strip() for name in cells.iloc[0]]
        _check_names(self.names)
        self._cells = cells.iloc[1:].reset_index(drop=True).set_axis(self.names, axis=1)
        self.rows = len(self._cells)

    def column(self, name: str, known: Collection[str] | None = None, *, is_target: bool = False) -> Any:
        """A column of bools or numbers if all its cells that are not missing are, else of text.

        A column with `known` words is text, in which these words are values even if they read like missing
        ones.
        A target is text if it has a code such as 007 or an integer beyond 64 bits.
        """
        import pandas as pd  # noqa: PLC0415

        text = self.as_written(name)
        text = text.mask(text.str.lower().isin(MISSING) & ~text.isin(list(known or ())))
        present = text.dropna()
        if known is not None or (is_target and present.str.match(CODE).any()):
            return text
        if len(present) and present.str.lower().isin(BOOLS).all():
            return text.str.lower().map(BOOLS).astype("boolean")
        numbers = pd.to_numeric(present, errors="coerce")
        if not present[numbers.isna()].map(_overflows).all():
            return text
        if is_target and numbers.dtype.kind not in "iu" and present.str.fullmatch(INTEGER).all():
            return text  # as numbers, some of them would be equal
        whole = len(present) == len(text) and numbers.dtype.kind in "iu"
        return numbers if whole else text.astype(float)  # to_numeric may be wrong in the last digit

    def as_written(self, name: str) -> Any:
        """The cells of a column, as text."""
        return self._cells[name].str.strip()


def _checked_lines(file: IO[bytes]) -> str:
    """The separator; a ValueError for a line that is not as long as the header, which pandas would fill
    silently."""
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    header = next((line for line in text if line.strip()), None)
    if header is None:
        raise ValueError("it is empty")
    separator = max(SEPARATORS, key=lambda each: _count_cells(header, each))
    text.seek(0)
    lines = (line if line.strip(" \r\n") else "\n" for line in text)  # spaces alone are no line for pandas
    reader = csv.reader(lines, delimiter=separator, strict=True)
    width = 0
    try:
        for cells in filter(None, reader):
            width = width or len(cells)
            if len(cells) != width:
                apart = "" if separator == "," else f", separated by {separator!r}"
                raise ValueError(f"line {reader.line_num}: expected {width} cells{apart}; got {len(cells)}")
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from error
    text.detach()
    return separator


def _count_cells(header: str, separator: str) -> int:
    try:
        return len(next(csv.reader([header], delimiter=separator), []))
    except csv.Error:  # a cell is too long, which is no error of a file with another separator
        return 0


def _check_names(header: list[str]) -> None:
    places: dict[str, int] = {}
    for number, name in enumerate(header, start=1):
        if not name:
            hint = "; pandas writes its index like this without index=False" if number == 1 else ""
            raise ValueError(f"column {number} has no name{hint}")
        if places.setdefault(name, number) != number:
            both = f"columns {places[name]} and {number}"
            raise ValueError(f"{both} have the same name {quoted(name)}")


def _overflows(word: str) -> bool:
    """Whether it is a number that no float is large enough for; pandas before 3.0 takes it for text."""
    try:
        return math.isinf(float(word))
    except ValueError:
        return False
