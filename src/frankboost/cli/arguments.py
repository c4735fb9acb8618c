"""Arguments that say what is wrong with them."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Literal, NoReturn, TypeVar

T = TypeVar("T")


class Parser(ArgumentParser):
    """A parser whose errors are one line, and whose options have no abbreviations."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and leave with status 2."""
        self.exit(2, f"{self.prog}: error: {message}\n")


def new_command(
    commands: Any,
    name: str,
    run: Callable[[Parser, Namespace], int],
    *,
    brief: str,
    description: str,
    epilog: str,
) -> Parser:
    """Add a command to those of a parser; `run` is given its own parser, for errors, and the arguments."""
    parser: Parser = commands.add_parser(
        name,
        help=brief,
        description=description,
        epilog=epilog,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=partial(run, parser))
    return parser


def number(*, at_most: float = math.inf) -> Callable[[str], float]:
    """A finite number above 0, at most `at_most`."""
    allowed = "a finite number > 0" if at_most == math.inf else f"a number in (0, {at_most:g}]"
    return _within(float, allowed, lambda value: 0.0 < value <= at_most and math.isfinite(value))


def count(*, at_most: int | None = None) -> Callable[[str], int]:
    """An integer from 1."""
    allowed = "an integer >= 1" if at_most is None else f"an integer in [1, {at_most}]"
    return _within(int, allowed, lambda value: 1 <= value <= (at_most or math.inf))


def _within(read: Callable[[str], T], allowed: str, accepts: Callable[[T], bool]) -> Callable[[str], T]:
    def parse(text: str) -> T:
        with suppress(ValueError):
            if accepts(value := read(text)):
                return value
        raise ArgumentTypeError(f"must be {allowed}; got {text!r}")

    return parse


def or_word(word: str, parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """What `parse` takes, or a word."""

    def parse_either(text: str) -> Any:
        if text.lower() == word:
            return word
        try:
            return parse(text)
        except ArgumentTypeError as error:
            raise ArgumentTypeError(str(error).replace("; got", f" or {word}; got")) from None

    return parse_either


def count_or_all(*, at_most: int | None = None) -> Callable[[str], int | Literal["all"]]:
    """An integer from 1, or the word all."""
    return or_word("all", count(at_most=at_most))


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
