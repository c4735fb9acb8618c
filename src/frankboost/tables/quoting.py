"""Values as errors show them."""

from __future__ import annotations

from typing import Any

MOST_QUOTED = 100  # characters of a value in an error


def quoted(value: Any) -> str:
    """A value as an error shows it, its middle left out if it is long."""
    text = repr(value)
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 30]}...{text[-20:]}"
