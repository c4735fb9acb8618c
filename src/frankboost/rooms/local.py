"""The room whose rows are in this process, with any weak learner."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from frankboost.learners.base import Answer, Hypothesis, HypothesisClass, Need, Oracle
from frankboost.rooms.base import Search
from frankboost.rooms.host_part import Examples
from frankboost.rooms.joint_search import JointSearch
from frankboost.rooms.local_parts import JointPart, WholePart
from frankboost.rooms.margins import JointMargins
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Number, Parts, PartsHere
from frankboost.rooms.room import Room
from frankboost.typing import Floats


class LearnerSearch:
    """A search that asks an oracle, with the signed weights of the only part; error messages call the oracle
    `learner`."""

    def __init__(self, oracle: Oracle, parts: Parts, learner: str = "the weak learner") -> None:
        self._oracle = oracle
        self._parts = parts
        self._learner = learner

    def __call__(self, number: Number, need: Callable[[], Need]) -> Answer:
        self._oracle.need = need()
        answer = self._oracle(self._signed(number))
        if len(answer.hypotheses) == 0:
            raise ValueError(f"{self._learner} returned no hypothesis")
        return answer

    @property
    def exact(self) -> bool:
        return self._oracle.exact

    @property
    def hypothesis_class(self) -> HypothesisClass:
        return self._oracle.hypothesis_class

    @property
    def drives(self) -> bool:
        return self._oracle.drives

    def begin(self, stop: Callable[[], bool], kappa: float) -> None:
        self._oracle.stop, self._oracle.kappa = stop, kappa

    def _signed(self, number: Number) -> Floats:
        [u] = self._parts.ask(Part.signed, number)
        return u

    def encode(self, hypotheses: Sequence[Hypothesis]) -> Sequence[Hypothesis]:
        return hypotheses

    def recall(self, hypothesis: Hypothesis, /) -> Hypothesis | None:
        return self._oracle.recall(hypothesis)

    def bin_weights(self, number: Number) -> Floats | None:
        return self._oracle.bin_weights(np.abs(self._signed(number)))

    def gains(self, hypotheses: Sequence[Hypothesis], number: Number) -> Floats | None:
        return self._oracle.gains(hypotheses, self._signed(number))


def local_room(
    examples: Examples,
    oracle: Oracle,
    *,
    nu: float,
    tol: float,
    threads: int = 1,
    learner: str = "the weak learner",
) -> Room:
    """A room with all rows in one part, and an oracle prepared for these rows, which error messages call
    `learner`."""
    margins = examples.margins
    kind = JointPart if isinstance(margins, JointMargins) else WholePart
    parts = PartsHere([kind(examples, oracle, threads=threads, learner=learner)])
    search: Search = LearnerSearch(oracle, parts, learner)
    if isinstance(margins, JointMargins):
        search = JointSearch(search, parts, margins.classes)
    return Room(parts, search, nu=nu, tol=tol, threads=threads, weight_error=examples.weight_error)
