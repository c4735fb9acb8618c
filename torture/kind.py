"""What the kinds of torture have in common."""

from __future__ import annotations

from collections import Counter


class Failure(Exception):  # noqa: N818 - a finding, no error of the torture
    """Something that must not happen; the message says what was tried and what was found."""


class Skipped(Exception):  # noqa: N818 - no error
    """What cannot be tried on this machine, and why."""


Tried = Counter[str]  # how many of what


def require(holds: object, message: str) -> None:
    """Raise a failure unless something holds."""
    if not holds:
        raise Failure(message)
