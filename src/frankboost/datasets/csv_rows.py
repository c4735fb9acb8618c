"""CSV files as rows of text."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frankboost.datasets.csv_columns import CsvColumn


@dataclass(frozen=True, eq=False)
class Rows:
    """The cells of a file, with the line that each row ends on."""

    path: Path
    header: list[str]
    cells: list[list[str]]
    lines: list[int]

    def __len__(self) -> int:
        """How many rows there are below the header."""
        return len(self.cells)

    def column(self, name: str) -> CsvColumn:
        """A column from top to bottom."""
        index = self.header.index(name)
        return CsvColumn(self.path, name, [row[index] for row in self.cells], self.lines)


def read_rows(path: Path) -> Rows:
    """Read a file with a header row; errors are ValueErrors that name the file and the line."""
    opened: Callable[..., Any] = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = [name.strip() for name in next(filter(None, reader), [])]  # not a blank line
            _check_header(path, reader.line_num, header)
            cells, lines = [], []
            for row in reader:
                if not row:
                    continue
                if len(row) != len(header):
                    raise ValueError(
                        f"{path}, line {reader.line_num}: expected {len(header)} cells, one for each name "
                        f"in the header; got {len(row)}"
                    )
                cells.append([cell.strip() for cell in row])
                lines.append(reader.line_num)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:  # of gzip
        raise ValueError(f"{path} cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}") from error
    if not cells:
        raise ValueError(f"{path} has a header but no rows")
    return Rows(path, header, cells, lines)


def _check_header(path: Path, line: int, header: list[str]) -> None:
    if not header:
        raise ValueError(f"{path} is empty; its first line must name the columns")
    seen: dict[str, int] = {}
    for number, name in enumerate(header, start=1):
        if not name:
            hint = "; pandas writes its index so, unless told index=False" if number == 1 else ""
            raise ValueError(f"{path}, line {line}: column {number} has no name{hint}")
        if name in seen:
            same = f"columns {seen[name]} and {number} have the same name {name!r}"
            raise ValueError(f"{path}, line {line}: {same}")
        seen[name] = number
