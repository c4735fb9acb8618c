"""Arguments that are lists."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable

from frankboost.cli.arguments import number


def numbers(*, at_most: float = math.inf) -> Callable[[str], list[float]]:
    """A comma list of such numbers, each once."""
    one = number(at_most=at_most)

    def parse(text: str) -> list[float]:
        words = [word.strip() for word in text.split(",") if word.strip()]
        return list(dict.fromkeys(one(word) for word in words or [text]))

    return parse


def names(known: Iterable[str], *, or_all: bool = False) -> Callable[[str], list[str]]:
    """A comma list of known names, in any case, each once; or the word "all"."""
    known = list(known)
    by_lower = {name.lower(): name for name in reversed(known)}
    allowed = ", ".join(known) + (" or all" if or_all else "")

    def parse(text: str) -> list[str]:
        if or_all and text.strip().lower() == "all":
            return known
        words = [word.strip() for word in text.split(",") if word.strip()]
        for word in words or [text]:
            if word.lower() not in by_lower:
                raise ArgumentTypeError(f"must be names from {allowed}; got {word!r}")
        return list(dict.fromkeys(by_lower[word.lower()] for word in words))

    return parse
