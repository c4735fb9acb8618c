"""Arguments that say what is wrong with them."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NoReturn


class Parser(ArgumentParser):
    """A parser whose errors are one line, and whose options have no abbreviations."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and leave with status 2."""
        self.exit(2, f"{self.prog}: error: {printable(message)}\n")


def printable(text: Any) -> str:
    """Text from a file on one line, with an escape for whatever would not be seen as it is."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in str(text)
    )


def number(*, at_most: float = math.inf, word: str | None = None) -> Callable[[str], Any]:
    """A finite number above 0, at most `at_most`; or a word."""
    allowed = "a finite number > 0" if at_most == math.inf else f"a number in (0, {at_most:g}]"
    return _parser(float, allowed, lambda value: 0.0 < value <= at_most and math.isfinite(value), word)


def count(*, at_most: int | None = None, word: str | None = None) -> Callable[[str], Any]:
    """An integer from 1; or a word."""
    allowed = "an integer >= 1" if at_most is None else f"an integer in [1, {at_most}]"
    return _parser(int, allowed, lambda value: 1 <= value <= (at_most or math.inf), word)


def count_or_all(*, at_most: int | None = None) -> Callable[[str], Any]:
    """An integer from 1, or the word all."""
    return count(at_most=at_most, word="all")


def _parser(
    read: Callable[[str], Any], allowed: str, accepts: Callable[[Any], bool], word: str | None
) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        if text.lower() == word:
            return word
        with suppress(ValueError):
            if accepts(value := read(text)):
                return value
        raise ArgumentTypeError(f"must be {allowed}{f' or {word}' if word else ''}; got {text!r}")

    return parse


def names(known: Iterable[str]) -> Callable[[str], list[str]]:
    """A comma list of known names, in any case, each once."""
    known = list(known)
    by_lower = {name.lower(): name for name in known}

    def parse(text: str) -> list[str]:
        words = [word.strip() for word in text.split(",") if word.strip()]
        for word in words or [text]:
            if word.lower() not in by_lower:
                raise ArgumentTypeError(f"must be names from {', '.join(known)}; got {word!r}")
        return list(dict.fromkeys(by_lower[word.lower()] for word in words))

    return parse


def threads(args: Namespace) -> int:
    """The option --jobs, as joblib counts: -1 is all cores."""
    return -1 if args.jobs == "all" else int(args.jobs)
