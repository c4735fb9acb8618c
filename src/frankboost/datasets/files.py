"""Files of data by their endings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from frankboost.datasets.columns import Source
from frankboost.datasets.csv_rows import read_rows
from frankboost.datasets.parquet import open_parquet

READERS: dict[str, Callable[[Path], Source]] = {
    ".csv": read_rows,
    ".csv.gz": read_rows,
    ".parquet": open_parquet,
}


def open_file(path: str | os.PathLike[str]) -> Source:
    """Open a file of named columns; ValueError says what is wrong with it."""
    path = Path(path)
    for ending, read in READERS.items():
        if path.name.lower().endswith(ending):
            return read(path)
    raise ValueError(f"{path}: the name must end with {', '.join(READERS)} to say what the file holds")
