"""Fields of a JSON document: their types, and errors that name them.

All numbers are finite, but that a trace may have the strings "nan", "inf" and "-inf".
"""

from __future__ import annotations

import math
import re
import reprlib
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

ROUNDING = 1e-6  # of sums that should be 1, and of the ends of [-1, 1]

Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
AtLeastOne = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Finite = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
Number = Finite | Literal["nan", "inf", "-inf"]
Positive = Annotated[float, Meta(gt=0.0, le=sys.float_info.max)]
Margin = Annotated[float, Meta(ge=-1.0 - ROUNDING, le=1.0 + ROUNDING)]
Shares = Annotated[list[Annotated[float, Meta(ge=0.0, le=1.0 + ROUNDING)]], Meta(min_length=1)]
Scalar = str | bool | int | Finite


class Saved(Struct, frozen=True, forbid_unknown_fields=True):
    """An object with these members and no others; its `__post_init__` checks what they say together."""


def wrong(where: str, allowed: str, value: Any) -> ValueError:
    """The ValueError for a field that is not allowed."""
    return ValueError(f"{where} must be {allowed}; got {reprlib.repr(value)}")


def converted(value: Any, kind: Any, where: str = "") -> Any:
    """Convert a field to its type; the ValueError names the field, or the wrong part of it."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        place = (where + path.rstrip("`")).removeprefix(".")
        if error.__cause__ is not None:  # a check of `Saved`, which names the member
            raise ValueError(f"{place}.{what}".removeprefix(".")) from None
        with suppress(LookupError, TypeError):  # the name of an unknown member may look like a path
            for name, k in re.findall(r"\.(\w+)|\[(\d+)\]", path):
                value = value[name or int(k)]
        what = what.partition(", got")[0][:200]
        raise ValueError(f"{place or 'the document'}: {what}; got {reprlib.repr(value)[:200]}") from None


def check_length(where: str, values: Sequence[Any], count: int) -> None:
    """Raise a ValueError unless a list has the right length."""
    if len(values) != count:
        raise ValueError(f"{where} must have {count} entries; got {len(values)}")


def check_increasing(where: str, values: Sequence[Any], below: float = math.inf) -> None:
    """Raise a ValueError unless the numbers increase and stay below a bound."""
    array = np.array(values)
    if not (array[:-1] < array[1:]).all() or (array[-1:] >= below).any():
        raise wrong(where, "increasing" if below == math.inf else f"increasing and below {below}", values)
