"""Values of a JSON document that know where they stand, so that errors can say it."""

from __future__ import annotations

import math
import reprlib
import sys
from collections.abc import Callable, Collection
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
T = TypeVar("T")

LARGEST_FLOAT = sys.float_info.max
MOST_ITEMS = 1_000_000  # of a list that is not one of numbers
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Field:
    """A value that nobody has checked yet. Every method returns it checked, or raises ValueError."""

    def __init__(self, value: Any, where: str) -> None:
        self.value = value
        self.where = where

    def error(self, allowed: str) -> ValueError:
        """What to raise if the value is not what is allowed."""
        return ValueError(f"{self.where} must be {allowed}; got {reprlib.repr(self.value)}")

    def members(self, *names: str, optional: Collection[str] = ()) -> dict[str, Field]:
        """An object with exactly these members, and perhaps the optional ones."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        for name in names:
            if name not in self.value:
                raise ValueError(f"{self._at(name)} is missing")
        for name in self.value:
            if name not in names and name not in optional:
                raise ValueError(f"{self.where} must not have a member {reprlib.repr(name)}")
        return self.any_members()

    def any_members(self) -> dict[str, Field]:
        """An object with whatever members."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        return {name: Field(value, self._at(name)) for name, value in self.value.items()}

    def items(self, *, count: int | None = None, at_least: int = 0) -> list[Field]:
        """A list of whatever, not too long."""
        values = self._list(count, at_least)
        if len(values) > MOST_ITEMS:
            raise ValueError(f"{self.where} must have at most {MOST_ITEMS} entries; got {len(values)}")
        return [self.item(k) for k in range(len(values))]

    def item(self, k: int) -> Field:
        """An entry of what is known to be a list."""
        return Field(self.value[k], f"{self.where}[{k}]")

    def or_none(self, read: Callable[[Field], T]) -> T | None:
        """Null, or what `read` returns."""
        return None if self.value is None else read(self)

    def plain(self) -> Any:
        """Null, a scalar, or a list of scalars; a list may not be too long."""
        values = self.items() if isinstance(self.value, list) else [self]
        for each in values:
            if not isinstance(each.value, bool | int | float | str | None):
                raise each.error("null, a string, a number, true or false")
        return self.value

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.error("a string")
        return self.value

    def one_of(self, allowed: Collection[str]) -> str:
        """One of some strings."""
        if not isinstance(self.value, str) or self.value not in allowed:
            raise self.error("one of " + ", ".join(f'"{each}"' for each in allowed))
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.error("true or false")
        return self.value

    def count(self, at_least: int, at_most: int) -> int:
        """An integer in a range."""
        if type(self.value) is not int or not at_least <= self.value <= at_most:
            raise self.error(f"an integer in [{at_least}, {at_most}]")
        return self.value

    def number(self, at_least: float = -math.inf, at_most: float = math.inf, *, above: bool = False) -> float:
        """A finite number in a range, whose lower end is left out if `above`."""
        if type(self.value) in (int, float) and abs(self.value) <= LARGEST_FLOAT:
            number = float(self.value)
            if (number > at_least if above else number >= at_least) and number <= at_most:
                return number
        left = "(" if above or at_least == -math.inf else "["
        right = ")" if at_most == math.inf else "]"
        raise self.error(f"a finite number in {left}{at_least:g}, {at_most:g}{right}")

    def any_number(self) -> float:
        """A number, or "nan", "inf" or "-inf"."""
        if isinstance(self.value, str) and self.value in NOT_FINITE:
            return NOT_FINITE[self.value]
        return self.number()

    def numbers(self, *, count: int | None = None, at_least: int = 0) -> Floats:
        """A list of finite numbers."""
        values = self._list(count, at_least)
        # There may be millions, too many for a field each.
        for k, value in enumerate(values):
            if type(value) not in (int, float) or not abs(value) <= LARGEST_FLOAT:
                self.item(k).number()
        return np.array(values, dtype=np.float64)

    def increasing(self, below: int) -> NDArray[np.intp]:
        """A list of increasing integers in [0, below)."""
        values = self._list(None, 0)
        for k, value in enumerate(values):
            if type(value) is not int or not 0 <= value < below:
                self.item(k).count(0, below - 1)
        numbers = np.array(values, dtype=np.intp)
        if not (numbers[:-1] < numbers[1:]).all():
            raise self.error("increasing")
        return numbers

    def _list(self, count: int | None, at_least: int) -> list[Any]:
        if not isinstance(self.value, list):
            raise self.error("a list")
        if count is not None and len(self.value) != count:
            raise ValueError(f"{self.where} must have {count} entries; got {len(self.value)}")
        if len(self.value) < at_least:
            raise ValueError(f"{self.where} must have at least {at_least} entries; got {len(self.value)}")
        return self.value

    def _at(self, name: str) -> str:
        name = reprlib.repr(name)[1:-1]
        return f"{self.where}.{name}" if self.where else name
