"""Parquet files, whose columns have types; read by pyarrow."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frankboost.datasets.columns import Floats, finite, parsed, to_ignore

INDEX = re.compile(r"__index_level_\d+__")  # what pandas calls an index that it keeps beside the columns


@dataclass(frozen=True, eq=False)
class ParquetColumn:
    """A column of numbers, bools (1 and 0) or text; `values` is an array of pyarrow's."""

    path: Path
    name: str
    values: Any
    holds_text: bool

    def place(self, row: int) -> str:
        """The file and the number of the row."""
        return f"{self.path}, row {row + 1}"

    def numbers(self) -> Floats:
        """As numbers; NaN is missing."""
        if self.holds_text:
            cells = self.texts()
            return finite(parsed(cells), cells, self.name, self.place)
        numbers: Floats = self.values.cast("float64", safe=False).to_numpy()
        if np.isinf(numbers).any():
            row = int(np.argmax(np.isinf(numbers)))
            raise ValueError(
                f"{self.place(row)}, column {self.name!r}: {numbers[row]} is not a finite number"
            )
        return numbers

    def texts(self, known: Collection[str] = ()) -> list[str | None]:
        """As text; None is missing."""
        texts: list[str | None] = self.values.cast("string").to_pylist()
        return texts

    def labels(self) -> NDArray[Any]:
        """As what they are."""
        values = self.texts() if self.holds_text else self.values.to_pylist()
        for row, value in enumerate(values):
            if value is None or value != value:  # noqa: PLR0124 - NaN is not itself
                raise ValueError(f"{self.place(row)}: the target {self.name!r} has no value")
        return np.array(values if isinstance(values[0], bool | int | str) else self.numbers())


@dataclass(frozen=True, eq=False)
class ParquetFile:
    """An open file; `file` is a ParquetFile of pyarrow's."""

    path: Path
    header: list[str]
    file: Any

    def __len__(self) -> int:
        """How many rows there are."""
        return int(self.file.metadata.num_rows)

    def column(self, name: str) -> ParquetColumn:
        """A column, if it is of a type that a model can use."""
        types = _pyarrow(self.path).types
        kind = self.file.schema_arrow.field(name).type
        packed = types.is_dictionary(kind)
        kind = kind.value_type if packed else kind
        text = any(test(kind) for test in (types.is_string, types.is_large_string, types.is_string_view))
        numeric = (types.is_boolean, types.is_integer, types.is_floating, types.is_decimal, types.is_null)
        if not text and not any(test(kind) for test in numeric):
            raise ValueError(
                f"{self.path}: column {name!r} is of type {kind}; numbers, bools, text and categories can be "
                f"used, so leave it out with {to_ignore(name)}, or convert it"
            )
        values = self.file.read(columns=[name]).column(0)
        return ParquetColumn(
            self.path,
            name,
            values.cast(kind) if packed else values,
            text or packed or name in self._categorical,
        )

    @cached_property
    def _categorical(self) -> frozenset[str]:
        """Columns of pandas' category type: of numbers they are not dictionaries in the file."""
        columns = (self.file.schema_arrow.pandas_metadata or {}).get("columns", [])
        return frozenset(each["name"] for each in columns if each["pandas_type"] == "categorical")


def open_parquet(path: Path) -> ParquetFile:
    """Open a file; errors are ValueErrors that name it."""
    parquet = _pyarrow(path).parquet
    try:
        with path.open("rb"):  # whose errors are shorter than pyarrow's
            file = parquet.ParquetFile(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ValueError(f"{path} is not a Parquet file: {error}") from error
    header = [name for name in file.schema_arrow.names if not INDEX.fullmatch(name)]
    for name in header:
        if header.count(name) > 1:
            raise ValueError(f"{path}: {header.count(name)} columns have the same name {name!r}")
    if file.metadata.num_rows == 0:
        raise ValueError(f"{path} has columns but no rows")
    return ParquetFile(path, header, file)


def _pyarrow(path: Path) -> Any:
    try:
        import pyarrow  # noqa: PLC0415 - an extra
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise ValueError(f"{path}: Parquet files need pyarrow: pip install frankboost[parquet]") from error
    return pyarrow
