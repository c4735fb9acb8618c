"""Files with named columns as data frames, read by pandas and pyarrow: the extra `frankboost[cli]`.

pandas hands over every cell of a CSV file as text. Left to guess, it makes 7 of 007, renames columns of the
same name, and takes the first column for an index where lines are longer than the header.
"""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

ENDINGS = (".csv", ".csv.gz", ".parquet")
MISSING = ("", "na", "n/a", "nan", "null", "?")
BOOLS = {"false": False, "true": True}
CODE = r"[+-]?0[0-9]"  # how 007 begins, which is another label than 7
INTEGER = r"[+-]?[0-9]+"
MOST_QUOTED = 100  # characters of a value in an error

PathLike = str | os.PathLike[str]
Words = Mapping[str, Collection[str]]


def read_frame(path: PathLike, target: str | None = None, known: Words = MappingProxyType({})) -> Any:
    """A pandas data frame of a file; ValueError says what is wrong with the file.

    A column of a CSV file holds bools or numbers if all its cells that are not missing do, else text. The
    `target` is text if it has a code such as 007 or an integer beyond 64 bits. Columns with `known` words are
    text, and these words are values there even if they read like missing ones.
    """
    path = Path(path)
    if not path.name.lower().endswith(ENDINGS):
        raise ValueError(f"{path}: the name must end with {', '.join(ENDINGS)} to say what the file holds")
    try:
        with path.open("rb"):  # whose errors are shorter than those of the readers
            parquet = path.suffix.lower() == ".parquet"
        frame = _read_parquet(path) if parquet else _read_csv(path, target, known)
    except ImportError as error:
        raise ValueError(
            f"{path} needs pandas and pyarrow to be read: pip install frankboost[cli]"
        ) from error
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise ValueError(f"{path} cannot be read: {reason}") from error
    if frame.empty:
        raise ValueError(f"{path} has columns but no rows")
    return frame


def quoted(value: Any) -> str:
    """A value as an error shows it, its middle left out if it is long."""
    text = repr(value)
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 30]}...{text[-20:]}"


def _read_csv(path: Path, target: str | None, known: Words) -> Any:
    import pandas as pd  # noqa: PLC0415 - an extra

    _check_lines(path)
    cells = pd.read_csv(path, header=None, dtype=str, na_filter=False, encoding="utf-8-sig")
    header = [name.strip() for name in cells.iloc[0]]
    for number, name in enumerate(header):
        if not name:
            hint = "; pandas writes its index so, unless told index=False" if number == 0 else ""
            raise ValueError(f"column {number + 1} has no name{hint}")
        if name in header[:number]:
            both = f"columns {header.index(name) + 1} and {number + 1}"
            raise ValueError(f"{both} have the same name {quoted(name)}")
    cells = cells.iloc[1:].reset_index(drop=True)
    return pd.DataFrame(
        {name: _parsed(cells[k], known.get(name), name == target) for k, name in enumerate(header)}
    )


def _check_lines(path: Path) -> None:
    """Raise for a line that is not like the header, where pandas would fill up or read on in silence."""
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        width = 0
        try:
            for cells in filter(None, reader):
                width = width or len(cells)
                if len(cells) != width:
                    raise ValueError(f"line {reader.line_num}: expected {width} cells; got {len(cells)}")
        except csv.Error as error:
            raise ValueError(f"line {reader.line_num}: {error}") from error


def _parsed(cells: Any, known: Collection[str] | None, is_target: bool) -> Any:
    import pandas as pd  # noqa: PLC0415

    text = cells.str.strip()
    text = text.mask(text.str.lower().isin(MISSING) & ~text.isin(list(known or ())))
    present = text.dropna()
    if known is not None or (is_target and present.str.match(CODE).any()):
        return text
    if len(present) and present.str.lower().isin(BOOLS).all():
        return text.str.lower().map(BOOLS).astype("boolean")
    numbers = pd.to_numeric(present, errors="coerce")
    if numbers.isna().any():
        return text
    if is_target and numbers.dtype.kind not in "iu" and present.str.fullmatch(INTEGER).all():
        return text  # as numbers, some of them would be equal
    whole = len(present) == len(text) and numbers.dtype.kind in "iu"
    return numbers if whole else text.astype(float)  # to_numeric may be wrong in the last digit


def _read_parquet(path: Path) -> Any:
    import pandas as pd  # noqa: PLC0415
    import pyarrow.parquet  # noqa: PLC0415

    frame = pd.read_parquet(path, dtype_backend="numpy_nullable").rename(columns=str)
    # An index that has a name is a column, and pandas forgets that numbers were of its category type.
    frame = frame.reset_index(drop=not any(frame.index.names))
    columns = (pyarrow.parquet.read_schema(path).pandas_metadata or {}).get("columns", [])
    declared = [each["name"] for each in columns if each["pandas_type"] == "categorical"]
    return frame.astype(dict.fromkeys(declared, "category"))
