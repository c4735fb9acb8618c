"""Files whose columns have types: Parquet and Feather, read by pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import IO, Any


class TypedTable:
    """The columns of a data frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.names: list[str] = frame.columns.tolist()
        self.rows = len(frame)

    def column(self, name: str, known: Collection[str] | None = None, *, is_target: bool = False) -> Any:
        """A column, whatever it is for: missing is what the file says is missing, and no word."""
        return self._frame[name]

    as_written = column


def parquet_table(file: IO[bytes]) -> TypedTable:
    """A Parquet file."""
    import pandas as pd  # noqa: PLC0415 - an extra
    import pyarrow.parquet  # noqa: PLC0415

    frame = pd.read_parquet(file, dtype_backend="numpy_nullable")
    file.seek(0)
    return _table(frame, pyarrow.parquet.read_schema(file))


def feather_table(file: IO[bytes]) -> TypedTable:
    """A Feather file, which is one of Arrow."""
    import pandas as pd  # noqa: PLC0415 - an extra
    import pyarrow.ipc  # noqa: PLC0415

    frame = pd.read_feather(file, dtype_backend="numpy_nullable")
    file.seek(0)
    return _table(frame, pyarrow.ipc.open_file(file).schema)


def _table(frame: Any, schema: Any) -> TypedTable:
    frame = frame.rename(columns=str)
    # An index that has a name is a column, and pandas forgets that numbers were of its category type.
    frame = frame.reset_index(drop=not any(frame.index.names))
    columns = (schema.pandas_metadata or {}).get("columns", [])
    declared = [each["name"] for each in columns if each["pandas_type"] == "categorical"]
    halves = [name for name in declared if str(frame[name].dtype) == "float16"]  # no categories for pandas
    frame = frame.astype(dict.fromkeys(halves, "float32"))
    return TypedTable(frame.astype(dict.fromkeys(declared, "category")))


READERS: dict[str, Callable[[IO[bytes]], TypedTable]] = {".parquet": parquet_table, ".feather": feather_table}


def typed_table(file: IO[bytes], ending: str) -> TypedTable:
    """A file with such an ending."""
    try:
        return READERS[ending](file)
    except (AttributeError, KeyError, TypeError, UnicodeDecodeError) as error:  # pyarrow trusts the notes
        raise ValueError(f"what pandas has noted in it contradicts its columns: {error!r}") from error
