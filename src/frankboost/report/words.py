"""Numbers and lists as one writes them."""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> count(1, "run"), count(0, "run")
    ('1 run', '0 runs')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words with commas.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, end = [*words] or ["none"]
    return f"{', '.join(first)} {last} {end}" if first else end
