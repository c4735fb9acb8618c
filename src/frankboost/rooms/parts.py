"""Rows in parts: on the workers of a cluster, on a device, or here; and what searches them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from frankboost.learners.base import Hypothesis
from frankboost.typing import Floats

FEW = 2**13  # rows of all parts that are looked at here: another question to all costs more

Question = tuple[str, Sequence[Any]]  # a method of `LocalPart`, and its arguments


class Parts(Protocol):
    """All parts, in the order of their rows."""

    @property
    def rows(self) -> int:
        """Of all parts."""

    @property
    def in_one_place(self) -> bool:
        """Whether there is a single part, with `moving` and `covariance`: less to hand out."""

    @property
    def scans(self) -> bool:
        """Whether tables are looked through where they are: parts answer `pair_children`."""

    def ask(self, question: str, *args: Any, **each: Sequence[Any]) -> list[Any]:
        """The answers of all parts to a method of `LocalPart`; `each` has one argument for each part."""

    def ask_all(self, *questions: Question) -> list[list[Any]]:
        """The answers to questions of which none depends on the answer to another."""


@dataclass(frozen=True)
class PartsHere:
    """Parts in this process, asked one after the other."""

    parts: Sequence[Any]
    rows: int
    in_one_place: bool = False

    @property
    def scans(self) -> bool:
        """As one part does that has all rows."""
        return self.in_one_place

    def ask(self, question: str, *args: Any, **each: Sequence[Any]) -> list[Any]:
        """The answers of all parts."""
        return [
            getattr(part, question)(*args, **{name: values[k] for name, values in each.items()})
            for k, part in enumerate(self.parts)
        ]

    def ask_all(self, *questions: Question) -> list[list[Any]]:
        """One after the other."""
        return [self.ask(question, *args) for question, args in questions]


class Search(Protocol):
    """A weak learner over parts: what it finds at a distribution that the parts know by a number."""

    exact: bool
    hypothesis_class: Any
    stop: Callable[[], bool] | None
    kappa: float

    def __call__(self, number: int) -> Sequence[Hypothesis]:
        """Hypotheses that vote -1 and +1, best first; the first is the best of the class."""

    def forest(self, hypotheses: Sequence[Hypothesis]) -> Any:
        """As the parts take them in."""

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """A hypothesis of another fit as this class has it, if it has."""

    def gains(self, hypotheses: Sequence[Any], number: int) -> Floats:
        """What each feature adds to the edge of each hypothesis."""


def added(answers: Sequence[Floats]) -> Floats:
    """The sum of arrays; of one, itself."""
    return answers[0] if len(answers) == 1 else sum(answers[1:], start=answers[0])
