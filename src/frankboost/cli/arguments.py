"""Arguments that say what is wrong with them."""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from frankboost.validation import quoted

DEEPEST = 2**31 - 1  # tree that a model file has room for


class Parser(ArgumentParser):
    """A parser whose errors are one line, and whose options have no abbreviations."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and leave with status 2."""
        self.exit(2, f"{self.prog}: error: {message}\n")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Leave with a status, after a message of one line."""
        super().exit(status, message and printable(message.removesuffix("\n")) + "\n")


def printable(text: Any) -> str:
    """Text from a file on one line, with an escape for whatever would not be seen as it is."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in str(text)
    )


def number(
    *, whole: bool = False, at_most: float = math.inf, or_zero: bool = False, **words: Any
) -> Callable[[str], Any]:
    """A finite number above 0 (or 0), at most `at_most`; or a word, which stands for its value."""
    if whole:
        allowed = "an integer >= 1" if at_most == math.inf else f"an integer in [1, {at_most}]"
    elif at_most < math.inf:
        allowed = f"a number in (0, {at_most:g}]"
    else:
        allowed = f"a finite number {'>= 0' if or_zero else '> 0'}"

    def parse(text: str) -> Any:
        if text.lower() in words:
            return words[text.lower()]
        with suppress(ValueError):
            value = int(text) if whole else float(text)
            if (0 < value <= at_most or (or_zero and value == 0)) and math.isfinite(value):
                return value
        raise ArgumentTypeError(f"must be {' or '.join([allowed, *words])}; got {text!r}")

    return parse


count = partial(number, whole=True)


def json_value(*words: str, allowed: str, is_right: Callable[[Any], bool]) -> Callable[[str], Any]:
    """One of some words, or a JSON value that is right; `allowed` says what is."""

    def parse(text: str) -> Any:
        if text.lower() in words:
            return text.lower()
        with suppress(ValueError):
            value = json.loads(text)
            if is_right(value):
                return value
        raise ArgumentTypeError(f"must be {allowed}; got {quoted(text)}")

    return parse
