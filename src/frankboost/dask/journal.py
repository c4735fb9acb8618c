"""The questions that changed the parts, so that a lost part can be made again."""

from __future__ import annotations

from collections.abc import Sequence

from frankboost.rooms.part import Part
from frankboost.rooms.questions import AnyAsked, Number


class Journal:
    """The questions that changed parts and whose effects are still needed."""

    def __init__(self) -> None:
        self.entries: list[AnyAsked] = []
        self._forgotten: set[Number] = set()

    def note(self, asked: AnyAsked) -> None:
        """Record a question to all parts."""
        if asked.question is Part.forget:
            self._forget(asked.args[0])
        elif asked.marks.changes:
            self.entries.append(asked)

    def _forget(self, numbers: Sequence[Number]) -> None:
        """Drop the questions about distributions that are no longer needed.

        A distribution is needed if it is not forgotten, or if a needed one was made of it.
        """
        self._forgotten |= set(numbers)
        needed: set[Number] = set()
        kept = []
        for entry in reversed(self.entries):
            about = _numbers(entry)
            if not about or about[0] not in self._forgotten or about[0] in needed:
                needed |= set(about)
                kept.append(entry)
        self.entries = kept[::-1]


def _numbers(asked: AnyAsked) -> list[Number]:
    """The number of the distribution that a question changes, then the numbers of its sources."""
    return [each for each in asked.args if isinstance(each, Number)]
