"""Random CSV files of some rows, odd in their cells, names and layout, and Parquet and Feather files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

BOM = "\ufeff"
PLAIN = {
    "numbers": ("1", "2.5", "-3e4", ".5", "1.", "+7", "1e308", "5e-324", "-0", " 6 ", "", "NA"),
    "dates": (
        *("2024-02-29", "2024-12-31T23:59", "1969-12-31 23:59:59.999999999Z", "2024-01-01T00:00+05:30", "?"),
        *("2024-06-30T12:00-0800", "0001-01-01", "9999-12-31T23:59", "2024-01-01T00:00:59.5+13:45"),
    ),
    "text": (
        *(
            'say "ah"',
            "a,b",
            "a;b|c\td",
            "line\nbreak",
            "cr\rcr",
            " pad ",
            "",
            "null",
            "É",
            "e\u0301",
            "=1+1",
        ),
        *("\u2028", "\x1b[2J", "'", "\\", "\u202eabc", "-", "0", "7", "007", "1.0"),
    ),
    "bools": ("True", "false", "TRUE", "", "False"),
}
ODD = (
    *("1_000", "\u0663", "\uff11\uff12", "0x10", "1e999", "inf", "-Infinity", "1,5", "1 000", "\u22125"),
    *("1d3", "9" * 30, "nan", "+nan", "-nan", "1e-999", "1E5", "1e+5", "True ", "a\0", "\0", '"', '""', BOM),
    *("9" * 2000 + "x", "1" * 5000, "." * 3000, "\ud7ff", "20240101", "2024-W01-1", "10000-01-01"),
    *("0000-01-01", "2024-01-01T00:00+99:99", "2023-02-30", "2024-12-31T24:00", "2024-01-01T00:00:60"),
    *("\u0662\u0660\u0662\u0664-01-01", "2024-01-01T00:00+24:00", "9999-12-31T23:59-12:00"),
)
LABELS = (
    *(("0", "1"), ("a", "b"), ("a", "b", "c"), ("True", "false"), ("007", "7"), ("1_000", "2")),
    *(("\u0663", "4"), ("a", "a\0"), ("2024-01-01", "2024-01-02"), ("NA", "b"), ("1", "1.0", "2")),
    *(("-0", "1"), ("x" * 5000, "y"), ("9007199254740993", "9007199254740992"), ("1e5", "2"), ('"', ",")),
    *(("\u00e9", "e\u0301"), ("-1", "+1"), ("inf", "1"), ("0.1", "0.10000000000000001"), ("True", "1")),
    *(("\x1b[2J", "b"), (" a", "b "), ("9" * 30, "9" * 29 + "8")),
)
NAMES = ("a", "b c", "", 'q"q', "a", "1", "é", "line\nbreak", "nan", "\x1b[2J", "\u202e", "x" * 300, "y")


@dataclass(frozen=True)
class OddTable:
    """The cells of a CSV file, its layout, and the column of the labels, which is the last."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]  # those that occur
    separator: str
    newline: str
    before: str  # marks of the byte order
    every: bool  # cells are in quotes whatever they are
    gaps: tuple[str, ...]  # lines between the rows

    def text(self) -> str:
        out = io.StringIO()
        quoting: Any = csv.QUOTE_ALL if self.every else csv.QUOTE_MINIMAL
        writer = csv.writer(out, delimiter=self.separator, lineterminator=self.newline, quoting=quoting)
        for k, row in enumerate((self.header, *self.rows)):
            out.write("".join(gap + self.newline for gap in self.gaps if len(gap) % 7 == k % 7))
            writer.writerow(row)
        return self.before + out.getvalue()


