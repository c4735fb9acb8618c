"""Files with named columns, and standard input, read by pandas and pyarrow: the extra `frankboost[cli]`.

What is written takes the place of a file whole or not at all.
"""

from __future__ import annotations

import gzip
import io
import os
import secrets
import shutil
import sys
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from frankboost.tables.csv_files import CsvTable

TYPED = (".parquet", ".feather")
ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", *TYPED)
STANDARD_INPUT = "-"
BEGINNINGS = {b"PAR1": ".parquet", b"ARROW1": ".feather", b"\x1f\x8b": ".gz"}  # of files without a name

PathLike = str | os.PathLike[str]


class TypedTable:
    """The columns of a Parquet or Feather file, which have types."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.names: list[str] = frame.columns.tolist()
        self.rows = len(frame)

    def column(self, name: str, known: Collection[str] | None = None, *, is_target: bool = False) -> Any:
        """A column as the file has it; the file says which values are missing, and no word stands for one."""
        return self._frame[name]

    as_written = column


Table = CsvTable | TypedTable
"""A file whose columns are series of pandas, read when they are asked for."""


def read_table(path: PathLike) -> Table:
    """A file, or with the path "-" standard input; ValueError says what is wrong with it."""
    path, name = Path(path), name_of(path)
    if name == str(path) and not name.lower().endswith(ENDINGS):
        raise ValueError(f"{name}: the name must end with {', '.join(ENDINGS)} to say what the file holds")
    try:
        with _opened(path) as file:
            table = _table(file, _ending(path, file))
    except ImportError as error:
        raise ValueError(
            f'{name} needs pandas and pyarrow to be read: pip install "frankboost[cli]"'
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} cannot be read: the text is not in UTF-8; save the file in UTF-8"
        ) from error
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
    if ending in TYPED:
        try:
            return _typed_table(file, parquet=ending == ".parquet")
        except (AttributeError, KeyError, TypeError, UnicodeDecodeError) as error:  # pyarrow trusts the notes
            raise ValueError(f"what pandas has noted in it contradicts its columns: {error!r}") from error
    if ending == ".gz":
        with gzip.open(file) as unpacked:
            return CsvTable(cast(IO[bytes], unpacked))
    return CsvTable(file)


def _typed_table(file: IO[bytes], *, parquet: bool) -> TypedTable:
    import pandas as pd  # noqa: PLC0415 - an extra
    import pyarrow.ipc  # noqa: PLC0415
    import pyarrow.parquet  # noqa: PLC0415

    frame = (pd.read_parquet if parquet else pd.read_feather)(file, dtype_backend="numpy_nullable")
    file.seek(0)
    schema = pyarrow.parquet.read_schema(file) if parquet else pyarrow.ipc.open_file(file).schema
    frame = frame.rename(columns=str)
    # An index that has a name is a column, and pandas forgets that numbers were of its category type.
    frame = frame.reset_index(drop=not any(frame.index.names))
    columns = (schema.pandas_metadata or {}).get("columns", [])
    declared = [each["name"] for each in columns if each["pandas_type"] == "categorical"]
    halves = [name for name in declared if str(frame[name].dtype) == "float16"]  # no categories for pandas
    frame = frame.astype(dict.fromkeys(halves, "float32"))
    return TypedTable(frame.astype(dict.fromkeys(declared, "category")))


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path`, with its permissions, if all goes well.

    Whoever reads the path finds the old file or the new one. A device or a pipe is written to. An OSError of
    the writing has the path as its `filename`.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        path = Path(os.path.realpath(path))
        beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            with beside.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, beside)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        if error.errno is not None:  # without one, a name would be all that the message says
            error.filename = os.fspath(path)
        raise
