"""Files with named columns, and standard input, read by pandas and pyarrow: the extra `frankboost[cli]`."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Protocol, cast

from frankboost.tables.csv_files import CsvTable
from frankboost.tables.typed_files import READERS, typed_table

ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".feather")
STANDARD_INPUT = "-"
BEGINNINGS = {b"PAR1": ".parquet", b"ARROW1": ".feather", b"\x1f\x8b": ".gz"}  # of files without a name

PathLike = str | os.PathLike[str]


class Table(Protocol):
    """A file whose columns are read when they are asked for."""

    names: list[str]
    rows: int

    def column(self, name: str, known: Collection[str] | None = None, *, is_target: bool = False) -> Any:
        """A pandas series; `known` are words that are values of it."""

    def as_written(self, name: str) -> Any:
        """The same, as it stands in the file."""


def read_table(path: PathLike) -> Table:
    """A file, or with the path "-" standard input; ValueError says what is wrong with it."""
    path, name = Path(path), name_of(path)
    if name == str(path) and not name.lower().endswith(ENDINGS):
        raise ValueError(f"{name}: the name must end with {', '.join(ENDINGS)} to say what the file holds")
    try:
        with ExitStack() as stack:
            file = stack.enter_context(_opened(path))
            table = _table(file, _ending(path, file))
    except ImportError as error:
        raise ValueError(
            f"{name} needs pandas and pyarrow to be read: pip install frankboost[cli]"
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} cannot be read: it is not in UTF-8; save it so") from error
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise ValueError(f"{name} cannot be read: {reason}") from error
    if table.rows == 0:
        raise ValueError(f"{name} has columns but no rows")
    return table


def name_of(path: PathLike) -> str:
    """What errors call a file."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def _opened(path: Path) -> IO[bytes]:
    if str(path) != STANDARD_INPUT:
        return path.open("rb")
    if sys.stdin is None:
        raise OSError("it is closed")
    return io.BytesIO(sys.stdin.buffer.read())


def _ending(path: Path, file: IO[bytes]) -> str:
    """What a file holds, by its name, or by its first bytes if it has none."""
    if str(path) != STANDARD_INPUT:
        return path.suffix.lower()
    begins = file.read(6)
    file.seek(0)
    return next((ending for word, ending in BEGINNINGS.items() if begins.startswith(word)), "")


def _table(file: IO[bytes], ending: str) -> Table:
    if ending in READERS:
        return typed_table(file, ending)
    if ending == ".gz":
        with gzip.open(file) as unpacked:
            return CsvTable(cast(IO[bytes], unpacked))
    return CsvTable(file)