def odd_table(rng: Generator) -> OddTable:
    """A table of 6 to 20 rows and 1 to 4 features."""
    m, n = int(rng.integers(6, 21)), int(rng.integers(1, 5))
    columns = [_column(rng, m) for _ in range(n)]
    labels = LABELS[rng.integers(len(LABELS))]
    y = [labels[k] for k in rng.permutation(np.arange(m) % len(labels))]
    names = [f"x{k}" for k in range(n)]
    if rng.random() < 0.2:
        names[rng.integers(n)] = NAMES[rng.integers(len(NAMES))]
    if rng.random() < 0.1:
        names = [name + "w" * (140_000 // n) for name in names]
    gaps = ("", " " * 9, "\t ", " " * int(rng.integers(1, 40)))
    return OddTable(
        header=(*names, "y"),
        rows=tuple(zip(*columns, y, strict=True)),
        labels=tuple(sorted(set(y))),
        separator=",;\t|"[int(rng.choice(4, p=[0.55, 0.15, 0.15, 0.15]))],
        newline=str(rng.choice(["\n", "\r\n", "\r"], p=[0.7, 0.25, 0.05])),
        before=BOM * int(rng.choice(3, p=[0.7, 0.2, 0.1])),
        every=bool(rng.random() < 0.2),
        gaps=tuple(gap for gap in gaps if rng.random() < (0.15 if gap == "" else 0.04)),
    )


def _column(rng: Generator, m: int) -> list[str]:
    pool = PLAIN[list(PLAIN)[int(rng.choice(4, p=[0.4, 0.25, 0.25, 0.1]))]]
    few = rng.choice(pool, int(rng.integers(1, 6)))
    cells = [str(cell) for cell in rng.choice(few, m)]
    if rng.random() < 0.4:
        cells[rng.integers(m)] = ODD[rng.integers(len(ODD))]
    return cells


def write_typed(rng: Generator, path: Path) -> None:
    """Write a Parquet or Feather file whose types or pandas metadata are odd; its target is y."""
    import pyarrow as pa  # noqa: PLC0415 - heavy
    import pyarrow.feather  # noqa: PLC0415
    import pyarrow.parquet  # noqa: PLC0415

    m = int(rng.integers(6, 15))
    column, y = _typed_column(rng, m), pa.array([k % 2 for k in range(m)])
    table = pa.table({"x": column, "z": pa.array(rng.standard_normal(m)), "y": y})
    if rng.random() < 0.6:
        table = table.replace_schema_metadata({b"pandas": json.dumps(_metadata(rng)).encode()})
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, path)


def _typed_column(rng: Generator, m: int) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - heavy

    numbers = [int(k) if rng.random() < 0.9 else None for k in rng.integers(0, 5, m)]
    texts = [None if k is None else str(k) for k in numbers]
    days = pa.array(numbers, pa.int32())
    columns: list[Any] = [
        *(pa.array(numbers, kind) for kind in (pa.int8(), pa.uint64(), pa.float64(), pa.decimal128(9, 2))),
        *(pa.array(texts, kind) for kind in (pa.string(), pa.large_string(), pa.binary())),
        *(pa.array(texts).dictionary_encode(), days.cast(pa.date32()), days.cast(pa.time32("s"))),
        *(days.cast(pa.int64()).cast(kind) for kind in (pa.timestamp("ns", "Asia/Tokyo"), pa.duration("s"))),
        *(
            pa.array([None if k is None else k > 2 for k in numbers], pa.bool_()),
            pa.nulls(m),
            pa.array([[1]] * m),
        ),
        *(pa.array([{"a": 1}] * m), pa.array([np.float16(k or 0) for k in numbers], pa.float16())),
    ]
    return columns[rng.integers(len(columns))]


def _metadata(rng: Generator) -> Any:
    """What pandas writes beside a table, with a lie."""
    entry = {
        "name": "x",
        "field_name": "x",
        "pandas_type": "categorical",
        "numpy_type": "int8",
        "metadata": None,
    }
    fine = {"columns": [entry], "index_columns": [], "column_indexes": [], "pandas_version": "3.0"}
    lies: list[Any] = [
        *(
            fine,
            fine | {"columns": [entry | {"name": "absent", "field_name": "absent"}]},
            [],
            {},
            None,
            3,
            "x",
        ),
        *(fine | {"columns": [{"name": "x"}]}, fine | {"columns": {}}, fine | {"columns": None}, [fine]),
        *(
            fine | {"columns": [None]},
            fine | {"columns": [entry | {"name": None}]},
            fine | {"columns": [entry] * 2},
        ),
        *(fine | {"columns": [entry | {"name": ["x"]}]}, fine | {"columns": [entry | {"pandas_type": 3}]}),
        *(fine | {"index_columns": [name]} for name in ("x", "y", "absent", None, {"kind": "range"}, ["x"])),
        *(fine | {"column_indexes": [each]} for each in (None, {}, {"name": "q", "pandas_type": "bytes"}, 3)),
        fine | {"index_columns": [{"kind": "range", "name": "i", "start": 0, "stop": 10**9, "step": 0}]},
        fine
        | {"columns": [entry | {"numpy_type": "object", "metadata": {"num_categories": -1, "ordered": 7}}]},
        fine | {"columns": [entry | {"pandas_type": "datetimetz", "metadata": {"timezone": "Mars/Base"}}]},
    ]
    return lies[rng.integers(len(lies))]
