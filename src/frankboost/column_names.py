"""The names of the columns of a table, whatever library it is of."""

from __future__ import annotations

from typing import Any


def column_names(X: Any) -> list[Any]:
    """Those of a data frame or a table of pyarrow, of any type; none of an array."""
    if hasattr(X, "column_names") and not hasattr(X, "iloc"):  # pyarrow; for pandas it might be a column
        return list(X.column_names)
    return list(getattr(X, "columns", ()))
