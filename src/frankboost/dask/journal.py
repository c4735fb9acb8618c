"""What parts of the rows were told, so that one that is lost can be told again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frankboost.dask.crew import Call

OF_ALL = ("cap", "add")  # what is not about a single distribution
OF_ONE = (
    "start", "start_along", "sums", "sums_near", "fill", "margins", "prior", "place", "nearest",
    "give", "give_first", "take", "take_first",
)  # fmt: skip


Question = tuple[str, Sequence[Any], Mapping[str, Sequence[Any]]]
"""A method of `LocalPart`, its arguments, and those of which each part has its own."""


def for_parts(
    question: str, args: Sequence[Any], each: Mapping[str, Sequence[Any]], parts: Sequence[int]
) -> Question:
    """A question as some of all parts get it, see `Station.ask`."""
    return question, args, {name: [values[k] for k in parts] for name, values in each.items()}


@dataclass(frozen=True, eq=False)
class _Entry:
    question: str
    args: Sequence[Any]
    each: Mapping[str, Sequence[Any]]

    @property
    def number(self) -> int | None:
        """Of the distribution that it is about."""
        return self.args[0] if self.question in OF_ONE else None

    def made_of(self) -> Sequence[int]:
        """The numbers of others that must be there."""
        if self.question == "start_along":
            return list(self.args[1][:2])
        return [self.args[1]] if self.question == "nearest" else []


class Journal:
    """The questions that changed parts, as far as what they changed is still there."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._forgotten: set[int] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def note(self, question: str, args: Sequence[Any], each: Mapping[str, Sequence[Any]]) -> None:
        """Note what all parts were asked."""
        if question == "forget":
            self._forget(args[0])
        elif question == "drop":
            self._drop(args[0])
        elif question in (*OF_ALL, *OF_ONE):
            self._entries.append(_Entry(question, args, each))

    def calls(self, parts: Sequence[int]) -> list[Call]:
        """What some parts have to be told again, in order."""
        return [
            Call("ask", for_parts(entry.question, entry.args, entry.each, parts)) for entry in self._entries
        ]

    def _drop(self, columns: int) -> None:
        """What is dropped is what was added last."""
        added = [entry for entry in self._entries if entry.question == "add"]
        while added and sum(len(entry.args[0].roots) for entry in added) > columns:
            self._entries.remove(added.pop())

    def _forget(self, numbers: Sequence[int]) -> None:
        """A distribution that another was made of is needed as long as that is."""
        self._forgotten |= set(numbers)
        needed: set[int | None] = {None}
        for entry in reversed(self._entries):
            if entry.number not in self._forgotten or entry.number in needed:
                needed |= {entry.number, *entry.made_of()}
        self._entries = [entry for entry in self._entries if entry.number in needed]
