"""What finds hypotheses for a room: any weak learner, where all rows are in one part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from frankboost.learners.base import Answer, Hypothesis, Need, Oracle
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number, Parts
from frankboost.typing import Floats


class Search(Protocol):
    """A weak learner over parts of the rows, at distributions that the parts know by numbers."""

    def __call__(self, number: Number, need: Callable[[], Need]) -> Answer:
        """The hypotheses of largest edge; `need` tells what they are for."""

    def told(self, hypotheses: Sequence[Any]) -> Any:
        """Hypotheses as the parts take them, see `Part.take`."""

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """A hypothesis of another fit as this class has it; None if the class is not known to have it."""

    def gains(self, hypotheses: Sequence[Any], number: Number) -> Floats | None:
        """What each feature adds to the edge of each hypothesis, one row per hypothesis, if that is known."""


class LearnerSearch:
    """An oracle, asked with the signed example weights of the one part.

    Parameters
    ----------
    oracle : Oracle
    parts : Parts
    learner : str
        What the weak learner is called in errors.
    """

    def __init__(self, oracle: Oracle, parts: Parts, learner: str = "the weak learner") -> None:
        self._oracle = oracle
        self._parts = parts
        self._learner = learner

    def __call__(self, number: Number, need: Callable[[], Need]) -> Answer:
        """What the oracle answers."""
        self._oracle.need = need()
        answer = self._oracle(self._signed(number))
        if len(answer.hypotheses) == 0:
            raise ValueError(f"{self._learner} returned no hypothesis")
        return answer

    def _signed(self, number: Number) -> Floats:
        [u] = self._parts.ask(Part.signed, number)
        return u

    def told(self, hypotheses: Sequence[Any]) -> Sequence[Any]:
        """As they are."""
        return hypotheses

    def recall(self, hypothesis: Any, /) -> Hypothesis | None:
        """A hypothesis of another fit as the oracle's class has it."""
        return self._oracle.recall(hypothesis)

    def gains(self, hypotheses: Sequence[Any], number: Number) -> Floats | None:
        """What the oracle says."""
        return self._oracle.gains(hypotheses, self._signed(number))
